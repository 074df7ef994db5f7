import Plug
import TestSupport
import Testing

private struct Visitor: Sendable {
  var email = "ann@shop.example"
  var nickname: String?
  var groups: [String] = ["staff", "beta"]
  var badges: Set<Int>? = [1, 2]
}

private func outcomes(_ rules: [Rule<Visitor>], _ visitor: Visitor = Visitor()) -> [RuleTrace.Outcome] {
  rules.map { $0.evaluate(in: visitor) }
}

@Suite("A rule on a text under several threads", .repeatable)
struct RuleTextRaceTests {
  @Test("matches the same texts on many threads as on one")
  func regexRace() throws {
    let rule = Rule<Visitor>.matches(\.email, /[a-z]+(\d+)@shop\.example/)
    try race(threads: 8) { round in
      Visitor(email: "ann\(round)@shop.example")
    } body: { visitor, thread in
      (0..<20).allSatisfy { _ in
        rule.evaluate(in: visitor) == .satisfied && rule.evaluate(in: Visitor(email: "\(thread)")) == .unsatisfied
      }
    } check: { _, outcomes in
      #expect(outcomes.allSatisfy { $0 })
    }
  }
}
