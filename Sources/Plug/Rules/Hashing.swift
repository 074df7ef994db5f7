/// The hash function MurmurHash3_x86_32 by Austin Appleby (public domain, SMHasher), with seed 0, over a stream of
/// bytes.
///
/// It is fast and well distributed, but not cryptographic. Its results must never change, because rollouts depend on
/// them.
package struct MurmurHash3: Sendable {
  private var hash: UInt32 = 0
  private var block: UInt32 = 0
  private var count: UInt32 = 0

  package init() {}

  /// Adds the UTF-8 bytes of a string.
  mutating func combine(_ text: String) { for byte in text.utf8 { combine(byte) } }

  /// Adds the head of an item of CBOR: its major type, and a number in so many bytes, by default in as few as possible
  /// (RFC 8949, 4.2.1).
  package mutating func combine(major: UInt8, _ argument: UInt64, size: Int? = nil) {
    let least = argument < 24 ? 0 : argument <= 0xFF ? 1 : argument <= 0xFFFF ? 2 : argument <= 0xFFFF_FFFF ? 4 : 8
    let size = size ?? least
    combine(major << 5 | (size == 0 ? UInt8(argument) : 24 + UInt8(size.trailingZeroBitCount)))
    for byte in (0..<size).reversed() { combine(UInt8(truncatingIfNeeded: argument >> (8 * UInt64(byte)))) }
  }

  /// Adds a string as CBOR.
  package mutating func combine(cbor text: String) {
    combine(major: 3, UInt64(text.utf8.count))
    combine(text)
  }

  mutating func combine(_ byte: UInt8) {
    block |= UInt32(byte) << (8 * (count & 3))
    count &+= 1
    if count & 3 != 0 { return }
    hash = (hash ^ Self.scrambled(block)).rotatedLeft(by: 13) &* 5 &+ 0xe654_6b64
    block = 0
  }

  /// The hash of all bytes so far. The state does not change, so that a common prefix can be hashed once.
  package func finalize() -> UInt32 {
    var result = hash ^ Self.scrambled(block) ^ count
    result = (result ^ (result >> 16)) &* 0x85eb_ca6b
    result = (result ^ (result >> 13)) &* 0xc2b2_ae35
    return result ^ (result >> 16)
  }

  private static func scrambled(_ block: UInt32) -> UInt32 { (block &* 0xcc9e_2d51).rotatedLeft(by: 15) &* 0x1b87_3593 }
}

extension UInt32 {
  fileprivate func rotatedLeft(by bits: UInt32) -> UInt32 { self << bits | self >> (32 - bits) }
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
func mixed(_ value: UInt64) -> UInt64 {
  var result = value &+ 0x9e37_79b9_7f4a_7c15
  result = (result ^ result >> 30) &* 0xbf58_476d_1ce4_e5b9
  result = (result ^ result >> 27) &* 0x94d0_49bb_1331_11eb
  return result ^ result >> 31
}

/// A number greater than 0 and at most 1.
func unitInterval(_ bits: UInt64) -> Double { Double(bits >> 11 + 1) * 0x1p-53 }

/// The negative natural logarithm of a number greater than 0 and at most 1, to ten digits: by the series of the inverse
/// hyperbolic tangent, after the number has been brought between √½ and √2.
func negativeLogarithm(_ value: Double) -> Double {
  let bits = value.bitPattern
  var exponent = Double(Int(bits >> 52) - 1023)
  var significand = Double(bitPattern: bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000)
  if significand > 1.414_213_562_373_095 {
    significand *= 0.5
    exponent += 1
  }
  let ratio = (significand - 1) / (significand + 1)
  let square = ratio * ratio
  let end = 1 / 7.0 + square * (1 / 9.0 + square * (1 / 11.0))
  let series = 1 + square * (1 / 3.0 + square * (1 / 5.0 + square * end))
  return -(exponent * 0.693_147_180_559_945_3 + 2 * ratio * series)
}
