/// Writes JSON texts.
struct JSONWriter {
  private var text = ""
  private let isIndented: Bool

  /// Writes a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - isIndented: Whether each member has a line of its own.
  /// - Returns: A string that reads as an equal value.
  static func text(of value: JSON, isIndented: Bool) -> String {
    var writer = JSONWriter(isIndented: isIndented)
    writer.write(value, level: 0)
    return writer.text
  }

  /// Returns a string as JSON, with quotation marks.
  static func quoted(_ text: String) -> String {
    Self.text(of: .string(text), isIndented: false)
  }

  private mutating func write(_ value: JSON, level: Int) {
    switch value {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let value): write(value)
    case .string(let value): write(value)
    case .unread(let source): text += source
    case .array(let elements):
      writeList(elements, "[", "]", level) { $0.write($1, level: level + 1) }
    case .object(let members):
      writeList(members, "{", "}", level) { writer, member in
        writer.write(member.key)
        writer.text += writer.isIndented ? ": " : ":"
        writer.write(member.value, level: level + 1)
      }
    }
  }

  private mutating func writeList<Element>(
    _ elements: [Element], _ open: String, _ close: String, _ level: Int,
    _ writeElement: (inout JSONWriter, Element) -> Void
  ) {
    text += open
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      startLine(level + 1)
      writeElement(&self, element)
    }
    if !elements.isEmpty { startLine(level) }
    text += close
  }

  private mutating func startLine(_ level: Int) {
    guard isIndented else { return }
    text += "\n"
    for _ in 0..<level { text += "  " }
  }

  /// Writes a number. Infinity is written as a number that is read as infinity, and NaN as null.
  private mutating func write(_ number: Double) {
    if number.isNaN {
      text += "null"
    } else if number.isInfinite {
      text += number < 0 ? "-1e999" : "1e999"
    } else {
      text += NumberText.text(number)
    }
  }

  private mutating func write(_ string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
