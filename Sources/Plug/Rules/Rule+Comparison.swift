extension Rule {
  /// Satisfied if the property has the value.
  public static func equals<Value: Equatable & Sendable>(
    _ property: any KeyPath<Context, Value> & Sendable, _ value: Value
  ) -> Self {
    compare(property, "== \(quoted(value))") { $0 == value }
  }

  /// Satisfied if the property has the value; indeterminate if it is `nil`.
  public static func equals<Value: Equatable & Sendable>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ value: Value
  ) -> Self {
    compare(property, "== \(quoted(value))") { $0 == value }
  }

  /// Satisfied if the property has one of the values.
  public static func oneOf<Value: Hashable & Sendable>(
    _ property: any KeyPath<Context, Value> & Sendable, _ values: Set<Value>
  ) -> Self {
    compare(property, "in \(list(values))") { values.contains($0) }
  }

  /// Satisfied if the property has one of the values; indeterminate if it is `nil`.
  public static func oneOf<Value: Hashable & Sendable>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ values: Set<Value>
  ) -> Self {
    compare(property, "in \(list(values))") { values.contains($0) }
  }

  /// Satisfied if the property is the bound or greater.
  public static func atLeast<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value> & Sendable, _ bound: Value
  ) -> Self {
    compare(property, ">= \(quoted(bound))") { $0 >= bound }
  }

  /// Satisfied if the property is the bound or greater; indeterminate if it is `nil`.
  public static func atLeast<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ bound: Value
  ) -> Self {
    compare(property, ">= \(quoted(bound))") { $0 >= bound }
  }

  /// Satisfied if the property is the bound or less.
  public static func atMost<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value> & Sendable, _ bound: Value
  ) -> Self {
    compare(property, "<= \(quoted(bound))") { $0 <= bound }
  }

  /// Satisfied if the property is the bound or less; indeterminate if it is `nil`.
  public static func atMost<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ bound: Value
  ) -> Self {
    compare(property, "<= \(quoted(bound))") { $0 <= bound }
  }

  /// Satisfied if the property lies in the range: `18...65`, `..<limit`.
  public static func within<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value> & Sendable, _ range: some RangeExpression<Value> & Sendable
  ) -> Self {
    compare(property, "in \(text(of: range))") { range.contains($0) }
  }

  /// Satisfied if the property lies in the range; indeterminate if it is `nil`.
  public static func within<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ range: some RangeExpression<Value> & Sendable
  ) -> Self {
    compare(property, "in \(text(of: range))") { range.contains($0) }
  }

  private static func compare<Value>(
    _ property: any KeyPath<Context, Value> & Sendable, _ comparison: String,
    _ test: @escaping @Sendable (Value) -> Bool
  ) -> Self {
    Rule(
      .condition(
        Condition(
          name: "\(propertyName(property)) \(comparison)",
          test: { test($0[keyPath: property]) },
          operand: { quoted($0[keyPath: property]) }
        )))
  }

  private static func compare<Value>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ comparison: String,
    _ test: @escaping @Sendable (Value) -> Bool
  ) -> Self {
    let name = propertyName(property)
    return Rule(
      .condition(
        Condition(
          name: "\(name) \(comparison)",
          test: {
            guard let value = $0[keyPath: property] else { throw MissingValue(property: name) }
            return test(value)
          },
          operand: { $0[keyPath: property].map(quoted) ?? "nil" }
        )))
  }

  private static func text<Value: Comparable>(of range: some RangeExpression<Value>) -> String {
    switch range {
    case let range as Range<Value>: "\(quoted(range.lowerBound))..<\(quoted(range.upperBound))"
    case let range as ClosedRange<Value>: "\(quoted(range.lowerBound))...\(quoted(range.upperBound))"
    case let range as PartialRangeFrom<Value>: "\(quoted(range.lowerBound))..."
    case let range as PartialRangeThrough<Value>: "...\(quoted(range.upperBound))"
    case let range as PartialRangeUpTo<Value>: "..<\(quoted(range.upperBound))"
    default: "\(range)"
    }
  }

  private static func list(_ values: Set<some Hashable>) -> String {
    "[\(values.map(quoted).sorted().joined(separator: ", "))]"
  }
}

/// A rule looked at a property that is `nil`.
struct MissingValue: Error, CustomStringConvertible {
  let property: String
  var description: String { "\(property) has no value" }
}

/// The value as it would stand in source code, as far as its description tells: strings in quotes and escaped.
func quoted(_ value: some Any) -> String {
  if let optional = value as? any OptionalValue { return optional.text }
  return (value as? String)?.debugDescription ?? "\(value)"
}

/// An optional whose wrapped type is not known.
private protocol OptionalValue {
  var text: String { get }
}

extension Optional: OptionalValue {
  fileprivate var text: String { map(quoted) ?? "nil" }
}

/// The properties that a key path leads through, without the root type: `address.country`.
///
/// Where the name of a computed property is not known at run time, its type stands for it: `<computed (Bool)>`.
func propertyName(_ property: AnyKeyPath) -> String {
  let path = "\(property)"
  let name = path.firstIndex(of: ".").map { path[path.index(after: $0)...] } ?? path[...]
  // The address of a getter is another one in each run.
  let parts = name.split(separator: "<computed 0x", omittingEmptySubsequences: false)
  return parts.dropFirst().reduce(String(parts[0])) { $0 + "<computed" + $1.drop(while: \.isHexDigit) }
}
