extension Rule {
  /// Satisfied if a property of the injector that is asked has a value.
  ///
  /// ```swift
  /// PluginPoint<any Banner, Shopper>("banners") {
  ///   Candidate("thanks") { Thanks() }
  ///     .when(.equals(\.country, "DE") && .property(AccountTier.self, .premium))
  /// }
  /// ```
  ///
  /// The value is that of the injector for which the choice is made: of a scope, or of the copy in an isolated test.
  /// ``Injector/selections(of:tag:)`` yields whenever the property changes the selection. In a point that is used by
  /// itself, it is that of ``Injector/default``.
  ///
  /// A point whose rules look at nothing else may have the injector as its context: `PluginPoint<any Banner, Injector>`
  /// needs no registered one.
  ///
  /// - Parameters:
  ///   - key: The property.
  ///   - value: The value to compare with.
  @inlinable
  public static func property<Key: Property>(_ key: Key.Type, _ value: Key.Value) -> Self where Key.Value: Equatable {
    Rule(
      "\(typeName(key)) == \(quoted(value))",
      { try property(key, of: $0, $1) == value }
    ) {
      Operand(try property(key, of: $0, $1))
    }
  }

  /// Satisfied if the value of a property of the injector that is asked satisfies a rule.
  ///
  /// ```swift
  /// .property(Account.self, .atLeast(\.age, 18) && .equals(\.country, "DE"))
  /// ```
  ///
  /// To compare the value itself, use the key path `\.self`: `.atLeast(\.self, 18)`.
  ///
  /// - Parameters:
  ///   - key: The property.
  ///   - rule: A rule whose context is the value of the property.
  @inlinable
  public static func property<Key: Property>(_ key: Key.Type, _ rule: Rule<Key.Value>) -> Self {
    rule.pullback { try property(key, of: $0, $1) }
  }

  /// The injector whose properties count: the context, if that is one, and otherwise the one that is asked.
  @inlinable
  package static func injector(of context: Context, _ asked: Injector) -> Injector { context as? Injector ?? asked }

  /// The value of a property of that injector. It is found without counting a reference to either.
  @inlinable
  package static func property<Key: Property>(
    _ key: Key.Type, of context: Context, _ asked: Injector
  ) throws(InjectorError) -> Key.Value {
    if let injector = context as? Injector { return try injector.get(key, fileID: "", line: 0) }
    return try asked.get(key, fileID: "", line: 0)
  }
}
