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
    let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe combine($0) }
    if isDone == nil { for byte in text.utf8 { combine(byte) } }
  }

  /// The same for bytes that lie together, four at a time where no block has begun.
  ///
  /// Soundness: a load is within the bytes because four of them are left.
  private mutating func combine(_ bytes: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while count & 3 != 0, index < bytes.count {
      combine(unsafe bytes[index])
      index += 1
    }
    let raw = UnsafeRawBufferPointer(bytes)
    while index + 4 <= bytes.count {
      mix(unsafe UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt32.self)))
      count &+= 4
      index += 4
    }
    while index < bytes.count {
      combine(unsafe bytes[index])
      index += 1
    }
  }

  /// Adds a byte. Every fourth byte completes a little-endian block, which is mixed into the hash.
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
