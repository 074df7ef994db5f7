import PlugKeys
import TestSupport
import Testing

@testable import Plug

@Suite("The explanation of a plugin point")
struct ExplanationTests {
  private static let search = PluginPoint<String, Guest>("search") {
    Candidate("catalogue") { "catalogue" }
    Candidate("semantic", priority: 5) { "semantic" }
      .when(.feature("semantic") && .rollout(25, of: "semantic", by: \.id) && !.equals(\.country, "XX"))
    PluginPoint("beta", when: .feature("beta")) {
      Candidate("voice", priority: 10) { "voice" }.when(.atLeast(\.age, 18))
      Candidate("gesture", priority: -1) { "gesture" }
    }
    PluginPoint("staff", when: .feature("staff")) {
      Candidate("debug", priority: 100) { "debug" }.when(.always || .feature("debug"))
      PluginPoint("admins", when: .feature("admins")) { Candidate("raw") { "raw" } }
    }
    PluginPoint("classic") { Candidate("index") { "index" } }
    Candidate("nearby") { "nearby" }.when(.atLeast(\.score, 0.5))
  }

  private static let guest = Guest(id: "user-3", enabledFeatures: ["semantic", "beta"])

  @Test("evaluates each rule once, so that it cannot contradict itself")
  func once() {
    let (gate, inner) = (Counter(), Counter())
    let point = PluginPoint<String, Guest>("point") {
      PluginPoint("gate", when: Rule("is odd") { _ in gate.increment() % 2 == 1 }) {
        Candidate("inner") { "inner" }.when(Rule("is odd") { _ in inner.increment() % 2 == 1 })
      }
    }
    #expect(
      "\(point.explain(in: Self.guest))" == """
        point in Guest: 1 of 1 apply, selected: inner
          point gate: open
            + is odd
            inner: selected
              + is odd
        """)
    #expect(gate.value == 1 && inner.value == 1)
  }

  @Test("prints a tree of all elements in declared order, with verdicts, ranks, priorities and traces")
  func description() {
    #expect(
      "\(Self.search.explain(in: Self.guest))" == """
        search in Guest: 5 of 8 apply, selected: voice
          catalogue: available as number 3
          semantic: available as number 2, priority 5
            + all
              + feature "semantic": ["beta", "semantic"]
              + rollout 25% of "semantic" by id: "user-3" in bucket 5.18
              + not
                - country == "XX": "PL"
          point beta: open
            + feature "beta": ["beta", "semantic"]
            voice: selected, priority 10
              + age >= 18: 30
            gesture: available as number 5, priority -1
          point staff: ruled out
            - feature "staff": ["beta", "semantic"]
            debug: not evaluated, priority 100
            point admins: not evaluated
              raw: not evaluated
          point classic: open
            index: available as number 4
          nearby: ruled out
            ? score >= 0.5: nil (score has no value)
        """)
  }

  @Test("names the candidates that apply, in order, and the winner")
  func candidates() {
    let explanation = Self.search.explain(in: Self.guest)
    #expect(explanation.subject == "search")
    #expect(explanation.context == "Guest")
    #expect(explanation.available == ["voice", "semantic", "catalogue", "index", "gesture"])
    #expect(explanation.selected == "voice")
    #expect(Self.search.plugins(in: Self.guest) == explanation.available)

    let nobody = PluginPoint<String, Guest>("nobody") { Candidate("a") { "a" }.when(.never) }
    #expect(nobody.explain(in: Self.guest).available == [])
    #expect(nobody.explain(in: Self.guest).selected == nil)
  }

  @Test("shows the rule of the point itself as the root, if there is one")
  func ownRule() {
    let point = PluginPoint<String, Guest>("search", when: .feature("search")) {
      Candidate("a") { "a" }
      Candidate("b") { "b" }.when(.never)
    }
    #expect(
      "\(point.explain(in: Guest(enabledFeatures: ["search"])))" == """
        search in Guest: 1 of 2 apply, selected: a
          point search: open
            + feature "search": ["search"]
            a: selected
            b: ruled out
              - never
        """)
    #expect(
      "\(point.explain(in: Guest()))" == """
        search in Guest: 0 of 2 apply, selected: none
          point search: ruled out
            - feature "search": []
            a: not evaluated
            b: not evaluated
        """)
  }

  @Test("evaluates the rules inside of a shut point, and shows that no choice reaches them")
  func shutPoint() {
    let journal = Journal()
    let point = PluginPoint<String, Guest>("point") {
      PluginPoint("shut", when: .known(.indeterminate)) {
        Candidate("a") { "a" }.when(.known(.satisfied, "a", in: journal))
        PluginPoint("inner", when: .known(.satisfied, "inner", in: journal)) { Candidate("b") { "b" } }
      }
    }
    let explanation = point.explain(in: Guest())
    #expect(explanation.available == [])
    #expect(journal.all == ["a", "inner"])
    let inside = explanation.elements.first?.elements ?? []
    #expect(inside.map(\.verdict) == [.notEvaluated, .notEvaluated])
    #expect(inside.map(\.rule?.outcome) == [.satisfied, .satisfied])
    #expect(inside.map(\.description) == ["a: not evaluated", "point inner: not evaluated\n  b: not evaluated"])
    #expect(point.first(in: Guest()) == nil)
    #expect(journal.all == ["a", "inner"])
  }

  @Test("is a value that contains the whole tree")
  func value() {
    let point = PluginPoint<String, Guest>("point") {
      PluginPoint("inner", when: .feature("inner")) { Candidate("a", priority: 3) { "a" } }
      Candidate("b") { "b" }.when(!.never)
    }
    let isOff = RuleTrace(name: #"feature "inner""#, outcome: .unsatisfied, operand: Operand([String]()))
    let isOn = RuleTrace(
      .not, name: "not", outcome: .satisfied, parts: [RuleTrace(.constant, name: "never", outcome: .unsatisfied)])
    let a = Explanation.Element(id: "a", verdict: .notEvaluated, priority: 3, details: ["position": .number(0)])
    let b = Explanation.Element(id: "b", verdict: .selected, rank: 1, rule: isOn, details: ["position": .number(1)])
    let inner = Explanation.Element(id: "inner", isPoint: true, verdict: .ruledOut, rule: isOff, elements: [a])
    #expect(
      point.explain(in: Guest()) == Explanation(subject: "point", context: "Guest", elements: [inner, b]))
  }
}
