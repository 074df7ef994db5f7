/// What chooses one of several candidates at once, such as a flag whose variants name them.
///
/// A selection asks it once, and not for each of them.
@usableFromInline
package final class Decision<Context: Sendable>: Sendable {
  fileprivate let shared: AnyDecision

  package init(_ decide: @escaping @Sendable (Context, Injector) throws -> Int?) {
    shared = AnyDecision { context, injector in try context.open(as: Context.self) { try decide($0, injector) } }
  }
}

/// A decision, for code that does not know its context.
final class AnyDecision: Sendable {
  let decide: @Sendable (ContextReference, Injector) throws -> Int?

  init(_ decide: @escaping @Sendable (ContextReference, Injector) throws -> Int?) { self.decide = decide }
}

extension Rule {
  /// Creates a condition that a decision satisfies which gives a number.
  package init(
    _ name: String, _ decision: Decision<Context>, gives number: Int, mentioning mention: Mention,
    seeing operand: @escaping @Sendable (Context, Injector) throws -> Operand
  ) {
    let shared = decision.shared
    self.init(
      .condition(
        RuleCondition(
          name: name, test: { try shared.decide($0, $1) == number },
          operand: { context, injector in try context.open(as: Context.self) { try operand($0, injector) } },
          decision: (shared, number), mention: mention)))
  }
}
