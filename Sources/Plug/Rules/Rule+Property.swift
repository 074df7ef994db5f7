extension Rule where Context == Injector {
  /// Satisfied if a property of the injector has a value.
  ///
  /// ```swift
  /// PluginPoint<any Banner, Injector>("banners") {
  ///   Candidate("thanks") { Thanks() }
  ///     .when(.property(AccountTier.self, .premium))
  /// }
  /// ```
  ///
  /// A point whose context is the injector needs no registered context: ``Injector/get(_:tag:fileID:line:)`` passes the
  /// injector itself to the rules. ``Injector/selections(of:tag:)`` yields whenever the property changes the selection.
  ///
  /// - Parameters:
  ///   - key: The property.
  ///   - value: The value to compare with.
  @inlinable
  public static func property<Key: Property>(_ key: Key.Type, _ value: Key.Value) -> Self where Key.Value: Equatable {
    Rule("\(typeName(key)) == \(quoted(value))", { try $0.get(key, fileID: "", line: 0) == value }) {
      quoted(try $0.get(key, fileID: "", line: 0))
    }
  }

  /// Satisfied if the value of a property of the injector satisfies a rule.
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
    rule.pullback { try $0.get(key, fileID: "", line: 0) }
  }
}
