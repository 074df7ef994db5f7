import Plug
import PlugOperations
import TestSupport
import Testing

@Suite("Evaluation of a rule")
struct RuleEvaluationTests {
  /// A rule of conditions named "a", "b", "c", and the conditions that decide it.
  struct ShortCircuit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let outcome: RuleTrace.Outcome
    let evaluated: [String]
    let make: @Sendable (Journal) -> Rule<Guest>

    init(
      _ outcome: RuleTrace.Outcome, after evaluated: [String], _ make: @escaping @Sendable (Journal) -> Rule<Guest>
    ) {
      testDescription = "\(make(Journal())) after \(evaluated)"
      (self.outcome, self.evaluated, self.make) = (outcome, evaluated, make)
    }
  }

  static let shortCircuits: [ShortCircuit] = [
    ShortCircuit(.unsatisfied, after: ["a"]) { no("a", $0) && yes("b", $0) && yes("c", $0) },
    ShortCircuit(.unsatisfied, after: ["a", "b"]) { yes("a", $0) && no("b", $0) && yes("c", $0) },
    ShortCircuit(.unsatisfied, after: ["a", "b"]) { unknown("a", $0) && no("b", $0) && yes("c", $0) },
    ShortCircuit(.indeterminate, after: ["a", "b", "c"]) { unknown("a", $0) && yes("b", $0) && yes("c", $0) },
    ShortCircuit(.satisfied, after: ["a", "b", "c"]) { yes("a", $0) && yes("b", $0) && yes("c", $0) },
    ShortCircuit(.satisfied, after: ["a"]) { yes("a", $0) || no("b", $0) || no("c", $0) },
    ShortCircuit(.satisfied, after: ["a", "b"]) { no("a", $0) || yes("b", $0) || no("c", $0) },
    ShortCircuit(.satisfied, after: ["a", "b"]) { unknown("a", $0) || yes("b", $0) || no("c", $0) },
    ShortCircuit(.indeterminate, after: ["a", "b", "c"]) { unknown("a", $0) || no("b", $0) || no("c", $0) },
    ShortCircuit(.unsatisfied, after: ["a", "b", "c"]) { no("a", $0) || no("b", $0) || no("c", $0) },
    ShortCircuit(.unsatisfied, after: ["a"]) { !(yes("a", $0) || no("b", $0) || no("c", $0)) },
    ShortCircuit(.satisfied, after: ["a", "b", "c"]) { !(no("a", $0) || no("b", $0) || no("c", $0)) },
    ShortCircuit(.unsatisfied, after: ["a"]) { !yes("a", $0) && (yes("b", $0) || yes("c", $0)) },
    ShortCircuit(.satisfied, after: ["a", "c"]) { no("a", $0) && yes("b", $0) || yes("c", $0) },
    ShortCircuit(.unsatisfied, after: []) { .never && yes("a", $0) && yes("b", $0) && yes("c", $0) },
  ]

  @Test("runs from left to right, and stops when the outcome is decided", arguments: shortCircuits)
  func shortCircuit(_ example: ShortCircuit) {
    let journal = Journal()
    #expect(example.make(journal).evaluate(in: Guest()) == example.outcome)
    #expect(journal.all == example.evaluated)
  }

  @Test("is traced through every part, each once, with the same outcome", arguments: shortCircuits)
  func trace(_ example: ShortCircuit) {
    let journal = Journal()
    #expect(example.make(journal).trace(in: Guest()).outcome == example.outcome)
    #expect(journal.all == ["a", "b", "c"])
  }

  @Test("shows the outcome of each part")
  func wholeTrace() {
    let rule: Rule<Guest> =
      .feature("semantic") && !.equals(\.country, "PL")
      && (.atLeast(\.age, 65) || .within(\.score, ...0.5) || .never)
      && !(.equals(\.address.floor, 13) || .equals(\.address.city, "Oz"))
    let guest = Guest(address: Guest.Address(city: "Gdynia", floor: 2), enabledFeatures: ["semantic", "beta"])
    #expect(
      "\(rule.trace(in: guest))" == """
        - all
          + feature "semantic": ["beta", "semantic"]
          - not
            + country == "PL": "PL"
          ? any
            - age >= 65: 30
            ? score in ...0.5: nil (score has no value)
            - never
          + not
            - any
              - address.floor == 13: 2
              - address.city == "Oz": "Gdynia"
        """)
  }

  @Test("agrees with the trace on every nesting of two operators over the three outcomes")
  func agreement() {
    let leaves = RuleTrace.Outcome.each.map { Rule<Guest>.known($0) }
    let pairs = leaves.flatMap { left in leaves.flatMap { [left && $0, left || $0, !left, !(left || $0)] } }
    let nested = pairs.flatMap { left in pairs.flatMap { [left && $0, left || $0, !(left && $0), !(left || $0)] } }
    for rule in nested {
      #expect(rule.evaluate(in: Guest()) == rule.trace(in: Guest()).outcome, "\(rule)")
    }
    #expect(nested.count == 36 * 36 * 4)
  }

  @Test("makes a decision among several candidates once for a choice, also one that fails")
  func decisions() {
    let journal = Journal()
    let rule = Rule<Guest>.decided(
      mentioning: (kind: "flag", key: "tool", names: nil), seeing: { _, _ in Operand(text: "nothing") }
    ) { _, _ in
      journal.note("decided")
      throw Broken()
    }
    let point = PluginPoint<any Tool, Guest>("tools") {
      for id in ["hammer", "saw", "drill"] { Candidate(id) { Instrument(id) }.when(rule("tool", id)) }
      Candidate("glue") { Instrument("glue") }
    }
    #expect(point.first(in: Guest())?.name == "glue")
    #expect(journal.all == ["decided"])
  }
}

private func yes(_ name: String, _ journal: Journal) -> Rule<Guest> { .known(.satisfied, name, in: journal) }
private func no(_ name: String, _ journal: Journal) -> Rule<Guest> { .known(.unsatisfied, name, in: journal) }
private func unknown(_ name: String, _ journal: Journal) -> Rule<Guest> { .known(.indeterminate, name, in: journal) }
