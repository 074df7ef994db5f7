/// What chooses one of several candidates at once, such as a flag whose variants name them.
///
/// A selection asks it once, and not for each of them.
@usableFromInline
package final class Decision<Context: Sendable>: Sendable {
  /// Gives the number of the one; `nil` for none.
  @usableFromInline let decide: @Sendable (Context, Injector) throws -> Int?

  package init(_ decide: @escaping @Sendable (Context, Injector) throws -> Int?) {
    self.decide = decide
  }
}

extension Rule {
  /// Creates a rule that is satisfied where a decision gives a number.
  ///
  /// - Parameters:
  ///   - name: What it states.
  ///   - decision: What decides.
  ///   - number: The number of what the rule is for.
  ///   - mention: What names the candidates.
  ///   - operand: What the decision sees.
  package init(
    _ name: String, _ decision: Decision<Context>, gives number: Int, mentioning mention: Mention,
    seeing operand: @escaping @Sendable (Context, Injector) throws -> Operand
  ) {
    let test = Test.decision(decision, number)
    self.init(.condition(Condition(name: name, test: test, operand: operand, mention: mention)))
  }
}
