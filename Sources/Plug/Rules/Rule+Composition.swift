extension Rule {
  /// Satisfied by every context.
  public static var enabled: Self { Rule(.constant(true)) }

  /// Satisfied by no context.
  public static var disabled: Self { Rule(.constant(false)) }

  /// Satisfied if both rules are, unsatisfied if one of them is, else indeterminate.
  public static func && (lhs: Self, rhs: Self) -> Self {
    if case .all(let parts) = lhs.expression { return Rule(.all(parts + [rhs.expression])) }
    return Rule(.all([lhs.expression, rhs.expression]))
  }

  /// Satisfied if one of the rules is, unsatisfied if both are, else indeterminate.
  public static func || (lhs: Self, rhs: Self) -> Self {
    if case .any(let parts) = lhs.expression { return Rule(.any(parts + [rhs.expression])) }
    return Rule(.any([lhs.expression, rhs.expression]))
  }

  /// Satisfied if the rule is unsatisfied and the other way round; indeterminate stays indeterminate.
  public static prefix func ! (rule: Self) -> Self {
    Rule(.not(rule.expression))
  }

  /// Satisfied if every rule is; with no rules, satisfied.
  public static func all(_ rules: [Self]) -> Self {
    Rule(.all(rules.map(\.expression)))
  }

  /// Satisfied if at least one rule is; with no rules, unsatisfied.
  public static func any(_ rules: [Self]) -> Self {
    Rule(.any(rules.map(\.expression)))
  }

  /// Satisfied if every rule is unsatisfied; with no rules, satisfied.
  public static func none(_ rules: [Self]) -> Self {
    Rule(.not(.any(rules.map(\.expression))))
  }

  /// The same rule for a larger context that contains this one.
  ///
  /// ```swift
  /// let visible: Rule<Session> = Rule<Shopper>.feature("beta").pullback { $0.shopper }
  /// ```
  ///
  /// - Parameter part: Takes this rule's context out of the larger one. If it throws, every condition is indeterminate.
  public func pullback<Larger: Sendable>(_ part: @escaping @Sendable (Larger) throws -> Context) -> Rule<Larger> {
    Rule<Larger>(expression.pullback(part))
  }
}

extension Rule.Expression {
  fileprivate func pullback<Larger: Sendable>(
    _ part: @escaping @Sendable (Larger) throws -> Context
  ) -> Rule<Larger>.Expression {
    switch self {
    case .constant(let value): .constant(value)
    case .condition(let condition): .condition(condition.pullback(part))
    case .not(let inner): .not(inner.pullback(part))
    case .all(let parts): .all(parts.map { $0.pullback(part) })
    case .any(let parts): .any(parts.map { $0.pullback(part) })
    }
  }
}

extension Rule.Condition {
  fileprivate func pullback<Larger: Sendable>(
    _ part: @escaping @Sendable (Larger) throws -> Context
  ) -> Rule<Larger>.Condition {
    var largerOperand: (@Sendable (Larger) throws -> String)?
    if let operand { largerOperand = { try operand(part($0)) } }
    return Rule<Larger>.Condition(name: name, test: { try test(part($0)) }, operand: largerOperand)
  }
}
