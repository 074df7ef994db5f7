extension Rule where Context == Injector {
  /// Satisfied if the property has the value.
  ///
  /// ```swift
  /// PluginPoint<any Banner, Injector>("banners") {
  ///   Candidate("thanks") { Thanks() }.when(.property(AccountTier.self, .premium))
  /// }
  /// ```
  ///
  /// A point whose context is the injector needs no other: ``Injector/get(_:tag:fileID:line:)`` gives its own injector
  /// to the rules.
  public static func property<Key: Property>(_ key: Key.Type, _ value: Key.Value) -> Self where Key.Value: Equatable {
    Rule(
      .condition(
        Condition(
          name: "\(typeName(key)) == \(quoted(value))",
          test: { try $0.get(key, fileID: "", line: 0) == value },
          operand: { quoted(try $0.get(key, fileID: "", line: 0)) }
        )))
  }

  /// Satisfied if the property's value satisfies a rule.
  ///
  /// ```swift
  /// .property(Account.self, .atLeast(\.age, 18) && .equals(\.country, "DE"))
  /// ```
  ///
  /// Where the property's value is itself what is compared, the key path is that of the value: `.atLeast(\.self, 18)`.
  public static func property<Key: Property>(_ key: Key.Type, _ rule: Rule<Key.Value>) -> Self {
    rule.pullback { try $0.get(key, fileID: "", line: 0) }
  }
}
