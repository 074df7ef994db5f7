import Plug

/// The hash function MurmurHash3_x86_32 by Austin Appleby (public domain, SMHasher), with seed 0, over texts one after
/// another. No text is made of them.
struct BucketHash: Sendable {
  private var hash: UInt32 = 0
  private var block: UInt32 = 0
  private var count: UInt32 = 0

  /// Adds the UTF-8 bytes of a text.
  mutating func combine(_ text: String) {
    text.forEachByte { combine($0) }
  }

  /// Adds a byte. Every fourth byte completes a little-endian block, which is mixed into the hash.
  @inline(__always)
  private mutating func combine(_ byte: UInt8) {
    block |= UInt32(byte) << (8 * (count & 3))
    count &+= 1
    guard count & 3 == 0 else { return }
    hash = Self.rotated(hash ^ Self.scrambled(block), by: 13) &* 5 &+ 0xe654_6b64
    block = 0
  }

  /// The hash of all bytes so far.
  var value: UInt32 {
    var result = hash ^ Self.scrambled(block) ^ count
    result = (result ^ (result >> 16)) &* 0x85eb_ca6b
    result = (result ^ (result >> 13)) &* 0xc2b2_ae35
    return result ^ (result >> 16)
  }

  /// The bucket of the hash among so many, as flagd finds it: from the whole hash, in 64 bits.
  func bucket(of total: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: (UInt64(value) * UInt64(total)) >> 32)
  }

  private static func scrambled(_ block: UInt32) -> UInt32 {
    rotated(block &* 0xcc9e_2d51, by: 15) &* 0x1b87_3593
  }

  private static func rotated(_ value: UInt32, by bits: UInt32) -> UInt32 {
    value << bits | value >> (32 - bits)
  }
}
