import Plug
import PlugOperations
import TestSupport
import Testing

private struct Visitor: Sendable {
  var email = "ann@shop.example"
  var nickname: String?
  var groups: [String] = ["staff", "beta"]
  var badges: Set<Int> = [1, 2]
}

private func outcomes(_ rules: [Rule<Visitor>], _ visitor: Visitor = Visitor()) -> [RuleTrace.Outcome] {
  rules.map { $0.evaluate(in: visitor) }
}

@Suite("A rule on a text")
struct RuleTextTests {
  @Test("searches for a part, a prefix or a suffix, case-sensitively")
  func parts() {
    let rules: [Rule<Visitor>] = [
      .contains(\.email, "@shop."), .contains(\.email, "Shop"), .contains(\.email, ""), .hasPrefix(\.email, "ann"),
      .hasPrefix(\.email, "Ann"), .hasSuffix(\.email, ".example"), .hasSuffix(\.email, ".com"),
    ]
    #expect(
      outcomes(rules) == [
        .satisfied, .unsatisfied, .satisfied, .satisfied, .unsatisfied, .satisfied, .unsatisfied,
      ])
    #expect(
      rules.map { "\($0.trace(in: Visitor()))" }.prefix(2) == [
        #"+ email contains "@shop.": "ann@shop.example""#, #"- email contains "Shop": "ann@shop.example""#,
      ])
    #expect("\(rules[3])" == #"email begins with "ann""#)
    #expect("\(rules[5])" == #"email ends with ".example""#)
  }

  @Test("compares by canonical equivalence")
  func equivalence() {
    #expect(outcomes([.contains(\.email, "\u{65}\u{301}")], Visitor(email: "caf\u{e9}")) == [.satisfied])
  }

  @Test("that is missing is indeterminate, except for a test of its presence")
  func missing() {
    let rules: [Rule<Visitor>] = [
      .contains(\.nickname, "a"), .hasPrefix(\.nickname, "a"), .hasSuffix(\.nickname, "a"),
      .matches(\.nickname, /a/), .equals(\.nickname, "a"), .oneOf(\.nickname, ["a", "b"]),
    ]
    #expect(Set(outcomes(rules + rules.map(!))) == [.indeterminate])
    #expect(outcomes([.equals(\.nickname, nil), !.equals(\.nickname, nil)]) == [.satisfied, .unsatisfied])
    #expect(outcomes([.oneOf(\.nickname, [nil, "b"])]) == [.satisfied])
    let named = Visitor(nickname: "a")
    #expect(Set(outcomes(rules, named)) == [.satisfied])
    #expect(
      outcomes([.equals(\.nickname, nil), .oneOf(\.nickname, [nil, "b"])], named) == [.unsatisfied, .unsatisfied])
    #expect("\(Rule<Visitor>.equals(\.nickname, nil).trace(in: Visitor()))" == "+ nickname == nil: nil")
    #expect(outcomes([.equals(\.nickname, nil) || .contains(\.nickname, "a")]) == [.satisfied])
  }

  @Test("matches a regular expression as a whole")
  func regex() {
    let rule = Rule<Visitor>.matches(\.email, /.+@(shop|store)\.example/)
    #expect(outcomes([rule, .matches(\.email, /shop/)]) == [.satisfied, .unsatisfied])
    #expect(
      "\(rule.trace(in: Visitor()))"
        == #"+ email matches the expression at PlugTests/RuleTextTests.swift:61: "ann@shop.example""#)
  }
}

@Suite("A rule on a collection")
struct RuleCollectionTests {
  @Test("finds any or all of several values")
  func contents() {
    let rules: [Rule<Visitor>] = [
      .containsAny(\.groups, ["beta", "guest"]), .containsAny(\.groups, ["guest"]), .containsAny(\.groups, []),
      .containsAll(\.groups, ["beta", "staff"]), .containsAll(\.groups, ["beta", "guest"]), .containsAll(\.groups, []),
      .isEmpty(\.groups), .containsAny(\.badges, [2, 3]), .containsAll(\.badges, [2, 3]), .isEmpty(\.badges),
    ]
    #expect(
      outcomes(rules) == [
        .satisfied, .unsatisfied, .unsatisfied, .satisfied, .unsatisfied, .satisfied, .unsatisfied, .satisfied,
        .unsatisfied, .unsatisfied,
      ])
    #expect(
      "\(rules[0].trace(in: Visitor()))" == #"+ groups contains any of ["beta", "guest"]: ["staff", "beta"]"#)
    #expect("\(rules[8])" == "badges contains all of [2, 3]")
    #expect("\(rules[6])" == "groups is empty")
  }
}
