extension Rule {
  /// Satisfied by every context.
  public static var enabled: Self { Rule(.constant(true)) }

  /// Satisfied by no context.
  public static var disabled: Self { Rule(.constant(false)) }

  /// Satisfied if both rules are, unsatisfied if one of them is, else indeterminate.
  public static func && (lhs: Self, rhs: Self) -> Self {
    guard case .all(let parts) = lhs.expression else { return all([lhs, rhs]) }
    return Rule(containing: rhs, depth: lhs.depth) { .all(parts + [rhs.expression]) }
  }

  /// Satisfied if one of the rules is, unsatisfied if both are, else indeterminate.
  public static func || (lhs: Self, rhs: Self) -> Self {
    guard case .any(let parts) = lhs.expression else { return any([lhs, rhs]) }
    return Rule(containing: rhs, depth: lhs.depth) { .any(parts + [rhs.expression]) }
  }

  /// Satisfied if the rule is unsatisfied and the other way round; indeterminate stays indeterminate.
  public static prefix func ! (rule: Self) -> Self {
    Rule(containing: rule) { .not(rule.expression) }
  }

  /// Satisfied if every rule is; with no rules, satisfied.
  public static func all(_ rules: [Self]) -> Self {
    Rule(containing: rules.max { $0.depth < $1.depth }) { .all(rules.map(\.expression)) }
  }

  /// Satisfied if at least one rule is; with no rules, unsatisfied.
  public static func any(_ rules: [Self]) -> Self {
    Rule(containing: rules.max { $0.depth < $1.depth }) { .any(rules.map(\.expression)) }
  }

  /// Satisfied if every rule is unsatisfied; with no rules, satisfied.
  public static func none(_ rules: [Self]) -> Self {
    !any(rules)
  }

  /// The same rule for a larger context that contains this one.
  ///
  /// ```swift
  /// let visible: Rule<Session> = Rule<Shopper>.feature("beta").pullback { $0.shopper }
  /// ```
  ///
  /// - Parameter part: Takes this rule's context out of the larger one. If it throws, every condition is indeterminate.
  public func pullback<Larger: Sendable>(_ part: @escaping @Sendable (Larger) throws -> Context) -> Rule<Larger> {
    Rule<Larger>(containing: self) { expression.pullback(part) }
  }
}

extension Rule {
  /// How deep rules may be nested: what goes through them level by level must not overflow the stack of a thread.
  private static var depthLimit: Int { 100 }

  /// A composition around a rule, whatever its context; a condition that cannot be decided if that would be too deep.
  ///
  /// - Parameters:
  ///   - part: The deepest of the parts.
  ///   - depth: How deep the composition is because of the others.
  fileprivate init<Part>(containing part: Rule<Part>?, depth: Int = 0, _ compose: () -> Expression) {
    let depth = max(depth, part.map { $0.depth + 1 } ?? 0)
    if depth <= Self.depthLimit {
      self.init(compose(), depth: depth)
    } else {
      self.init("a rule that is nested too deeply") { _ in throw NestedTooDeep(limit: Self.depthLimit) }
    }
  }
}

private struct NestedTooDeep: Error, CustomStringConvertible {
  let limit: Int
  var description: String { "rules nest up to \(limit) deep; .all and .any take any number side by side" }
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
