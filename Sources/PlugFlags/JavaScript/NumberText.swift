/// Numbers as JavaScript writes and reads them (ECMAScript, Number::toString, StringToNumber and `parseFloat`).
enum NumberText {
  /// The shortest decimal text that reads as the same number: "1", "0.1", "1e+21", "NaN".
  static func text(_ number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    if let whole = Int32(exactly: number) { return String(whole) }
    let sign = number < 0 ? "-" : ""
    let (digits, point) = decimal(number.magnitude)
    switch point {
    case digits.count...21:
      return sign + digits + String(repeating: "0", count: point - digits.count)
    case 1...21:
      return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    case -5...0:
      return sign + "0." + String(repeating: "0", count: -point) + digits
    default:
      let exponent = point - 1
      let fraction = digits.count == 1 ? "" : "." + digits.dropFirst()
      return sign + digits.prefix(1) + fraction + (exponent < 0 ? "e-" : "e+") + String(exponent.magnitude)
    }
  }

  /// The significant digits of a number, and how many of them are before the decimal point.
  private static func decimal(_ magnitude: Double) -> (digits: String, point: Int) {
    let parts = magnitude.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let (whole, fraction) = (mantissa[0], mantissa.count > 1 ? mantissa[1] : "")
    let all = whole + fraction
    let significant = all.drop { $0 == "0" }
    let digits = String(significant.reversed().drop { $0 == "0" }.reversed())
    return (digits, whole.count + exponent - (all.count - significant.count))
  }

  /// The number that a whole text stands for: NaN if it is none, 0 if it is blank.
  static func number(_ text: String) -> Double {
    let bytes = trimmed(text)
    if bytes.isEmpty { return 0 }
    let radices: [UInt8: Int] = [UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2]
    // The bit that tells cases apart is set.
    if bytes.first == UInt8(ascii: "0"), let radix = bytes.dropFirst().first.flatMap({ radices[$0 | 0x20] }) {
      return whole(bytes.dropFirst(2), radix: radix) ?? .nan
    }
    guard let (number, rest) = decimalPrefix(bytes), rest.isEmpty else { return .nan }
    return number
  }

  /// The number that a text begins with: NaN if there is none.
  static func leadingNumber(_ text: String) -> Double {
    decimalPrefix(trimmed(text))?.number ?? .nan
  }

  /// A whole number of any length in a radix.
  private static func whole(_ digits: Substring.UTF8View, radix: Int) -> Double? {
    var number = 0.0
    for byte in digits {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix else { return nil }
      number = number * Double(radix) + Double(digit)
    }
    return digits.isEmpty ? nil : number
  }

  /// A decimal number at the beginning, and what follows it.
  private static func decimalPrefix(
    _ bytes: Substring.UTF8View
  ) -> (number: Double, rest: Substring.UTF8View)? {
    var rest = bytes
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    if rest.starts(with: "Infinity".utf8) {
      return (isNegative ? -.infinity : .infinity, rest.dropFirst(8))
    }
    var count = skipDigits(&rest)
    if rest.first == UInt8(ascii: ".") {
      var fraction = rest.dropFirst()
      let fractionCount = skipDigits(&fraction)
      if count + fractionCount > 0 { rest = fraction }
      count += fractionCount
    }
    guard count > 0 else { return nil }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      var exponent = rest.dropFirst()
      if exponent.first == UInt8(ascii: "-") || exponent.first == UInt8(ascii: "+") { exponent = exponent.dropFirst() }
      if skipDigits(&exponent) > 0 { rest = exponent }
    }
    guard let text = String(bytes[..<rest.startIndex]) else { return nil }
    return (Double(text) ?? .nan, rest)
  }

  private static func skipDigits(_ bytes: inout Substring.UTF8View) -> Int {
    let count = bytes.prefix { $0.isDigit }.count
    bytes = bytes.dropFirst(count)
    return count
  }

  /// The text without the white space around it, which is JavaScript's: with byte order marks.
  private static func trimmed(_ text: String) -> Substring.UTF8View {
    func isSpace(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isWhitespace && scalar != "\u{85}" || scalar == "\u{FEFF}"
    }
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isSpace($0) }),
      let last = scalars.lastIndex(where: { !isSpace($0) })
    else { return text[text.endIndex...].utf8 }
    return text[first...last].utf8
  }
}
