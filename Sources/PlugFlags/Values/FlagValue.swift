/// A value of a flag, or of an attribute of a context.
///
/// ```swift
/// let shopper: FlagAttributes = ["country": "DE", "age": 42, "tags": ["vip"]]
/// ```
///
/// It has the values of JSON. There is one kind of number: 10 and 10.0 are equal. `nil` is not a literal of this
/// type, because an attribute that is ``null`` differs from a missing one: write `.null`.
public enum FlagValue: Sendable, Hashable {
  /// Nothing.
  case null

  /// True or false.
  case bool(Bool)

  /// A number. Whole numbers are exact up to 2⁵³.
  case number(Double)

  /// A string.
  case string(String)

  /// Values in an order.
  case array([FlagValue])

  /// Values by name.
  case object([String: FlagValue])

  /// Returns whether two values are of the same kind, and equal.
  @inline(never)
  public static func == (first: Self, second: Self) -> Bool {
    // Not inlined: the compiler would inline the recursive comparison of arrays and objects into itself.
    switch (first, second) {
    case (.array(let first), .array(let second)): first == second
    case (.object(let first), .object(let second)): first == second
    case (.string(let first), .string(let second)): first == second
    default: isIdentical(first, second)
    }
  }

  /// The elements of an array.
  var elements: [FlagValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// Whether the value is null.
  var isNull: Bool { if case .null = self { true } else { false } }

  /// The number as an `Int`; `nil` if the value is not a number, has a fraction, or is too large for `Int`.
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

  /// Creates an object. If several values have the same name, the last one is used.
  public init(dictionaryLiteral elements: (String, FlagValue)...) {
    self = .object(elements.reduce(into: [:]) { $0[$1.0] = $1.1 })
  }
}
