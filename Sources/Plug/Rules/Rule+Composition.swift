extension Rule {
  /// Satisfied by every context.
  public static var enabled: Self { Rule(.constant(true)) }

  /// Satisfied by no context. Use it to switch a candidate off without removing it.
  public static var disabled: Self { Rule(.constant(false)) }

  /// Satisfied if both rules are satisfied, unsatisfied if one of them is unsatisfied, and otherwise indeterminate.
  ///
  /// ```swift
  /// .feature("semantic") && !.equals(\.country, "FR")
  /// ```
  ///
  /// The second rule is not evaluated if the first one is unsatisfied.
  public static func && (lhs: Self, rhs: Self) -> Self {
    guard case .all(let parts) = lhs.expression else { return all([lhs, rhs]) }
    return Rule(containing: rhs, depth: lhs.depth) { .all(parts + [rhs.expression]) }
  }

  /// Satisfied if one of the rules is satisfied, unsatisfied if both are unsatisfied, and otherwise indeterminate.
  ///
  /// The second rule is not evaluated if the first one is satisfied.
  public static func || (lhs: Self, rhs: Self) -> Self {
    guard case .any(let parts) = lhs.expression else { return any([lhs, rhs]) }
    return Rule(containing: rhs, depth: lhs.depth) { .any(parts + [rhs.expression]) }
  }

  /// Satisfied if the rule is unsatisfied, and unsatisfied if it is satisfied. An indeterminate rule stays
  /// indeterminate.
  public static prefix func ! (rule: Self) -> Self {
    Rule(containing: rule) { .not(rule.expression) }
  }

  /// Satisfied if every rule is satisfied.
  ///
  /// Use it for rules computed at run time; ``&&(_:_:)`` composes two rules. The outcome is unsatisfied if any rule is
  /// unsatisfied, and otherwise indeterminate if any rule is.
  ///
  /// - Parameter rules: The rules. With no rules, the result is satisfied.
  public static func all(_ rules: [Self]) -> Self {
    Rule(containing: rules.max { $0.depth < $1.depth }) { .all(rules.map(\.expression)) }
  }

  /// Satisfied if at least one rule is satisfied.
  ///
  /// The outcome is unsatisfied if every rule is unsatisfied, and otherwise indeterminate.
  ///
  /// - Parameter rules: The rules. With no rules, the result is unsatisfied.
  public static func any(_ rules: [Self]) -> Self {
    Rule(containing: rules.max { $0.depth < $1.depth }) { .any(rules.map(\.expression)) }
  }

  /// Satisfied if every rule is unsatisfied: the negation of ``any(_:)``.
  ///
  /// - Parameter rules: The rules. With no rules, the result is satisfied.
  public static func none(_ rules: [Self]) -> Self {
    !any(rules)
  }

  /// Returns the rule for a larger context that contains this one.
  ///
  /// ```swift
  /// let visible: Rule<Session> = Rule<Shopper>.feature("beta")
  ///   .pullback { $0.shopper }
  /// ```
  ///
  /// - Parameter part: Extracts this rule's context from the larger one. If it throws, every condition is
  ///   indeterminate, and traces show the error as the reason.
  /// - Returns: A rule with the same parts and names.
  public func pullback<Larger: Sendable>(_ part: @escaping @Sendable (Larger) throws -> Context) -> Rule<Larger> {
    pullback { larger, _ in try part(larger) }
  }

  /// The same for a part that is found with the injector that is asked.
  ///
  /// - Parameters:
  ///   - mention: What it is found by outside of the program.
  ///   - subject: The type that it is the value of, if conditions on it have to be told from others.
  @usableFromInline
  package func pullback<Larger: Sendable>(
    mentioning mention: Mention? = nil, about subject: (any Any.Type)? = nil,
    _ part: @escaping @Sendable (Larger, Injector) throws -> Context
  ) -> Rule<Larger> {
    Rule<Larger>(containing: self) { expression.pullback(mention, subject, part) }
  }
}

extension Rule {
  /// How deep rules may be nested. Recursion over them must not overflow a thread's stack.
  private static var depthLimit: Int { 100 }

  /// Creates a composition around a rule of any context; an indeterminate condition if it would be too deep.
  ///
  /// - Parameters:
  ///   - part: The deepest of the parts.
  ///   - depth: The depth of the composition because of the other parts.
  ///   - compose: Makes the composition. It is not called if that would be too deep.
  fileprivate init<Part>(containing part: Rule<Part>?, depth: Int = 0, _ compose: () -> RuleExpression) {
    let depth = max(depth, part.map { $0.depth + 1 } ?? 0)
    if depth <= Self.depthLimit {
      self.init(compose(), depth: depth)
    } else {
      self.init("a rule that is nested too deeply") { _ in
        throw RuleFailure("rules nest up to \(Self.depthLimit) deep; .all and .any take any number side by side")
      }
    }
  }
}

extension RuleExpression {
  fileprivate func pullback<Context: Sendable, Larger: Sendable>(
    _ mention: Mention?, _ subject: (any Any.Type)?, _ part: @escaping @Sendable (Larger, Injector) throws -> Context
  ) -> RuleExpression {
    switch self {
    case .constant(let value): .constant(value)
    case .condition(let condition): .condition(condition.pullback(mention, subject, part))
    case .not(let inner): .not(inner.pullback(mention, subject, part))
    case .all(let parts): .all(parts.map { $0.pullback(mention, subject, part) })
    case .any(let parts): .any(parts.map { $0.pullback(mention, subject, part) })
    }
  }
}

extension RuleCondition {
  fileprivate func pullback<Context: Sendable, Larger: Sendable>(
    _ mention: Mention?, _ subject: (any Any.Type)?, _ part: @escaping @Sendable (Larger, Injector) throws -> Context
  ) -> RuleCondition {
    /// Looks at a part of the context, which is another context for choices on the way.
    @Sendable func look<Result>(
      _ larger: ContextReference, _ injector: Injector, _ body: (ContextReference) throws -> Result
    ) throws -> Result {
      let context = try larger.open(as: Larger.self) { try part($0, injector) }
      return try ResolutionStack.lookingAtOther { try ContextReference.with(context, body) }
    }
    var largerOperand: (@Sendable (ContextReference, Injector) throws -> Operand)?
    if let operand { largerOperand = { larger, injector in try look(larger, injector) { try operand($0, injector) } } }
    return RuleCondition(
      name: name, test: { [test] larger, injector in try look(larger, injector) { try test($0, injector) } },
      operand: largerOperand, prerequisite: prerequisite, mention: self.mention ?? mention,
      subjects: subjects + (subject.map { [.key(ObjectIdentifier($0))] } ?? []))
  }
}
