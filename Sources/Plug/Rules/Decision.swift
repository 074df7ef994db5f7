/// What chooses one of several candidates at once, such as a flag whose variants name them.
///
/// A selection asks it once, and not for each of them.
package struct Decision<Context: Sendable>: Sendable {
  fileprivate let shared: AnyDecision

  package init(_ decide: @escaping @Sendable (Context, Injector) throws -> Int?) {
    shared = AnyDecision { context, injector in try context.open(as: Context.self) { try decide($0, injector) } }
  }
}

/// A decision, for code that does not know its context.
@usableFromInline typealias AnyDecision = Boxed<RuleCondition.Look<Int?>>

extension Rule {
  /// Creates a condition that a decision satisfies which gives a number.
  package init(
    _ name: String, _ decision: Decision<Context>, gives number: Int, mentioning mention: Mention,
    seeing operand: @escaping @Sendable (Context, Injector) throws -> Operand
  ) {
    let shared = decision.shared
    self.init(
      name, testing: { try shared.value($0, $1) == number }, mentioning: mention, decision: (shared, number),
      seeing: operand)
  }
}

/// What a condition looks at outside of the program, such as a flag.
@usableFromInline
package struct Mention: Sendable, CustomStringConvertible {
  /// Names of candidates that it has, such as the variants of a flag that decides a point: what a name is there, and
  /// those that an injector knows at the moment.
  package typealias Names = (role: String, known: @Sendable (Injector) -> [String])

  /// What it is: `flag`.
  package let kind: String

  /// What it is called.
  package let key: String

  /// ``Injector/validate(_:)`` compares them with the candidates that there are. `nil` if it names no candidates.
  let names: Names?

  package init(kind: String, key: String, names: Names? = nil) {
    (self.kind, self.key, self.names) = (kind, key, names)
  }

  /// What it is, for messages: `flag "checkout"`.
  @usableFromInline package var description: String { "\(kind) \(quoted(key))" }
}
