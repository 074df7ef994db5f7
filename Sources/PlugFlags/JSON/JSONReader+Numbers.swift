extension JSONReader {
  /// 2⁵³ − 1. Up to it, a `Double` holds every whole number exactly, as does every reader of JSON (RFC 7493, 2.2).
  static let largestNumber = 9_007_199_254_740_991.0

  /// Reads a number, and adds a note if it is too large.
  ///
  /// - Returns: The nearest `Double`; infinity if the number exceeds the range of `Double`.
  mutating func readNumber() throws(FlagSyntaxError) -> Double {
    let start = position
    let isNegative = skip("-")
    guard let first = next, first.isDigit else {
      if isNegative { throw error("a number has to go on with a digit", at: position) }
      throw unexpected("a value")
    }
    let digits = position
    skipDigits()
    guard first != UInt8(ascii: "0") || position == digits + 1 else {
      throw error("a number cannot begin with 0 and another digit", at: digits)
    }
    var isWhole = true
    if skip(".") {
      isWhole = false
      try skipDigits(after: "a decimal point")
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isWhole = false
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try skipDigits(after: "an exponent's \"e\"")
    }
    if isWhole, position - digits <= 15 {
      let magnitude = bytes[digits..<position].reduce(0.0) { $0 * 10 + Double($1 - UInt8(ascii: "0")) }
      return isNegative ? -magnitude : magnitude
    }
    let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)) ?? .infinity
    if number.magnitude > Self.largestNumber { note("the number is beyond 2^53 - 1, and would lose digits") }
    return number
  }

  /// Skips digits, and returns their count.
  @discardableResult
  mutating func skipDigits() -> Int {
    let start = position
    while next?.isDigit == true { position += 1 }
    return position - start
  }

  private mutating func skipDigits(after place: String) throws(FlagSyntaxError) {
    if skipDigits() == 0 { throw error("\(place) has to be followed by a digit", at: position) }
  }
}
