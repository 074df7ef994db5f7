/// The parts of a composition of rules.
///
/// Soundness of the unchecked conformance: immutable after `init`.
@safe
final class RuleParts<Context: Sendable>: @unchecked Sendable {
  private final class Part: Sendable {
    let expression: Rule<Context>.Expression

    init(_ expression: Rule<Context>.Expression) { self.expression = expression }
  }

  private let parts: [Part]

  /// The same, to be evaluated without metadata of their type, as the `steps` of a selector are.
  ///
  /// Soundness: `parts` keeps them.
  private let steps: [UnsafeRawPointer]

  private init(_ parts: [Part]) {
    self.parts = parts
    unsafe steps = parts.addresses
  }

  convenience init(_ expressions: [Rule<Context>.Expression]) { self.init(expressions.map { Part($0) }) }

  func appending(_ expression: Rule<Context>.Expression) -> RuleParts { RuleParts(parts + [Part(expression)]) }

  var expressions: [Rule<Context>.Expression] { parts.map(\.expression) }

  /// Decides part after part from left to right, and joins the outcomes, until one of them makes the rest immaterial.
  ///
  /// - Parameter end: The outcome that does: unsatisfied in a conjunction, satisfied in a disjunction.
  func outcome(until end: RuleTrace.Outcome, in context: Context, from injector: Injector) -> RuleTrace.Outcome {
    var result = end.negated
    for index in unsafe 0..<steps.count {
      let outcome = unsafe Unmanaged<Part>.fromOpaque(steps[index])._withUnsafeGuaranteedRef { part in
        part.expression.evaluate(in: context, from: injector)
      }
      if outcome == end { return end }
      if outcome == .indeterminate { result = .indeterminate }
    }
    return result
  }
}
