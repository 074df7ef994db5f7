extension RuleExpression {
  /// Decides the expression from left to right, and stops as soon as the outcome is certain.
  func evaluate(in context: ContextReference, from injector: Injector) -> RuleTrace.Outcome {
    switch self {
    case .constant(let value): RuleTrace.Outcome(value)
    case .condition(let condition): condition.evaluate(in: context, from: injector)
    // Here alone, since the closure retains the injector.
    case .composition: outcome { $0.evaluate(in: context, from: injector) }
    }
  }

  /// The outcome of the expression in every context; `nil` if it depends on the context.
  var constant: Bool? {
    let outcome = outcome { $0.traits.isNever ? .unsatisfied : .indeterminate }
    return outcome == .indeterminate ? nil : outcome == .satisfied
  }

  private func outcome(_ decide: (RuleCondition) -> RuleTrace.Outcome) -> RuleTrace.Outcome {
    switch self {
    case .constant(let value): RuleTrace.Outcome(value)
    case .condition(let condition): decide(condition)
    case .composition(let kind, let parts): .of(kind, parts) { $0.outcome(decide) }
    }
  }

  /// The conditions in the expression.
  var conditions: [RuleCondition] {
    switch self {
    case .constant: []
    case .condition(let condition): [condition]
    case .composition(_, let parts): parts.flatMap(\.conditions)
    }
  }

  /// Whether a condition looks at the bucket of an identifier. Not inlined, since the compiler copies the recursion.
  @inline(never)
  var isShare: Bool {
    switch self {
    case .constant: false
    case .condition(let condition): condition.traits.isShare
    case .composition(_, let parts): parts.contains(where: \.isShare)
    }
  }

  var isAlways: Bool { if case .constant(true) = self { true } else { false } }

  /// Evaluates the expression and all of its parts, even parts that can no longer change the outcome.
  func trace(in context: ContextReference, from injector: Injector, _ traced: TracedConditions) -> RuleTrace {
    switch self {
    case .constant(let value):
      return RuleTrace(.constant, name: description(nested: false), outcome: RuleTrace.Outcome(value))
    case .condition(let condition):
      return condition.trace(in: context, from: injector, traced)
    case .composition(let kind, let parts):
      let traces = parts.map { $0.trace(in: context, from: injector, traced) }
      return RuleTrace(kind, name: kind.rawValue, outcome: .of(kind, traces) { $0.outcome }, parts: traces)
    }
  }

  /// The expression as Swift code.
  ///
  /// - Parameter nested: Whether it is a part of another expression, so that a composition needs parentheses.
  func description(nested: Bool) -> String {
    switch self {
    case .constant(let value): return value ? "always" : "never"
    case .condition(let condition): return condition.name
    case .composition(let kind, let parts):
      let texts = parts.map { $0.description(nested: true) }
      if kind == .not, case .condition? = parts.first { return "!(\(texts[0]))" }
      if kind == .not { return "!\(texts[0])" }
      let text = texts.joined(separator: kind == .all ? " && " : " || ")
      return nested ? "(\(text))" : text
    }
  }
}

extension RuleCondition {
  /// Runs the test. An error makes the outcome indeterminate, and is recorded if it interrupts the whole request.
  func evaluate(in context: ContextReference, from injector: Injector) -> RuleTrace.Outcome {
    do {
      return RuleTrace.Outcome(try test(context, injector))
    } catch {
      ResolutionStack.noteInterruption(error)
      return .indeterminate
    }
  }

  /// Runs the test, and records the value that it looked at and the error that it threw.
  func trace(in context: ContextReference, from injector: Injector, _ traced: TracedConditions) -> RuleTrace {
    let variant = traced.variant(of: self)
    let value =
      traits.property?.isPrivate == true ? Operand(text: hidden) : operand.flatMap { try? $0(context, injector) }
    var (outcome, reason) = (RuleTrace.Outcome.indeterminate, String?.none)
    do { outcome = RuleTrace.Outcome(try test(context, injector)) } catch { reason = String(describing: error) }
    return RuleTrace(name: name, variant: variant, outcome: outcome, operand: value, reason: reason)
  }
}

/// The conditions in a trace so far, to distinguish conditions with the same text.
final class TracedConditions {
  private var known: [String: [RuleCondition]] = [:]

  /// The number of a condition among those with the same name, from 2 on; `nil` for the first.
  func variant(of condition: RuleCondition) -> Int? {
    let others = known[condition.name] ?? []
    let index = others.firstIndex { other in
      other.traits.property as AnyKeyPath? == condition.traits.property && other.traits.keys == condition.traits.keys
    }
    if index == nil { known[condition.name] = others + [condition] }
    let number = index ?? others.count
    return number == 0 ? nil : number + 1
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

  /// The outcome of a composition in Kleene's logic: the least of its parts' outcomes for `all`, and the greatest for
  /// `any`, with indeterminate between the others. Parts after a decisive one are not evaluated.
  package static func of<Part>(_ kind: RuleTrace.Kind, _ parts: [Part], _ outcome: (Part) -> Self) -> Self {
    if kind == .not { return outcome(parts[0]).negated }
    let end: Self = kind == .all ? .unsatisfied : .satisfied
    var result = end.negated
    for part in parts {
      let next = outcome(part)
      if next == end { return end }
      if next == .indeterminate { result = next }
    }
    return result
  }
}

/// The reason why a rule is indeterminate.
struct RuleFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// The error of a rule that looks at a property which is `nil`.
  init(missing property: String) { self.init("\(property) has no value") }
}
