/// Numbers as JavaScript writes and reads them (ECMAScript, Number::toString, StringToNumber and `parseFloat`).
enum NumberText {
  /// The shortest decimal text that reads as the same number: "1", "0.1", "1e+21", "NaN".
  static func text(_ number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    if let whole = Int32(exactly: number) { return String(whole) }
    var (digits, point) = decimal(number.magnitude)
    var exponent = ""
    let zero = UInt8(ascii: "0")
    switch point {
    case digits.count...21: digits += Array(repeating: zero, count: point - digits.count)
    case 1...21: digits.insert(UInt8(ascii: "."), at: point)
    case -5...0: digits = Array("0.".utf8) + Array(repeating: zero, count: -point) + digits
    default:
      if digits.count > 1 { digits.insert(UInt8(ascii: "."), at: 1) }
      exponent = (point < 1 ? "e-" : "e+") + String((point - 1).magnitude)
    }
    return (number < 0 ? "-" : "") + String(decoding: digits, as: UTF8.self) + exponent
  }

  /// The significant digits of a number, and how many of them are before the decimal point.
  private static func decimal(_ magnitude: Double) -> (digits: [UInt8], point: Int) {
    let parts = magnitude.description.split(separator: "e")
    let exponent = parts.count > 1 ? Int(Double(String(parts[1])) ?? 0) : 0
    let (mantissa, point) = (Array(parts[0].utf8), UInt8(ascii: "."))
    let whole = mantissa.firstIndex(of: point) ?? mantissa.count
    let all = mantissa.filter { $0 != point }
    var digits = Array(all.drop { $0 == UInt8(ascii: "0") })
    let zeros = all.count - digits.count
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return (digits, whole + exponent - zeros)
  }

  /// The number that a whole text represents: NaN if it is not a number, 0 if it is blank.
  static func number(_ text: String) -> Double {
    let bytes = trimmed(text)
    if bytes.isEmpty { return 0 }
    if bytes.count > 1, bytes[0] == UInt8(ascii: "0") {
      // Set the bit that distinguishes lower case from upper case.
      switch bytes[1] | 0x20 {
      case UInt8(ascii: "x"): return whole(bytes.dropFirst(2), radix: 16)
      case UInt8(ascii: "o"): return whole(bytes.dropFirst(2), radix: 8)
      case UInt8(ascii: "b"): return whole(bytes.dropFirst(2), radix: 2)
      default: break
      }
    }
    guard let (number, count) = decimalPrefix(bytes), count == bytes.count else { return .nan }
    return number
  }

  /// The number that a string begins with: NaN if there is none.
  static func leadingNumber(_ text: String) -> Double {
    decimalPrefix(trimmed(text))?.number ?? .nan
  }

  /// The value of digits in a radix; NaN if there are none, or one of them is not a digit of the radix.
  private static func whole(_ digits: ArraySlice<UInt8>, radix: Int) -> Double {
    var number = digits.isEmpty ? .nan : 0.0
    for byte in digits {
      guard let digit = byte.hexDigitValue, digit < radix else { return .nan }
      number = number * Double(radix) + Double(digit)
    }
    return number
  }

  /// The decimal number at the beginning, and its length in bytes.
  private static func decimalPrefix(_ bytes: [UInt8]) -> (number: Double, count: Int)? {
    var reader = JSONReader(bytes)
    let isNegative = reader.skip("-")
    if !isNegative { _ = reader.skip("+") }
    if bytes[reader.position...].starts(with: Array("Infinity".utf8)) {
      return (isNegative ? -.infinity : .infinity, reader.position + 8)
    }
    var count = reader.skipDigits()
    if reader.skip(".") { count += reader.skipDigits() }
    guard count > 0 else { return nil }
    let end = reader.position
    if reader.skip("e") || reader.skip("E") {
      if !reader.skip("-") { _ = reader.skip("+") }
      if reader.skipDigits() == 0 { reader.position = end }
    }
    return (Double(String(decoding: bytes[..<reader.position], as: UTF8.self)) ?? .nan, reader.position)
  }

  /// The text without the surrounding white space, which in JavaScript includes byte order marks.
  private static func trimmed(_ text: String) -> [UInt8] {
    func isSpace(_ character: Character) -> Bool {
      character.unicodeScalars.allSatisfy {
        $0.properties.isWhitespace && $0 != "\u{85}" || $0 == "\u{FEFF}"
      }
    }
    var text = text[...]
    while let first = text.first, isSpace(first) { text.removeFirst() }
    while let last = text.last, isSpace(last) { text.removeLast() }
    return Array(text.utf8)
  }
}
