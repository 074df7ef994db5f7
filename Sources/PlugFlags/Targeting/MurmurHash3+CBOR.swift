import Plug

extension MurmurHash3 {
  /// Adds a value in deterministic CBOR (RFC 8949, 4.2.1), with numbers as in flagd's decision on `fractional`.
  mutating func combine(cbor value: FlagValue) {
    switch value {
    // The numbers of simple values.
    case .null: combine(major: 7, 22)
    case .bool(let value): combine(major: 7, value ? 21 : 20)
    case .number(let number): combine(cbor: number)
    case .string(let text): combine(cbor: text)
    case .array(let elements):
      combine(major: 4, UInt64(elements.count))
      for element in elements { combine(cbor: element) }
    case .object(let members):
      combine(major: 5, UInt64(members.count))
      // Names are sorted by their bytes in CBOR, which begin with the length.
      let names = members.keys.sorted { first, second in
        let (first, second) = (first.utf8, second.utf8)
        return first.count != second.count ? first.count < second.count : first.lexicographicallyPrecedes(second)
      }
      for name in names {
        combine(cbor: name)
        combine(cbor: members[name] ?? .null)
      }
    }
  }

  /// Adds a number as a 64-bit integer if it is one, and otherwise as the shortest floating-point number that is equal.
  private mutating func combine(cbor number: Double) {
    if let whole = UInt64(exactly: number) { return combine(major: 0, whole) }
    if let whole = Int64(exactly: number) { return combine(major: 1, UInt64(-1 - whole)) }
    let single = Float(number)
    guard Double(single) == number || number.isNaN else { return combine(major: 7, number.bitPattern, size: 8) }
    if let half = single.half {
      combine(major: 7, UInt64(half), size: 2)
    } else {
      combine(major: 7, UInt64(single.bitPattern), size: 4)
    }
  }
}

extension Float {
  /// The bits of an equal 16-bit number (IEEE 754, binary16), for which not every platform has a type; `nil` if there
  /// is none.
  fileprivate var half: UInt16? {
    let sign = UInt16(bitPattern >> 16) & 0x8000
    if isNaN { return 0x7E00 }
    if isInfinite { return sign | 0x7C00 }
    // The number has to be a multiple of the distance between 16-bit numbers of this size.
    let exponent = max(Int(exponentBitPattern) - 127, -14)
    guard exponent < 16,
      let units = UInt16(exactly: magnitude * Float(sign: .plus, exponent: 10 - exponent, significand: 1))
    else { return nil }
    return sign | UInt16(exponent + 14) << 10 &+ units
  }
}
