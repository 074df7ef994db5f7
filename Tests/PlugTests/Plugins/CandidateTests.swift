import TestSupport
import Testing

@testable import Plug

@Suite("A candidate")
struct CandidateTests {
  @Test("always applies and has priority 0 by default")
  func defaults() {
    let candidate = Candidate<String, Guest>("a") { "a" }
    #expect(candidate.id == "a")
    #expect(candidate.box.value.priority == 0)
    #expect("\(candidate.rule)" == "always")
    #expect(Candidate<String, Guest>("a", .singleton("a"), priority: -3).box.value.priority == -3)
    #expect(Candidate<String, Guest>("a", priority: 7) { _ in "a" }.box.value.priority == 7)
  }

  static let rules: [(Candidate<String, Guest>, String)] = [
    (plain.when(.feature("x")), #"feature "x""#),
    (plain.when(.feature("x")).when(.feature("y")), #"feature "x" && feature "y""#),
    (plain.when(.feature("x") || .feature("y")).when(.feature("z")), #"(feature "x" || feature "y") && feature "z""#),
    (plain.when(.feature("x")).when(.never), #"feature "x" && never"#),
    (plain.when(.never).when(.feature("x")), #"never && feature "x""#),
    (plain.when(.always).when(.feature("x")), #"feature "x""#),
  ]

  @Test("applies where all of its rules are satisfied", arguments: rules)
  func when(_ candidate: Candidate<String, Guest>, _ rule: String) {
    #expect("\(candidate.rule)" == rule)
  }

  @Test("is not changed by when, which returns a new candidate")
  func whenIsPure() {
    let candidate = Candidate<String, Guest>("a") { "a" }
    let gated = candidate.when(.never)
    #expect(candidate.rule.evaluate(in: Guest()) == .satisfied)
    #expect(gated.rule.evaluate(in: Guest()) == .unsatisfied)
    #expect((gated.id, gated.box.value.priority) == (candidate.id, candidate.box.value.priority))
  }

  @Test("applies only if its rule is satisfied, not if it is indeterminate", arguments: RuleTrace.Outcome.each)
  func outcome(_ outcome: RuleTrace.Outcome) {
    let point = PluginPoint<String, Guest>("point") {
      Candidate("a") { "a" }.when(.known(outcome))
    }
    #expect(point.plugins(in: Guest()) == (outcome == .satisfied ? ["a"] : []))
  }

  @Test("of a standalone point is made with the default injector")
  func defaultInjector() throws {
    let point = PluginPoint<Box, Guest>("point") {
      Candidate("closure") { Box(injector: $0) }
      Candidate("factory", .factory { Box(injector: $0) })
      Candidate("lazy", .lazySingleton { Box(injector: $0) })
    }
    let boxes = try point.getAll(in: Guest())
    #expect(boxes.map { $0.injector === Injector.default } == [true, true, true])
  }

  private static var plain: Candidate<String, Guest> { Candidate("a") { "a" } }

  private struct Box: Sendable {
    let injector: Injector
  }
}
