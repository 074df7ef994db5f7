extension Rule {
  /// Satisfied if a collection of the context contains at least one of several values.
  ///
  /// ```swift
  /// .containsAny(\.groups, ["staff", "beta"])
  /// ```
  ///
  /// - Parameters:
  ///   - property: The key path of the array, set or other collection.
  ///   - values: The values to look for. With an empty set the rule is never satisfied.
  @inlinable
  public static func containsAny<Values: Collection & Sendable>(
    _ property: any KeyPath<Context, Values> & Sendable, _ values: Set<Values.Element>
  ) -> Self where Values.Element: Hashable & Sendable {
    compare(property, "contains any of \(list(values))") { $0.contains(where: values.contains) }
  }

  /// Satisfied if an optional collection of the context contains at least one of several values; indeterminate if it is
  /// `nil`.
  ///
  /// - Parameters:
  ///   - property: The key path of the collection.
  ///   - values: The values to look for.
  @inlinable
  public static func containsAny<Values: Collection & Sendable>(
    _ property: any KeyPath<Context, Values?> & Sendable, _ values: Set<Values.Element>
  ) -> Self where Values.Element: Hashable & Sendable {
    compare(property, "contains any of \(list(values))") { $0.contains(where: values.contains) }
  }

  /// Satisfied if a collection of the context contains all of several values.
  ///
  /// - Parameters:
  ///   - property: The key path of the array, set or other collection.
  ///   - values: The values to look for. With an empty set the rule is always satisfied.
  @inlinable
  public static func containsAll<Values: Collection & Sendable>(
    _ property: any KeyPath<Context, Values> & Sendable, _ values: Set<Values.Element>
  ) -> Self where Values.Element: Hashable & Sendable {
    compare(property, "contains all of \(list(values))") { values.isSubset(of: $0) }
  }

  /// Satisfied if an optional collection of the context contains all of several values; indeterminate if it is `nil`.
  ///
  /// - Parameters:
  ///   - property: The key path of the collection.
  ///   - values: The values to look for.
  @inlinable
  public static func containsAll<Values: Collection & Sendable>(
    _ property: any KeyPath<Context, Values?> & Sendable, _ values: Set<Values.Element>
  ) -> Self where Values.Element: Hashable & Sendable {
    compare(property, "contains all of \(list(values))") { values.isSubset(of: $0) }
  }

  /// Satisfied if a collection or a text of the context is empty.
  ///
  /// - Parameter property: The key path of the collection.
  @inlinable
  public static func isEmpty<Values: Collection & Sendable>(
    _ property: any KeyPath<Context, Values> & Sendable
  ) -> Self {
    compare(property, "is empty") { $0.isEmpty }
  }

  /// Satisfied if an optional collection or text of the context is empty; indeterminate if it is `nil`.
  ///
  /// - Parameter property: The key path of the collection.
  @inlinable
  public static func isEmpty<Values: Collection & Sendable>(
    _ property: any KeyPath<Context, Values?> & Sendable
  ) -> Self {
    compare(property, "is empty") { $0.isEmpty }
  }

  /// Satisfied if an optional property of the context is `nil`, and unsatisfied if it has a value.
  ///
  /// Every other rule on a value that is missing is indeterminate, and so is its negation. This one turns it into an
  /// answer:
  ///
  /// ```swift
  /// .isMissing(\.country) || .equals(\.country, "DE")
  /// ```
  ///
  /// - Parameter property: The key path of the property.
  @inlinable
  public static func isMissing<Value: Sendable>(_ property: any KeyPath<Context, Value?> & Sendable) -> Self {
    let value = StoredProperty(property)
    return Rule(
      "\(propertyName(property)) is missing", about: value.subjects, { value($0) == nil },
      seeing: { Operand(value($0)) })
  }
}
