extension Rule {
  /// Satisfied if a property of the context equals a value.
  ///
  /// ```swift
  /// Candidate("invoice") { Invoice() }.when(.equals(\.country, "DE"))
  /// ```
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - value: The value to compare with.
  @inlinable
  public static func equals<Value: Equatable & Sendable>(
    _ property: any KeyPath<Context, Value> & Sendable, _ value: Value
  ) -> Self {
    compare(property, name(property, "==", value)) { $0 == value }
  }

  /// Satisfied if an optional property of the context equals a value; indeterminate if it is `nil`.
  ///
  /// A candidate does not apply if its rule is indeterminate. The negation of an indeterminate rule is indeterminate,
  /// too.
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - value: The value to compare with.
  @inlinable
  public static func equals<Value: Equatable & Sendable>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ value: Value
  ) -> Self {
    compare(property, name(property, "==", value)) { $0 == value }
  }

  /// Satisfied if a property of the context equals one of several values.
  ///
  /// ```swift
  /// Candidate("duty-free") { Parcel() }.when(.oneOf(\.country, ["DE", "AT"]))
  /// ```
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - values: The values to compare with. With an empty set the rule is never satisfied.
  @inlinable
  public static func oneOf<Value: Hashable & Sendable>(
    _ property: any KeyPath<Context, Value> & Sendable, _ values: Set<Value>
  ) -> Self {
    compare(property, name(property, in: values)) { values.contains($0) }
  }

  /// Satisfied if an optional property of the context equals one of several values; indeterminate if it is `nil`.
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - values: The values to compare with.
  @inlinable
  public static func oneOf<Value: Hashable & Sendable>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ values: Set<Value>
  ) -> Self {
    compare(property, name(property, in: values)) { values.contains($0) }
  }

  /// Satisfied if a property of the context is greater than or equal to a bound.
  ///
  /// ```swift
  /// Rule<Shopper>.atLeast(\.age, 18)
  /// ```
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - bound: The least value that satisfies the rule.
  @inlinable
  public static func atLeast<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value> & Sendable, _ bound: Value
  ) -> Self {
    compare(property, name(property, ">=", bound)) { $0 >= bound }
  }

  /// Satisfied if an optional property of the context is greater than or equal to a bound; indeterminate if it is
  /// `nil`.
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - bound: The least value that satisfies the rule.
  @inlinable
  public static func atLeast<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ bound: Value
  ) -> Self {
    compare(property, name(property, ">=", bound)) { $0 >= bound }
  }

  /// Satisfied if a property of the context is less than or equal to a bound.
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - bound: The greatest value that satisfies the rule.
  @inlinable
  public static func atMost<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value> & Sendable, _ bound: Value
  ) -> Self {
    compare(property, name(property, "<=", bound)) { $0 <= bound }
  }

  /// Satisfied if an optional property of the context is less than or equal to a bound; indeterminate if it is `nil`.
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - bound: The greatest value that satisfies the rule.
  @inlinable
  public static func atMost<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ bound: Value
  ) -> Self {
    compare(property, name(property, "<=", bound)) { $0 <= bound }
  }

  /// Satisfied if a property of the context is in a range.
  ///
  /// ```swift
  /// Rule<Shopper>.within(\.age, 18...65)
  /// Rule<Shopper>.within(\.weightInGrams, ..<5_000)
  /// ```
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - range: A range of any kind.
  public static func within<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value> & Sendable, _ range: some RangeExpression<Value> & Sendable
  ) -> Self {
    compare(property, name(property, "in \(text(of: range))")) { range.contains($0) }
  }

  /// Satisfied if an optional property of the context is in a range; indeterminate if it is `nil`.
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - range: A range of any kind.
  public static func within<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ range: some RangeExpression<Value> & Sendable
  ) -> Self {
    compare(property, name(property, "in \(text(of: range))")) { range.contains($0) }
  }

  /// Satisfied if a collection of the context contains at least one of several values.
  ///
  /// ```swift
  /// .containsAny(\.groups, ["staff", "beta"])
  /// ```
  ///
  /// - Parameters:
  ///   - property: The key path of the array, set or other collection.
  ///   - values: The values to look for. With an empty set the rule is never satisfied.
  public static func containsAny<Values: Collection & Sendable>(
    _ property: any KeyPath<Context, Values> & Sendable, _ values: Set<Values.Element>
  ) -> Self where Values.Element: Hashable & Sendable {
    compare(property, name(property, "contains any of \(list(values))")) { $0.contains(where: values.contains) }
  }

  /// Satisfied if an optional collection of the context contains at least one of several values; indeterminate if it is
  /// `nil`.
  ///
  /// - Parameters:
  ///   - property: The key path of the collection.
  ///   - values: The values to look for.
  public static func containsAny<Values: Collection & Sendable>(
    _ property: any KeyPath<Context, Values?> & Sendable, _ values: Set<Values.Element>
  ) -> Self where Values.Element: Hashable & Sendable {
    compare(property, name(property, "contains any of \(list(values))")) { $0.contains(where: values.contains) }
  }

  /// Satisfied if a collection of the context contains all of several values.
  ///
  /// - Parameters:
  ///   - property: The key path of the array, set or other collection.
  ///   - values: The values to look for. With an empty set the rule is always satisfied.
  public static func containsAll<Values: Collection & Sendable>(
    _ property: any KeyPath<Context, Values> & Sendable, _ values: Set<Values.Element>
  ) -> Self where Values.Element: Hashable & Sendable {
    compare(property, name(property, "contains all of \(list(values))")) { values.isSubset(of: $0) }
  }

  /// Satisfied if an optional collection of the context contains all of several values; indeterminate if it is `nil`.
  ///
  /// - Parameters:
  ///   - property: The key path of the collection.
  ///   - values: The values to look for.
  public static func containsAll<Values: Collection & Sendable>(
    _ property: any KeyPath<Context, Values?> & Sendable, _ values: Set<Values.Element>
  ) -> Self where Values.Element: Hashable & Sendable {
    compare(property, name(property, "contains all of \(list(values))")) { values.isSubset(of: $0) }
  }

  /// Satisfied if a collection or string of the context is empty.
  ///
  /// - Parameter property: The key path of the collection.
  public static func isEmpty<Values: Collection & Sendable>(
    _ property: any KeyPath<Context, Values> & Sendable
  ) -> Self {
    compare(property, name(property, "is empty")) { $0.isEmpty }
  }

  /// Satisfied if an optional collection or string of the context is empty; indeterminate if it is `nil`.
  ///
  /// - Parameter property: The key path of the collection.
  public static func isEmpty<Values: Collection & Sendable>(
    _ property: any KeyPath<Context, Values?> & Sendable
  ) -> Self {
    compare(property, name(property, "is empty")) { $0.isEmpty }
  }

  /// Satisfied if an optional property of the context is `nil`, and unsatisfied if it has a value.
  ///
  /// Every other rule on a missing value is indeterminate, and so is its negation. Combine them with this one to decide
  /// missing values:
  ///
  /// ```swift
  /// .isMissing(\.country) || .equals(\.country, "DE")
  /// ```
  ///
  /// - Parameter property: The key path of the property.
  public static func isMissing<Value: Sendable>(_ property: any KeyPath<Context, Value?> & Sendable) -> Self {
    Rule("\(propertyName(property)) is missing", of: property) { (value: Value?) in value == nil }
  }

  // Inlinable, since a choice runs it: unspecialized code would look up the metadata of an optional value.
  @inlinable
  static func compare<Value>(
    _ property: any KeyPath<Context, Value> & Sendable, _ name: String,
    _ test: @escaping @Sendable (Value) throws -> Bool
  ) -> Self { Rule(name, of: property, test) }

  @inlinable
  static func compare<Value>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ name: String,
    _ test: @escaping @Sendable (Value) throws -> Bool
  ) -> Self {
    let missing = missing(property)
    return Rule(name, of: property) { (value: Value?) in
      guard let value else { throw missing }
      return try test(value)
    }
  }

  @usableFromInline
  static func missing(_ property: AnyKeyPath) -> any Error { RuleFailure(missing: propertyName(property)) }

  @usableFromInline
  static func name(_ property: AnyKeyPath, _ relation: String, _ value: some Any) -> String {
    name(property, "\(relation) \(quoted(value))")
  }

  @usableFromInline
  static func name(_ property: AnyKeyPath, in values: Set<some Hashable>) -> String {
    name(property, "in \(list(values))")
  }

  static func name(_ property: AnyKeyPath, _ comparison: String) -> String { "\(propertyName(property)) \(comparison)" }

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
