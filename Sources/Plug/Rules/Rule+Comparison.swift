extension Rule {
  /// Satisfied if a Boolean property of the context is `true`.
  ///
  /// ```swift
  /// Candidate("staff") { StaffSearch() }.when(.is(\.isStaff))
  /// ```
  ///
  /// - Parameter property: The key path of the property.
  @inlinable
  public static func `is`(_ property: any KeyPath<Context, Bool> & Sendable) -> Self { equals(property, true) }

  /// Satisfied if a property of the context equals a value; indeterminate if the property is `nil`.
  ///
  /// ```swift
  /// Candidate("invoice") { Invoice() }.when(.equals(\.country, "DE"))
  /// ```
  ///
  /// A candidate does not apply if its rule is indeterminate. The negation of an indeterminate rule is indeterminate,
  /// too. Only a comparison with `nil` decides about a missing value:
  ///
  /// ```swift
  /// .equals(\.country, nil) || .equals(\.country, "DE")
  /// ```
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - value: The value to compare with.
  @inlinable
  public static func equals<Value: Equatable & Sendable>(
    _ property: any KeyPath<Context, Value> & Sendable, _ value: Value
  ) -> Self {
    let missing = missing(property)
    return Rule(name(property, "==", value), of: property) { found in
      if found == value { return true }
      if let missing, found == missing.value { throw missing.error }
      return false
    }
  }

  /// Satisfied if a property of the context equals one of several values; indeterminate if the property is `nil`,
  /// unless `nil` is one of them.
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
    let missing = missing(property)
    return Rule(name(property, in: values), of: property) { found in
      if values.contains(found) { return true }
      if let missing, found == missing.value { throw missing.error }
      return false
    }
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
    Rule(name(property, ">=", bound), of: property) { $0 >= bound }
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
    Rule(name(property, "in \(text(of: range))"), of: property) { range.contains($0) }
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
    Rule(name(property, "contains any of \(list(values))"), of: property) { $0.contains(where: values.contains) }
  }

  /// Satisfied if a collection of the context contains all of several values.
  ///
  /// - Parameters:
  ///   - property: The key path of the array, set or other collection.
  ///   - values: The values to look for. With an empty set the rule is always satisfied.
  public static func containsAll<Values: Collection & Sendable>(
    _ property: any KeyPath<Context, Values> & Sendable, _ values: Set<Values.Element>
  ) -> Self where Values.Element: Hashable & Sendable {
    Rule(name(property, "contains all of \(list(values))"), of: property) { values.isSubset(of: $0) }
  }

  /// Satisfied if a collection or string of the context is empty.
  ///
  /// - Parameter property: The key path of the collection.
  public static func isEmpty<Values: Collection & Sendable>(
    _ property: any KeyPath<Context, Values> & Sendable
  ) -> Self {
    Rule(name(property, "is empty"), of: property) { $0.isEmpty }
  }

  // Inlinable, since a choice runs it: unspecialized code would look up the metadata of an optional value.
  @inlinable
  static func compare<Value>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ name: String,
    _ test: @escaping @Sendable (Value) throws -> Bool
  ) -> Self {
    let missing = missingValue(property)
    return Rule(name, of: property) { (value: Value?) in
      guard let value else { throw missing }
      return try test(value)
    }
  }

  /// The absent value of an optional property, and the error of a rule that finds it; `nil` for another property.
  @usableFromInline
  static func missing<Value>(_ property: KeyPath<Context, Value>) -> (value: Value, error: any Error)? {
    let absent = (Value.self as? any OptionalValue.Type)?.absent
    return (absent as? Value).map { ($0, missingValue(property)) }
  }

  @usableFromInline
  static func missingValue(_ property: AnyKeyPath) -> any Error { RuleFailure(missing: propertyName(property)) }

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
    "[\(values.map(quoted).alphabetical.joined(separator: ", "))]"
  }
}
