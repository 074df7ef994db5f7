import Foundation
import PlugFlags

/// A JSON value with the conversions of JavaScript, written as the standards describe them, without optimizations.
indirect enum NaiveValue {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([NaiveValue])
  case object([(name: String, value: NaiveValue)])

  /// The JSON of the value, with sorted members.
  var json: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value):
      value.isNaN ? "null" : value.isInfinite ? (value < 0 ? "-1e999" : "1e999") : Self.text(of: value)
    case .text(let text): "\"\(text)\""
    case .list(let elements): "[\(elements.map(\.json).joined(separator: ","))]"
    case .object(let members):
      "{\(members.sorted { $0.name < $1.name }.map { "\"\($0.name)\":\($0.value.json)" }.joined(separator: ","))}"
    }
  }

  var flagValue: FlagValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let value): .number(value)
    case .text(let text): .string(text)
    case .list(let elements): .array(elements.map(\.flagValue))
    case .object(let members):
      .object(Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value.flagValue) }))
    }
  }

  subscript(name: String) -> NaiveValue? {
    switch self {
    case .object(let members): members.first { $0.name == name }?.value
    case .list(let elements):
      Int(name).flatMap { "\($0)" == name && elements.indices.contains($0) ? elements[$0] : nil }
    default: nil
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  /// jsonlogic.com/truthy
  var isTrue: Bool {
    switch self {
    case .null: false
    case .bool(let value): value
    case .number(let value): value != 0 && !value.isNaN
    case .text(let text): text != ""
    case .list(let elements): !elements.isEmpty
    case .object(let members): !members.isEmpty
    }
  }

  /// ECMAScript, Number::toString
  static func text(of number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    if number == 0 { return "0" }
    if number.magnitude >= 1e-6, number.magnitude < 1e21 { return Decimal(string: "\(number)")?.description ?? "" }
    let text = "\(number)".replacing(".0e", with: "e")
    return text.replacing(/e([-+])0+/) { "e\($0.output.1)" }
  }

  /// ECMAScript, ToString
  var asText: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): Self.text(of: value)
    case .text(let text): text
    case .list(let elements): elements.map { $0.isNull ? "" : $0.asText }.joined(separator: ",")
    case .object: "[object Object]"
    }
  }

  /// ECMAScript, ToNumber
  var asNumber: Double {
    switch self {
    case .null: return 0
    case .bool(let value): return value ? 1 : 0
    case .number(let value): return value
    case .text, .list: break
    case .object: return .nan
    }
    let text = asText.trimmingCharacters(in: .whitespacesAndNewlines)
    if text == "" { return 0 }
    if let hex = text.wholeMatch(of: /0[xX]([0-9a-fA-F]+)/) {
      return hex.output.1.reduce(0) { $0 * 16 + Double($1.hexDigitValue ?? 0) }
    }
    guard let match = text.wholeMatch(of: /[-+]?(Infinity|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?)/) else {
      return .nan
    }
    return Double(match.output.0) ?? .nan
  }

  /// ECMAScript, parseFloat
  var asLeadingNumber: Double {
    let text = asText.trimmingCharacters(in: .whitespacesAndNewlines)
    let match = text.prefixMatch(of: /[-+]?(Infinity|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?)/)
    return match.flatMap { Double($0.output.0.hasSuffix(".") ? $0.output.0.dropLast() : $0.output.0) } ?? .nan
  }

  /// Arrays and objects as strings.
  var asPrimitive: NaiveValue {
    switch self {
    case .list, .object: .text(asText)
    default: self
    }
  }

  /// ECMAScript, IsStrictlyEqual
  static func === (left: NaiveValue, right: NaiveValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.text(let left), .text(let right)): Array(left.utf8) == Array(right.utf8)
    default: false
    }
  }

  /// ECMAScript, IsLooselyEqual
  static func == (left: NaiveValue, right: NaiveValue) -> Bool {
    switch (left, right) {
    case (.null, _), (_, .null), (.bool, .bool), (.number, .number), (.text, .text): return left === right
    case (.list, .list), (.list, .object), (.object, .list), (.object, .object): return false
    case (.bool, _): return .number(left.asNumber) == right
    case (_, .bool): return left == .number(right.asNumber)
    case (.list, _), (.object, _), (_, .list), (_, .object): return left.asPrimitive == right.asPrimitive
    case (.number, .text), (.text, .number): return left.asNumber == right.asNumber
    }
  }

  /// ECMAScript, IsLessThan: `nil` if a number is NaN.
  static func order(_ left: NaiveValue, _ right: NaiveValue) -> Int? {
    if case .text(let left) = left.asPrimitive, case .text(let right) = right.asPrimitive {
      let (first, second) = (Array(left.utf16), Array(right.utf16))
      return first == second ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
    }
    let (left, right) = (left.asNumber, right.asNumber)
    return left < right ? -1 : left > right ? 1 : left == right ? 0 : nil
  }
}
