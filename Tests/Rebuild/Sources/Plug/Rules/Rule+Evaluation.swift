extension RuleExpression {
  /// Decides the expression from left to right, and stops as soon as the outcome is certain.
  func evaluate(in context: ContextReference, from injector: Injector) -> RuleTrace.Outcome {
    switch self {
    case .constant(let value): return value ? .satisfied : .unsatisfied
    case .condition(let condition): return condition.evaluate(in: context, from: injector)
    case .not(let part): return part.evaluate(in: context, from: injector).negated
    case .all(let parts): return Self.outcome(of: parts, until: .unsatisfied, in: context, from: injector)
    case .any(let parts): return Self.outcome(of: parts, until: .satisfied, in: context, from: injector)
    }
  }

  /// The outcome of a composition, which is decided by the first part with one outcome.
  private static func outcome(
    of parts: [Self], until end: RuleTrace.Outcome, in context: ContextReference, from injector: Injector
  ) -> RuleTrace.Outcome {
    var result = end.negated
    for part in parts {
      let outcome = part.evaluate(in: context, from: injector)
      if outcome == end { return end }
      if outcome == .indeterminate { result = .indeterminate }
    }
    return result
  }

  /// The outcome the expression has in every context; `nil` if it depends on the context.
  var constant: Bool? {
    switch self {
    case .constant(let value): return value
    case .condition(let condition): return condition.constant
    case .not(let part): return part.constant.map(!)
    case .all(let parts):
      let constants = parts.map(\.constant)
      return constants.contains(false) ? false : constants.contains(nil) ? nil : true
    case .any(let parts):
      let constants = parts.map(\.constant)
      return constants.contains(true) ? true : constants.contains(nil) ? nil : false
    }
  }

  /// Decides the expression and all of its parts, also those that cannot change the outcome any more.
  func trace(in context: ContextReference, from injector: Injector) -> RuleTrace {
    switch self {
    case .constant(let value):
      return RuleTrace(.constant, name: description(nested: false), outcome: value ? .satisfied : .unsatisfied)
    case .condition(let condition):
      return condition.trace(in: context, from: injector)
    case .not(let part):
      let inner = part.trace(in: context, from: injector)
      return RuleTrace(.not, name: "not", outcome: inner.outcome.negated, parts: [inner])
    case .all(let parts):
      let traces = parts.map { $0.trace(in: context, from: injector) }
      return RuleTrace(.all, name: "all", outcome: traces.reduce(.satisfied) { $0.and($1.outcome) }, parts: traces)
    case .any(let parts):
      let traces = parts.map { $0.trace(in: context, from: injector) }
      return RuleTrace(.any, name: "any", outcome: traces.reduce(.unsatisfied) { $0.or($1.outcome) }, parts: traces)
    }
  }

  /// The expression as Swift code.
  ///
  /// - Parameter nested: Whether it is a part of another expression, so that a composition needs parentheses.
  func description(nested: Bool) -> String {
    switch self {
    case .constant(let value): value ? "enabled" : "disabled"
    case .condition(let condition): condition.name
    case .not(let part):
      part.isCondition ? "!(\(part.description(nested: false)))" : "!\(part.description(nested: true))"
    case .all(let parts): joined(parts, by: " && ", ifEmpty: "enabled", nested: nested)
    case .any(let parts): joined(parts, by: " || ", ifEmpty: "disabled", nested: nested)
    }
  }

  private var isCondition: Bool {
    if case .condition = self { true } else { false }
  }

  private func joined(_ parts: [Self], by separator: String, ifEmpty: String, nested: Bool) -> String {
    if parts.isEmpty { return ifEmpty }
    let text = parts.map { $0.description(nested: true) }.joined(separator: separator)
    return nested ? "(\(text))" : text
  }
}

extension RuleCondition {
  /// Runs the test. An error makes the outcome indeterminate, and is noted if it interrupts the whole request.
  func evaluate(in context: ContextReference, from injector: Injector) -> RuleTrace.Outcome {
    do {
      return try test(context, injector) ? .satisfied : .unsatisfied
    } catch {
      ResolutionStack.noteInterruption(error)
      return .indeterminate
    }
  }

  /// Runs the test, and notes the value it saw and the error it threw.
  func trace(in context: ContextReference, from injector: Injector) -> RuleTrace {
    let value = operand.flatMap { try? $0(context, injector) }
    do {
      return RuleTrace(
        name: name, outcome: try test(context, injector) ? .satisfied : .unsatisfied, operand: value, subject: subject)
    } catch {
      return RuleTrace(name: name, outcome: .indeterminate, operand: value, reason: String(describing: error), subject: subject)
    }
  }
}

extension RuleTrace.Outcome {
  /// Negation in Kleene's logic.
  package var negated: Self {
    switch self {
    case .satisfied: .unsatisfied
    case .unsatisfied: .satisfied
    case .indeterminate: .indeterminate
    }
  }

  /// Conjunction in Kleene's logic: the lesser of the two outcomes, with indeterminate between the others.
  func and(_ other: Self) -> Self {
    if self == .unsatisfied || other == .unsatisfied { return .unsatisfied }
    return self == .satisfied ? other : self
  }

  /// Disjunction in Kleene's logic: the greater of the two outcomes, with indeterminate between the others.
  func or(_ other: Self) -> Self {
    if self == .satisfied || other == .satisfied { return .satisfied }
    return self == .unsatisfied ? other : self
  }
}
