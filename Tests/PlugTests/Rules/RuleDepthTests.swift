import Foundation
import Plug
import PlugOperations
import TestSupport
import Testing

@Suite("A deeply nested rule")
struct RuleDepthTests {
  /// Composes a rule with others `depth` times, each time one level deeper.
  private func nested(_ depth: Int, _ rule: Rule<Guest> = .atLeast(\.age, 18)) -> Rule<Guest> {
    (0..<depth).reduce(rule) { rule, level in
      switch level % 4 {
      case 0: .atLeast(\.age, level - 2_000) && rule
      case 1: rule || .never
      case 2: rule.pullback { $0 }
      default: !rule
      }
    }
  }

  @Test(
    "is composed, evaluated, traced, printed, stored and released on a small stack", arguments: [100, 1000, 10_000])
  func smallStack(depth: Int) {
    onThread(stack: 512 << 10) {
      let rule = nested(depth - 1)
      let larger: Rule<[Guest]> = rule.pullback { $0[0] }
      let trace = larger.trace(in: [Guest()])
      #expect(rule.evaluate(in: Guest()) == trace.outcome)
      #expect(trace.outcome == (depth == 100 ? .satisfied : .indeterminate))
      #expect(!"\(rule)".isEmpty && !"\(trace)".isEmpty)
      #expect(rule.trace(in: Guest()).hashValue == rule.trace(in: Guest()).hashValue)
      do {
        let stored = try JSONEncoder().encode(trace)
        #expect(try JSONDecoder().decode(RuleTrace.self, from: stored) == trace)
      } catch {
        Issue.record(error)
      }
      let point = PluginPoint<Int, Guest>("deep", when: .always) {
        Candidate("one", .singleton(1)).when(rule)
      }
      #expect(point.explain(in: Guest()).elements.count == 1)
      #expect(point.first(in: Guest()) == (depth == 100 ? 1 : nil))
    }
  }

  @Test("is indeterminate beyond 100 levels, and its reason says so")
  func limit() {
    #expect(nested(100).evaluate(in: Guest()) == .unsatisfied)
    let rule = nested(101)
    #expect("\(rule)" == "a rule that is nested too deeply")
    #expect(
      "\((rule && .always).trace(in: Guest()))" == """
        ? all
          ? a rule that is nested too deeply (rules nest up to 100 deep; && and || take any number side by side)
          + always
        """)
    #expect((rule && .never).evaluate(in: Guest()) == .unsatisfied)
    #expect((rule || .always).evaluate(in: Guest()) == .satisfied)
    #expect((!rule).evaluate(in: Guest()) == .indeterminate)
  }

  @Test("may have any number of operands side by side, written with the operators too")
  func parts() {
    let all = (0..<2_000).reduce(Rule<Guest>.always) { $0 && .atLeast(\.age, $1 - 2_000) }
    let any = (0..<2_000).reduce(Rule<Guest>.never) { $0 || .atLeast(\.age, $1 + 2_000) }
    #expect(all.evaluate(in: Guest()) == .satisfied)
    #expect(any.evaluate(in: Guest()) == .unsatisfied)
  }
}
