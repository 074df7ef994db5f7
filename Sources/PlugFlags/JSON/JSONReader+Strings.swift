extension JSONReader {
  /// The characters that may follow a backslash, and the characters that they stand for.
  private static let (escapes, escaped) = (Array("\"\\/bfnrt".utf8), Array("\"\\/\u{8}\u{C}\n\r\t".utf8))

  /// Reads a string that begins at the position.
  mutating func readString() throws(FlagSyntaxError) -> String {
    let start = position
    position += 1
    var (decoded, plain) = ("", position)
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        let last = try text(bytes[plain..<position], at: plain)
        position += 1
        return decoded.isEmpty ? last : decoded + last
      case UInt8(ascii: "\\"):
        decoded += try text(bytes[plain..<position], at: plain)
        decoded.unicodeScalars.append(try readEscape())
        plain = position
      case 0..<0x20: throw error("a control character in a string has to be escaped", at: position)
      default: position += 1
      }
    }
    throw error("the string has no end", at: start)
  }

  private mutating func readEscape() throws(FlagSyntaxError) -> Unicode.Scalar {
    let start = position
    position += 1
    guard let byte = next else { throw error("the string has no end", at: start) }
    position += 1
    if byte == UInt8(ascii: "u") { return try readScalar(from: start) }
    if let place = Self.escapes.firstIndex(of: byte) { return Unicode.Scalar(Self.escaped[place]) }
    throw error("the escape \"\\\(character(at: start + 1))\" is unknown", at: start)
  }

  /// Reads the digits of `\u`, and of a second `\u` if the first is the high half of a surrogate pair.
  private mutating func readScalar(from start: Int) throws(FlagSyntaxError) -> Unicode.Scalar {
    let unit = try readUnit(from: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    if unit < 0xDC00, skip("\\"), skip("u") {
      let low = try readUnit(from: start)
      if (0xDC00...0xDFFF).contains(low), let scalar = Unicode.Scalar(unit << 10 &+ low &- 0x35F_DC00) { return scalar }
    }
    throw error("the escape is half of a surrogate pair, and the other half is missing", at: start)
  }

  private mutating func readUnit(from start: Int) throws(FlagSyntaxError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = byte.hexDigitValue else {
        throw error("\"\\u\" needs four hexadecimal digits", at: start)
      }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }

  /// Decodes bytes of UTF-8.
  private func text(_ slice: ArraySlice<UInt8>, at start: Int) throws(FlagSyntaxError) -> String {
    if let text = String(validating: slice, as: UTF8.self) { return text }
    var offset = start
    while let scalar = scalar(at: offset) { offset += scalar.utf8.count }
    throw error("the text is not UTF-8", at: offset)
  }
}
