public import Plug

extension Rule {
  /// Satisfied if a property of the injector that makes the choice equals a value.
  ///
  /// ```swift
  /// PluginPoint<any Banner, Shopper>("banners") {
  ///   Candidate("thanks") { Thanks() }
  ///     .when(.equals(\.country, "DE") && .property(AccountTier.self, .premium))
  /// }
  /// ```
  ///
  /// The rule reads the property from the injector that makes the choice: a scope, or the copy in an isolated test.
  /// ``Injector/selections(of:tag:)`` yields whenever the property changes the selection. A point that is used without
  /// an injector reads the property from `Injector.default`.
  ///
  /// If the rules of a point look only at properties, the point can have the injector as its context: a
  /// `PluginPoint<any Banner, Injector>` needs no registered context.
  ///
  /// - Parameters:
  ///   - key: The property.
  ///   - value: The value to compare with.
  @inlinable
  public static func property<Key: Property>(_ key: Key.Type, _ value: Key.Value) -> Self where Key.Value: Equatable {
    comparing(key, with: value, test: { try property(key, of: $0, $1) == value }) { try property(key, of: $0, $1) }
  }

  /// Satisfied if a property of the injector that makes the choice satisfies a rule.
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
    looking(at: key, rule) { try property(key, of: $0, $1) }
  }

  /// Satisfied for a percentage of all identifiers that is a property of the injector, so that it can change while the
  /// program runs.
  ///
  /// ```swift
  /// enum OneClickShare: Property { static var defaultValue: Double { 5 } }
  ///
  /// .rollout(OneClickShare.self, of: "one-click", by: \.id)
  /// services[OneClickShare.self] = 25
  /// ```
  ///
  /// A new percentage takes effect with the next choice on any thread; ``Injector/selections(of:tag:in:)`` yields if it
  /// changes the winner. An isolated test has its own value.
  ///
  /// - Parameters:
  ///   - percentage: The property, whose value is in 0 ... 100. Any other value makes the rule indeterminate.
  ///   - name: The name of the rollout.
  ///   - identifier: The property of the context with the identifier, which may be optional.
  ///   - hashing: The hashing that assigns identifiers to buckets.
  @inlinable
  public static func rollout<Share: Property>(
    _ percentage: Share.Type, of name: String,
    by identifier: any KeyPath<Context, some Comparable & CustomStringConvertible & Sendable> & Sendable,
    hashing: RolloutHashing = .plug
  ) -> Self where Share.Value == Double {
    sharing(percentage, of: name, by: Identity(identifier), hashing) { try property(percentage, of: $0, $1) }
  }

  /// Satisfied for a percentage of all identifiers that is a property; indeterminate for one that is `nil`.
  @_documentation(visibility: internal)
  @inlinable
  public static func rollout<Share: Property>(
    _ percentage: Share.Type, of name: String,
    by identifier: any KeyPath<Context, (some Comparable & CustomStringConvertible & Sendable)?> & Sendable,
    hashing: RolloutHashing = .plug
  ) -> Self where Share.Value == Double {
    sharing(percentage, of: name, by: Identity(identifier), hashing) { try property(percentage, of: $0, $1) }
  }

  /// The value of a property, from the context if that is an injector, and otherwise from the injector that evaluates
  /// the rule.
  @inlinable
  package static func property<Key: Property>(
    _ key: Key.Type, of context: Context, _ asked: Injector
  ) throws(InjectorError) -> Key.Value {
    try (context as? Injector ?? asked).box(of: key).open()
  }

  // The rules themselves are made here, so that users' modules have only the closures that read a property.

  @usableFromInline
  static func comparing<Value>(
    _ key: any Any.Type, with value: Value, test: @escaping @Sendable (Context, Injector) throws -> Bool,
    _ read: @escaping @Sendable (Context, Injector) throws -> Value
  ) -> Self {
    Rule("\(typeName(key)) == \(quoted(value))", test, seeing: { Operand(try read($0, $1)) }).looking(at: key)
  }

  @usableFromInline
  static func looking<Value>(
    at key: any Any.Type, _ rule: Rule<Value>, _ read: @escaping @Sendable (Context, Injector) throws -> Value
  ) -> Self { rule.pullback(read).looking(at: key) }

  @usableFromInline
  static func sharing(
    _ key: any Any.Type, of name: String, by identity: Identity<Context>, _ hashing: RolloutHashing,
    _ read: @escaping @Sendable (Context, Injector) throws -> Double
  ) -> Self {
    rollout(typeName(key), of: name, by: identity, hashing: hashing, read).looking(at: key)
  }
}
