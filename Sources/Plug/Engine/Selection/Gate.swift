/// A rule in the form in which selections evaluate it: whether it is satisfied, and nothing else.
@usableFromInline
enum CompiledRule<Context: Sendable>: Sendable {
  case always
  case condition(@Sendable (Context) throws -> Bool)
  case conditionOnInjector(@Sendable (Context, Injector) throws -> Bool)
  case decision(Decision<Context>, Int)
  case composition(Rule<Context>)

  init(_ rule: Rule<Context>) {
    self =
      switch rule.expression {
      case .constant(true): .always
      case .condition(let condition):
        switch condition.test {
        case .context(let test): .condition(test)
        case .injector(let test): .conditionOnInjector(test)
        case .decision(let decision, let number): .decision(decision, number)
        }
      default: .composition(rule)
      }
  }

  /// Whether it is always satisfied or never, whatever the context.
  var constant: Bool? {
    switch self {
    case .always: true
    case .condition, .conditionOnInjector, .decision: nil
    case .composition(let rule): rule.expression.constant
    }
  }

  @inlinable
  @inline(__always)
  func isSatisfied(in context: Context, from injector: Injector, _ cache: inout GateCache) -> Bool {
    do {
      switch self {
      case .always: return true
      case .condition(let test): return try test(context)
      case .conditionOnInjector(let test): return try test(context, injector)
      case .decision(let decision, let number):
        return try cache.number(by: decision, in: context, from: injector) == number
      case .composition(let rule): return rule.evaluate(in: context, from: injector) == .satisfied
      }
    } catch {
      Resolution.noteInterruption(error)
      return false
    }
  }
}

/// The rule of a point that gates everything inside.
@usableFromInline
final class Gate<Context: Sendable>: Sendable {
  @usableFromInline let rule: CompiledRule<Context>
  @usableFromInline let parent: Gate?
  @usableFromInline let number: Int

  init(_ source: Rule<Context>, inside parent: Gate?, number: Int) {
    rule = CompiledRule(source)
    self.parent = parent
    self.number = number
  }
}

/// What is known of the gates and the decision in one selection; each is looked at once.
@usableFromInline
struct GateCache {
  @usableFromInline var known: UInt64 = 0
  @usableFromInline var open: UInt64 = 0

  /// The decision that was asked last, which its rules keep, and the number that it gave, if it gave one.
  @usableFromInline var decision: ObjectIdentifier?
  @usableFromInline var number: Int?

  @inlinable
  init() {}

  /// Whether the gate and all around it are open. Gates beyond the 64th are evaluated anew for each candidate.
  @inlinable
  mutating func isOpen<Context>(_ gate: Gate<Context>, in context: Context, from injector: Injector) -> Bool {
    let bit: UInt64 = gate.number < 64 ? 1 << UInt64(gate.number) : 0
    if known & bit != 0 { return open & bit != 0 }
    known |= bit
    if let parent = gate.parent, !isOpen(parent, in: context, from: injector) { return false }
    guard gate.rule.isSatisfied(in: context, from: injector, &self) else { return false }
    open |= bit
    return true
  }

  /// The number that a decision gives; `nil` if it has thrown an error before.
  @inlinable
  mutating func number<Context>(
    by asked: Decision<Context>, in context: Context, from injector: Injector
  ) throws -> Int? {
    if decision == ObjectIdentifier(asked) { return number }
    (decision, number) = (ObjectIdentifier(asked), nil)
    number = try asked.decide(context, injector)
    return number
  }
}
