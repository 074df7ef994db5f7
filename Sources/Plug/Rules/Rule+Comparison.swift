extension Rule {
  /// Satisfied if a property of the context has a value.
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
    compare(property, "== \(quoted(value))") { $0 == value }
  }

  /// Satisfied if an optional property of the context has a value; indeterminate if it is `nil`.
  ///
  /// An indeterminate rule gates its candidate out, and so does its negation.
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - value: The value to compare with.
  @inlinable
  public static func equals<Value: Equatable & Sendable>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ value: Value
  ) -> Self {
    compare(property, "== \(quoted(value))") { $0 == value }
  }

  /// Satisfied if a property of the context has one of several values.
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
    compare(property, "in \(list(values))") { values.contains($0) }
  }

  /// Satisfied if an optional property of the context has one of several values; indeterminate if it is `nil`.
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - values: The values to compare with.
  @inlinable
  public static func oneOf<Value: Hashable & Sendable>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ values: Set<Value>
  ) -> Self {
    compare(property, "in \(list(values))") { values.contains($0) }
  }

  /// Satisfied if a property of the context is greater than or equal to a bound.
  ///
  /// ```swift
  /// Rule<Shopper>.atLeast(\.appVersion, SemanticVersion(3, 0, 0))
  /// ```
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - bound: The least value that satisfies the rule.
  @inlinable
  public static func atLeast<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value> & Sendable, _ bound: Value
  ) -> Self {
    compare(property, ">= \(quoted(bound))") { $0 >= bound }
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
    compare(property, ">= \(quoted(bound))") { $0 >= bound }
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
    compare(property, "<= \(quoted(bound))") { $0 <= bound }
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
    compare(property, "<= \(quoted(bound))") { $0 <= bound }
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
  @inlinable
  public static func within<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value> & Sendable, _ range: some RangeExpression<Value> & Sendable
  ) -> Self {
    compare(property, "in \(text(of: range))") { range.contains($0) }
  }

  /// Satisfied if an optional property of the context is in a range; indeterminate if it is `nil`.
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - range: A range of any kind.
  @inlinable
  public static func within<Value: Comparable & Sendable>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ range: some RangeExpression<Value> & Sendable
  ) -> Self {
    compare(property, "in \(text(of: range))") { range.contains($0) }
  }

  // What is run for a choice is inlinable: code that is not specialized searches for the metadata of an optional value.
  @inlinable
  static func compare<Value>(
    _ property: any KeyPath<Context, Value> & Sendable, _ comparison: String,
    _ test: @escaping @Sendable (Value) throws -> Bool
  ) -> Self {
    let value = StoredProperty(property)
    let name = "\(propertyName(property)) \(comparison)"
    return Rule(name, about: value.subjects, { try test(value($0)) }, seeing: operand(value))
  }

  @inlinable
  static func compare<Value>(
    _ property: any KeyPath<Context, Value?> & Sendable, _ comparison: String,
    _ test: @escaping @Sendable (Value) throws -> Bool
  ) -> Self {
    let name = propertyName(property)
    let value = StoredProperty(property)
    return Rule(
      "\(name) \(comparison)", about: value.subjects,
      {
        guard let value = value($0) else { throw RuleFailure(missing: name) }
        return try test(value)
      }, seeing: operand(value))
  }

  @usableFromInline
  static func operand<Value>(_ value: StoredProperty<Context, Value>) -> @Sendable (Context) throws -> Operand {
    { Operand(value($0)) }
  }

  @usableFromInline
  static func text<Value: Comparable>(of range: some RangeExpression<Value>) -> String {
    switch range {
    case let range as Range<Value>: "\(quoted(range.lowerBound))..<\(quoted(range.upperBound))"
    case let range as ClosedRange<Value>: "\(quoted(range.lowerBound))...\(quoted(range.upperBound))"
    case let range as PartialRangeFrom<Value>: "\(quoted(range.lowerBound))..."
    case let range as PartialRangeThrough<Value>: "...\(quoted(range.upperBound))"
    case let range as PartialRangeUpTo<Value>: "..<\(quoted(range.upperBound))"
    default: "\(range)"
    }
  }

  @usableFromInline
  static func list(_ values: Set<some Hashable>) -> String {
    "[\(values.map(quoted).sorted().joined(separator: ", "))]"
  }
}
