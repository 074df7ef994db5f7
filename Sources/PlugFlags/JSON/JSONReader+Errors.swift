extension JSONReader {
  func error(_ problem: String, at offset: Int) -> FlagSyntaxError {
    let before = bytes[..<min(offset, bytes.count)]
    let lines = before.count { $0 == 0x0A }
    let lineStart = (before.lastIndex(of: 0x0A) ?? -1) + 1
    return FlagSyntaxError(line: lines + 1, column: offset - lineStart + 1, problem: problem)
  }

  /// The error that the text does not go on as expected.
  func unexpected(_ expected: String) -> FlagSyntaxError {
    let found = position < bytes.count ? "\"\(character(at: position))\"" : "the end of the text"
    return error("expected \(expected), found \(found)", at: position)
  }

  /// The character at an offset, readable in a message.
  func character(at offset: Int) -> String {
    guard offset < bytes.count else { return "" }
    return (bytes[offset] >= 0x20 ? scalar(at: offset) : nil) ?? "byte \(bytes[offset])"
  }

  /// The UTF-8 character at an offset; `nil` if there is no valid one.
  @inline(never)
  func scalar(at offset: Int) -> String? {
    var (parser, iterator) = (Unicode.UTF8.ForwardParser(), bytes[offset...].makeIterator())
    guard case .valid(let units) = parser.parseScalar(from: &iterator) else { return nil }
    return String(Unicode.UTF8.decode(units))
  }
}
