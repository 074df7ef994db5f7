import Plug
import PlugTesting
import Synchronization
import TestSupport
import Testing

private struct NoAge: Error, CustomStringConvertible {
  var description: String { "no age" }
}

private let isAdult = Rule<Int?>("is an adult") { age in
  guard let age else { throw NoAge() }
  return age >= 18
}

@Suite("Conformance of rules")
struct RuleConformanceTests {
  @Test("A rule with the expected outcomes is no issue")
  func conforms() async {
    let issues = await issues {
      expectConformance(of: isAdult, [(18, .satisfied), (17, .unsatisfied), (nil, .indeterminate)])
      expectConformance(of: isAdult && !.always, [(18, .unsatisfied), (nil, .unsatisfied)])
    }
    #expect(issues == [])
  }

  @Test("An outcome that differs from the expected one is an issue")
  func otherOutcome() async {
    let issues = await issues { expectConformance(of: isAdult, [(17, .unsatisfied), (18, .indeterminate)]) }
    #expect(
      issues == [
        """
        The rule does not conform in context 2 of 2.
          rule:           is an adult
          context:        Optional(18)
          - It is satisfied, but should be indeterminate.
        """
      ])
  }

  @Test("A rule whose outcome depends on earlier evaluations is an issue")
  func stateful() async {
    let count = Mutex(0)
    let everySecond = Rule<Int>("every second time") { _ in
      count.withLock { count in
        count += 1
        return count % 2 == 0
      }
    }
    let issues = await issues { expectConformance(of: everySecond, [(1, .unsatisfied)]) }
    #expect(
      issues.first == """
        The rule does not conform in context 1 of 1.
          rule:           every second time
          context:        1
          - It is unsatisfied one time and satisfied another.
          - Its trace is satisfied, but the rule is unsatisfied.
        """)
  }
}
