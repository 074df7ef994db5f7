/// A value that a flag can have, or an attribute of a context.
///
/// ```swift
/// let shopper: FlagAttributes = ["country": "DE", "age": 42, "tags": ["vip"]]
/// ```
///
/// Values are those of JSON. There is one kind of number: 10 and 10.0 are equal. `nil` is no literal of a value,
/// because an attribute that is ``null`` is not the same as none: write `.null`.
public enum FlagValue: Sendable, Hashable {
  /// Nothing.
  case null

  /// True or false.
  case bool(Bool)

  /// A number. Whole numbers are exact up to 2⁵³.
  case number(Double)

  /// A text.
  case string(String)

  /// Values in an order.
  case array([FlagValue])

  /// Values by name.
  case object([String: FlagValue])

  /// Returns whether two values are of one kind and equal.
  @inline(never)
  public static func == (first: Self, second: Self) -> Bool {
    // The comparison of arrays and objects would repeat this one in itself if it were inlined.
    switch (first, second) {
    case (.array(let first), .array(let second)): first == second
    case (.object(let first), .object(let second)): first == second
    case (.string(let first), .string(let second)): first == second
    default: isIdentical(first, second)
    }
  }

  /// The elements of an array.
  var elements: [FlagValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// Whether it is null.
  var isNull: Bool { if case .null = self { true } else { false } }

  /// The number as a whole one; `nil` if the value is no number, or has a fraction, or is too large for `Int`.
  public var wholeNumber: Int? {
    if case .number(let number) = self { Int(exactly: number) } else { nil }
  }
}

extension FlagValue: CustomStringConvertible {
  /// The value as JSON, in one line, with the members of objects in alphabetical order.
  public var description: String { JSONWriter.text(of: json, isIndented: false) }
}

extension FlagValue: ExpressibleByBooleanLiteral {
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }
}

extension FlagValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Creates a number.
  public init(integerLiteral value: Int) {
    self = .number(Double(value))
  }

  /// Creates a number.
  public init(floatLiteral value: Double) {
    self = .number(value)
  }
}

extension FlagValue: ExpressibleByStringInterpolation {
  /// Creates a string.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension FlagValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: FlagValue...) {
    self = .array(elements)
  }

  /// Creates an object. Of several values with the same name the last counts.
  public init(dictionaryLiteral elements: (String, FlagValue)...) {
    self = .object(elements.reduce(into: [:]) { $0[$1.0] = $1.1 })
  }
}
