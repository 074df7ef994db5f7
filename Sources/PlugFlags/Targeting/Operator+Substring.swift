extension Operator {
  /// `substr`: a part of a string.
  ///
  /// Positions count UTF-16 units, as in JavaScript and Java. Half of a surrogate pair becomes U+FFFD.
  static func part(of values: [FlagValue]) -> FlagValue {
    /// ToIntegerOrInfinity.
    func whole(_ place: Int) -> Double? {
      if place >= values.count { return nil }
      let number = values[place].asNumber
      return number.isNaN ? 0 : number.rounded(.towardZero)
    }
    // A missing text is undefined in JavaScript, which converts to "undefined". Here, the result is null.
    guard let units = values.first?.asText.utf16 else { return .null }
    let count = Double(units.count)
    let (start, length) = (whole(1) ?? 0, whole(2) ?? count)
    let from = start < 0 ? Swift.max(0, count + start) : Swift.min(start, count)
    // A negative length omits that many units at the end.
    let to = length < 0 ? count + length : Swift.min(from + length, count)
    guard from < to else { return "" }
    return .string(String(decoding: units.dropFirst(Int(from)).prefix(Int(to - from)), as: UTF16.self))
  }
}
