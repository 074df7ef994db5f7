import Plug
import TestSupport
import Testing

@Suite("Composition of rules")
struct RuleCompositionTests {
  /// A row of the truth tables of two operands.
  struct Row: Sendable, CustomTestStringConvertible {
    let left: RuleTrace.Outcome
    let right: RuleTrace.Outcome
    let and: RuleTrace.Outcome
    let or: RuleTrace.Outcome

    init(
      _ left: RuleTrace.Outcome, _ right: RuleTrace.Outcome, and: RuleTrace.Outcome, or: RuleTrace.Outcome
    ) {
      (self.left, self.right, self.and, self.or) = (left, right, and, or)
    }

    var testDescription: String { "\(left), \(right)" }
    var rules: [Rule<Guest>] { [.known(left), .known(right)] }
  }

  static let table = [
    Row(.satisfied, .satisfied, and: .satisfied, or: .satisfied),
    Row(.satisfied, .unsatisfied, and: .unsatisfied, or: .satisfied),
    Row(.satisfied, .indeterminate, and: .indeterminate, or: .satisfied),
    Row(.unsatisfied, .satisfied, and: .unsatisfied, or: .satisfied),
    Row(.unsatisfied, .unsatisfied, and: .unsatisfied, or: .unsatisfied),
    Row(.unsatisfied, .indeterminate, and: .unsatisfied, or: .indeterminate),
    Row(.indeterminate, .satisfied, and: .indeterminate, or: .satisfied),
    Row(.indeterminate, .unsatisfied, and: .unsatisfied, or: .indeterminate),
    Row(.indeterminate, .indeterminate, and: .indeterminate, or: .indeterminate),
  ]

  @Test("&& and || follow Kleene's truth tables", arguments: table)
  func operators(_ row: Row) {
    let (left, right) = (row.rules[0], row.rules[1])
    #expect((left && right).evaluate(in: Guest()) == row.and)
    #expect((left || right).evaluate(in: Guest()) == row.or)
  }

  @Test("&& and || of a list follow Kleene's truth tables", arguments: table)
  func lists(_ row: Row) {
    #expect(row.rules.reduce(.always, &&).evaluate(in: Guest()) == row.and)
    #expect(row.rules.reduce(.never, ||).evaluate(in: Guest()) == row.or)
  }

  @Test(
    "! exchanges satisfied and unsatisfied, and leaves indeterminate",
    arguments: [
      (RuleTrace.Outcome.satisfied, RuleTrace.Outcome.unsatisfied),
      (.unsatisfied, .satisfied),
      (.indeterminate, .indeterminate),
    ])
  func negation(_ outcome: RuleTrace.Outcome, _ negated: RuleTrace.Outcome) {
    #expect((!Rule<Guest>.known(outcome)).evaluate(in: Guest()) == negated)
    #expect((!(!Rule<Guest>.known(outcome))).evaluate(in: Guest()) == outcome)
  }

  @Test("A list of one rule has the outcome of that rule", arguments: RuleTrace.Outcome.each)
  func single(_ outcome: RuleTrace.Outcome) {
    #expect([Rule<Guest>.known(outcome)].reduce(.always, &&).evaluate(in: Guest()) == outcome)
    #expect([Rule<Guest>.known(outcome)].reduce(.never, ||).evaluate(in: Guest()) == outcome)
  }

  static let triples = RuleTrace.Outcome.each.flatMap { first in
    RuleTrace.Outcome.each.flatMap { second in RuleTrace.Outcome.each.map { [first, second, $0] } }
  }

  @Test("Of three rules, one unsatisfied decides &&, and one satisfied decides ||", arguments: triples)
  func threeRules(_ outcomes: [RuleTrace.Outcome]) {
    let isUnknown = outcomes.contains(.indeterminate)
    let all: RuleTrace.Outcome =
      outcomes.contains(.unsatisfied) ? .unsatisfied : isUnknown ? .indeterminate : .satisfied
    let any: RuleTrace.Outcome =
      outcomes.contains(.satisfied) ? .satisfied : isUnknown ? .indeterminate : .unsatisfied

    let rules = outcomes.map { Rule<Guest>.known($0) }
    #expect((rules[0] && rules[1] && rules[2]).evaluate(in: Guest()) == all)
    #expect((rules[0] && (rules[1] && rules[2])).evaluate(in: Guest()) == all)
    #expect((rules[0] || rules[1] || rules[2]).evaluate(in: Guest()) == any)
    #expect((rules[0] || (rules[1] || rules[2])).evaluate(in: Guest()) == any)
  }

  @Test("&& binds stronger than ||")
  func precedence() {
    let rule: Rule<Guest> = .always || .never && .never
    #expect(rule.evaluate(in: Guest()) == .satisfied)
    #expect("\(rule)" == "always || (never && never)")
  }

  @Test(".always is satisfied by every context and .never by none")
  func constants() {
    #expect(Rule<Guest>.always.evaluate(in: Guest()) == .satisfied)
    #expect(Rule<Guest>.never.evaluate(in: Guest()) == .unsatisfied)
    #expect((!Rule<Guest>.always).evaluate(in: Guest()) == .unsatisfied)
    #expect((!Rule<Guest>.never).evaluate(in: Guest()) == .satisfied)
  }
}
