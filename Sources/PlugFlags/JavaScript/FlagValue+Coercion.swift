/// JavaScript's conversions, which JsonLogic's operators use (ECMAScript, 7.1 and 7.2).
extension FlagValue {
  /// Whether the value is true in JsonLogic, where empty arrays are false, unlike in JavaScript (jsonlogic.com/truthy).
  /// An empty object is false as in Go's implementation.
  var isTruthy: Bool {
    switch self {
    case .null: false
    case .bool(let value): value
    case .number(let value): !(value.isZero || value.isNaN)
    case .string(let value): !value.isEmpty
    case .array(let elements): !elements.isEmpty
    case .object(let members): !members.isEmpty
    }
  }

  /// ToNumber.
  var asNumber: Double {
    switch self {
    case .null: 0
    case .bool(let value): value ? 1 : 0
    case .number(let value): value
    case .string, .array: NumberText.number(asText)
    case .object: .nan
    }
  }

  /// ToString.
  var asText: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): NumberText.text(value)
    case .string(let value): value
    case .array(let elements): elements.map(\.asElementText).joined(separator: ",")
    case .object: "[object Object]"
    }
  }

  /// The text of an element in the result of `Array.prototype.join`: empty for null.
  var asElementText: String { isNull ? "" : asText }

  /// The result of `parseFloat` for the value.
  var asLeadingNumber: Double {
    if case .number(let value) = self { value } else { NumberText.leadingNumber(asText) }
  }

  /// Arrays and objects as text, and other values as they are (ToPrimitive).
  private var asPrimitive: FlagValue {
    switch self {
    case .array, .object: .string(asText)
    default: self
    }
  }

  /// `===`. Arrays and objects, which JavaScript compares by identity, are never equal.
  static func isIdentical(_ left: FlagValue, _ right: FlagValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    default: false
    }
  }

  /// `==`. Two arrays or objects are never equal.
  static func isEqual(_ left: FlagValue, _ right: FlagValue) -> Bool {
    switch (left, right) {
    case (.null, _), (_, .null), (.string, .string): isIdentical(left, right)
    case (.array, .array), (.array, .object), (.object, .array), (.object, .object): false
    case (.array, .string), (.object, .string), (.string, .array), (.string, .object):
      isIdentical(left.asPrimitive, right.asPrimitive)
    default: left.asNumber == right.asNumber
    }
  }

  /// The order of two values for `<`, which compares strings by their UTF-16 units, and other values as numbers.
  ///
  /// - Returns: -1, 0 or 1; `nil` if one of them is not a number.
  static func order(_ left: FlagValue, _ right: FlagValue) -> Int? {
    if case .number(let left) = left, case .number(let right) = right { return order(left, right) }
    if case .string(let left) = left.asPrimitive, case .string(let right) = right.asPrimitive {
      if left.hasSameBytes(as: right) { return 0 }
      return left.utf16.lexicographicallyPrecedes(right.utf16) ? -1 : 1
    }
    return order(left.asNumber, right.asNumber)
  }

  private static func order(_ left: Double, _ right: Double) -> Int? {
    if left == right { return 0 }
    if left < right { return -1 }
    return left > right ? 1 : nil
  }
}
