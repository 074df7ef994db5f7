extension RuleExpression {
  /// Decides the expression from left to right, and stops as soon as the outcome is certain.
  func evaluate(in context: ContextReference, from injector: Injector) -> RuleTrace.Outcome {
    switch self {
    case .constant(let value): return RuleTrace.Outcome(value)
    case .condition(let condition): return condition.evaluate(in: context, from: injector)
    case .not(let part): return part.evaluate(in: context, from: injector).negated
    case .all(let parts): return .all(parts) { $0.evaluate(in: context, from: injector) }
    case .any(let parts): return .any(parts) { $0.evaluate(in: context, from: injector) }
    }
  }

  /// The outcome the expression has in every context; `nil` if it depends on the context.
  var constant: Bool? {
    switch constantOutcome {
    case .satisfied: true
    case .unsatisfied: false
    case .indeterminate: nil
    }
  }

  private var constantOutcome: RuleTrace.Outcome {
    switch self {
    case .constant(let value): RuleTrace.Outcome(value)
    case .condition(let condition): condition.constant.map(RuleTrace.Outcome.init) ?? .indeterminate
    case .not(let part): part.constantOutcome.negated
    case .all(let parts): .all(parts) { $0.constantOutcome }
    case .any(let parts): .any(parts) { $0.constantOutcome }
    }
  }

  /// The conditions in it.
  var conditions: [RuleCondition] {
    switch self {
    case .constant: []
    case .condition(let condition): [condition]
    case .not(let part): part.conditions
    case .all(let parts), .any(let parts): parts.flatMap(\.conditions)
    }
  }

  /// Decides the expression and all of its parts, also those that cannot change the outcome any more.
  func trace(in context: ContextReference, from injector: Injector, _ traced: TracedConditions) -> RuleTrace {
    switch self {
    case .constant(let value):
      return RuleTrace(.constant, name: description(nested: false), outcome: RuleTrace.Outcome(value))
    case .condition(let condition):
      return condition.trace(in: context, from: injector, traced)
    case .not(let part):
      let inner = part.trace(in: context, from: injector, traced)
      return RuleTrace(.not, name: "not", outcome: inner.outcome.negated, parts: [inner])
    case .all(let parts):
      let traces = parts.map { $0.trace(in: context, from: injector, traced) }
      return RuleTrace(.all, name: "all", outcome: .all(traces) { $0.outcome }, parts: traces)
    case .any(let parts):
      let traces = parts.map { $0.trace(in: context, from: injector, traced) }
      return RuleTrace(.any, name: "any", outcome: .any(traces) { $0.outcome }, parts: traces)
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
      return RuleTrace.Outcome(try test(context, injector))
    } catch {
      ResolutionStack.noteInterruption(error)
      return .indeterminate
    }
  }

  /// Runs the test, and notes the value it saw and the error it threw.
  func trace(in context: ContextReference, from injector: Injector, _ traced: TracedConditions) -> RuleTrace {
    let variant = traced.variant(of: self)
    let value = operand.flatMap { try? $0(context, injector) }
    do {
      let outcome = RuleTrace.Outcome(try test(context, injector))
      return RuleTrace(name: name, variant: variant, outcome: outcome, operand: value)
    } catch {
      return RuleTrace(
        name: name, variant: variant, outcome: .indeterminate, operand: value, reason: String(describing: error))
    }
  }
}

/// The conditions that a trace has so far, so that those are told apart that print alike.
final class TracedConditions {
  private var subjects: [String: [[ConditionSubject]]] = [:]

  /// Which of the conditions of its name a condition is, from 2 on; `nil` for the first.
  func variant(of condition: RuleCondition) -> Int? {
    let known = subjects[condition.name] ?? []
    if let index = known.firstIndex(of: condition.subjects) { return index == 0 ? nil : index + 1 }
    subjects[condition.name] = known + [condition.subjects]
    return known.isEmpty ? nil : known.count + 1
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

  init(_ isSatisfied: Bool) { self = isSatisfied ? .satisfied : .unsatisfied }

  /// Conjunction in Kleene's logic: the least of the outcomes, with indeterminate between the others.
  package static func all<Part>(_ parts: [Part], _ outcome: (Part) -> Self) -> Self {
    decided(by: parts, until: .unsatisfied, outcome)
  }

  /// Disjunction in Kleene's logic: the greatest of the outcomes, with indeterminate between the others.
  package static func any<Part>(_ parts: [Part], _ outcome: (Part) -> Self) -> Self {
    decided(by: parts, until: .satisfied, outcome)
  }

  /// What several outcomes come to, of which one decides it.
  private static func decided<Part>(by parts: [Part], until end: Self, _ outcome: (Part) -> Self) -> Self {
    var result = end.negated
    for part in parts {
      let next = outcome(part)
      if next == end { return end }
      if next == .indeterminate { result = next }
    }
    return result
  }
}
