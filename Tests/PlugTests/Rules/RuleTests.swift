import Plug
import PlugOperations
import TestSupport
import Testing

@Suite("A rule")
struct RuleTests {
  static let descriptions: [(Rule<Guest>, String)] = [
    (.always, "always"),
    (.never, "never"),
    (Rule("is an adult") { $0.age >= 18 }, "is an adult"),
    (Rule("is an adult", of: \.age) { $0 >= 18 }, "is an adult"),
    (a && b, "a && b"),
    (a || b, "a || b"),
    (!a, "!(a)"),
    (!(!a), "!!(a)"),
    (!.always, "!always"),
    (a && b && c, "a && b && c"),
    (a && (b && c), "a && (b && c)"),
    ((a && b) && (b && c), "a && b && (b && c)"),
    (a || b || c, "a || b || c"),
    (a || (b || c), "a || (b || c)"),
    (a || b && c, "a || (b && c)"),
    ((a || b) && c, "(a || b) && c"),
    (!(a && b), "!(a && b)"),
    (!a && !(b || !c), "!(a) && !(b || !(c))"),
    ([a, b, c].reduce(.always, &&), "a && b && c"),
    ([a, b, c].reduce(.never, ||), "a || b || c"),
    (!.never, "!never"),
    (.never && a, "never && a"),
    (.always || a, "always || a"),
    (.feature("beta") && !.equals(\.country, "XX"), #"feature "beta" && !(country == "XX")"#),
  ]

  @Test("describes itself as an expression", arguments: descriptions)
  func description(_ rule: Rule<Guest>, _ text: String) {
    #expect("\(rule)" == text)
  }

  @Test("is decided by its condition", arguments: [(17, RuleTrace.Outcome.unsatisfied), (18, .satisfied)])
  func condition(_ age: Int, _ outcome: RuleTrace.Outcome) {
    let rule = Rule<Guest>("is an adult") { $0.age >= 18 }
    #expect(rule.evaluate(in: Guest(age: age)) == outcome)
    #expect(rule.trace(in: Guest(age: age)).outcome == outcome)
  }

  static let onProperties: [(Rule<Guest>, String)] = [
    (Rule("is an adult", of: \.age) { $0 >= 18 }, "+ is an adult: 30"),
    (Rule("is a senior", of: \.age) { $0 >= 65 }, "- is a senior: 30"),
    (Rule("is a port", of: \.address.city) { $0.hasPrefix("Gdy") }, #"+ is a port: "Gdynia""#),
    (Rule("is abroad", of: \.country) { $0 != "PL" }, #"- is abroad: "PL""#),
    (Rule("has no score", of: \.score) { $0 == nil }, "+ has no score: nil"),
    (Rule("is lucky", of: \.id) { _ in throw Unknowable() }, #"? is lucky: "user-1" (nobody knows)"#),
  ]

  @Test("on a property shows the value that its condition read", arguments: onProperties)
  func property(_ rule: Rule<Guest>, _ trace: String) {
    #expect("\(rule.trace(in: Guest()))" == trace)
    #expect(rule.evaluate(in: Guest()) == rule.trace(in: Guest()).outcome)
  }

  @Test("whose condition throws is indeterminate, and its negation too")
  func throwingCondition() {
    let rule = Rule<Guest>("is lucky") { _ in throw Unknowable() }
    #expect(rule.evaluate(in: Guest()) == .indeterminate)
    #expect((!rule).evaluate(in: Guest()) == .indeterminate)
    #expect("\((!rule).trace(in: Guest()))" == "? not\n  ? is lucky (nobody knows)")
  }
}

private let a = Rule<Guest>.known(.satisfied, "a")
private let b = Rule<Guest>.known(.satisfied, "b")
private let c = Rule<Guest>.known(.satisfied, "c")
