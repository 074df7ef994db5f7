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
    compare(property, "in \(range)") { range.contains($0) }
  }

  /// Satisfied if the property lies in the range; indeterminate if it is `nil`.
  public static func within<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ range: some RangeExpression<Value> & Sendable
  ) -> Self {
    compare(property, "in \(range)") { range.contains($0) }
  }

  private static func compare<Value>(
    _ property: any KeyPath<Context, Value> & Sendable, _ comparison: String, _ test: @escaping @Sendable (Value) -> Bool
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
    _ property: any KeyPath<Context, Value?> & Sendable, _ comparison: String, _ test: @escaping @Sendable (Value) -> Bool
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

  private static func list(_ values: Set<some Hashable>) -> String {
    "[\(values.map(quoted).sorted().joined(separator: ", "))]"
  }
}

/// A rule looked at a property that is `nil`.
struct MissingValue: Error, CustomStringConvertible {
  let property: String
  var description: String { "\(property) has no value" }
}

/// The value as it would stand in source code, as far as its description tells: strings in quotes.
func quoted(_ value: some Any) -> String {
  value is String ? "\"\(value)\"" : "\(value)"
}

/// The properties that a key path leads through, without the root type: `address.country`.
func propertyName(_ property: AnyKeyPath) -> String {
  let path = "\(property)"
  return path.firstIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? path
}
