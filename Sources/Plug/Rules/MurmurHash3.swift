/// The hash function MurmurHash3_x86_32 by Austin Appleby (public domain, SMHasher), with seed 0, over a stream of
/// bytes.
///
/// It is fast and well distributed, but not cryptographic. Its results must never change, because rollouts depend on
/// them.
struct MurmurHash3 {
  private var hash: UInt32 = 0
  private var block: UInt32 = 0
  private var count: UInt32 = 0

  /// Adds the UTF-8 bytes of a text.
  mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte) }
  }

  private mutating func combine(_ byte: UInt8) {
    block |= UInt32(byte) << (8 * (count & 3))
    count &+= 1
    guard count & 3 == 0 else { return }
    mix(block)
    block = 0
  }

  private mutating func mix(_ block: UInt32) {
    hash ^= Self.scrambled(block)
    hash = hash.rotatedLeft(by: 13) &* 5 &+ 0xe654_6b64
  }

  /// The hash of all bytes so far. The state does not change, so that a common prefix can be hashed once.
  func finalize() -> UInt32 {
    var result = hash ^ Self.scrambled(block) ^ count
    result = (result ^ (result >> 16)) &* 0x85eb_ca6b
    result = (result ^ (result >> 13)) &* 0xc2b2_ae35
    return result ^ (result >> 16)
  }

  private static func scrambled(_ block: UInt32) -> UInt32 {
    (block &* 0xcc9e_2d51).rotatedLeft(by: 15) &* 0x1b87_3593
  }
}

extension UInt32 {
  fileprivate func rotatedLeft(by bits: UInt32) -> UInt32 {
    self << bits | self >> (32 - bits)
  }
}
