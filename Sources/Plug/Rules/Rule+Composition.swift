extension Rule {
  /// Satisfied by every context.
  public static var always: Self { Rule(.constant(true)) }

  /// Satisfied by no context. Use it for a candidate that must never be chosen.
  public static var never: Self { Rule(.constant(false)) }

  /// Satisfied if both rules are satisfied, unsatisfied if one of them is unsatisfied, and otherwise indeterminate.
  ///
  /// ```swift
  /// .feature("semantic") && !.equals(\.country, "FR")
  /// ```
  ///
  /// The second rule is not evaluated if the first one is unsatisfied. To join rules that are computed at run time,
  /// write `rules.reduce(.always, &&)`.
  public static func && (lhs: Self, rhs: Self) -> Self { lhs.joined(by: .all, rhs) }

  /// Satisfied if at least one of the rules is satisfied, unsatisfied if both are unsatisfied, and otherwise
  /// indeterminate.
  ///
  /// The second rule is not evaluated if the first one is satisfied. To join rules that are computed at run time,
  /// write `rules.reduce(.never, ||)`.
  public static func || (lhs: Self, rhs: Self) -> Self { lhs.joined(by: .any, rhs) }

  /// Satisfied if the rule is unsatisfied, and unsatisfied if it is satisfied. An indeterminate rule stays
  /// indeterminate.
  public static prefix func ! (rule: Self) -> Self { Rule(.not, [rule]) }

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

  /// Returns the rule for a context whose part is found with the injector that evaluates the rule.
  ///
  /// - Parameter mention: The subject outside of the program that finds the part.
  package func pullback<Larger: Sendable>(
    mentioning mention: Mention? = nil, _ part: @escaping @Sendable (Larger, Injector) throws -> Context
  ) -> Rule<Larger> {
    @Sendable func look<Result>(
      _ larger: ContextReference, _ injector: Injector, _ body: RuleCondition.Look<Result>
    ) throws -> Result {
      let context = try larger.open(as: Larger.self) { try part($0, injector) }
      return try ContextReference.with(context) { try body($0, injector) }
    }
    let larger = expression.mapConditions { condition in
      let operand = condition.operand.map { operand -> RuleCondition.Look<Operand> in { try look($0, $1, operand) } }
      var traits = condition.traits
      traits.mention = traits.mention ?? mention
      return RuleCondition(condition.name, { try look($0, $1, condition.test) }, operand: operand, traits)
    }
    return Rule<Larger>(larger, checkedDepth: depth + 1)
  }

  /// Returns the rule with the type that represents the value that its conditions look at. It distinguishes conditions
  /// on types of one name.
  package func looking(at key: any Any.Type) -> Self {
    let expression = expression.mapConditions { condition in
      var traits = condition.traits
      traits.keys.append(ObjectIdentifier(key))
      return RuleCondition(condition.name, condition.test, operand: condition.operand, traits)
    }
    return Rule(expression, depth: depth)
  }
}

extension Rule {
  /// The greatest depth of nested rules. Recursion over them must not overflow a thread's stack.
  private static var depthLimit: Int { 100 }

  /// Creates a composition, or an indeterminate condition if the composition is too deep.
  fileprivate init(_ expression: RuleExpression, checkedDepth depth: Int) {
    if depth <= Self.depthLimit {
      self.init(expression, depth: depth)
    } else {
      self.init("a rule that is nested too deeply") { _ in
        throw RuleFailure("rules nest up to \(Self.depthLimit) deep; && and || take any number side by side")
      }
    }
  }

  private init(_ kind: RuleTrace.Kind, _ parts: [Self]) {
    self.init(.composition(kind, parts.map(\.expression)), checkedDepth: (parts.map(\.depth).max() ?? -1) + 1)
  }

  /// Adds a part to a composition of the kind, or composes both rules.
  private func joined(by kind: RuleTrace.Kind, _ other: Self) -> Self {
    if case .constant(kind == .all) = expression { return other }
    guard case .composition(kind, let parts) = expression else { return Rule(kind, [self, other]) }
    return Rule(.composition(kind, parts + [other.expression]), checkedDepth: max(depth, other.depth + 1))
  }
}

extension RuleExpression {
  fileprivate func mapConditions(_ change: (RuleCondition) -> RuleCondition) -> RuleExpression {
    switch self {
    case .constant: self
    case .condition(let condition): .condition(change(condition))
    case .composition(let kind, let parts): .composition(kind, parts.map { $0.mapConditions(change) })
    }
  }
}
