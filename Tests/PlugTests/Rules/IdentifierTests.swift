import Plug
import PlugKeys
import Testing

private struct User: Sendable { let id: String }
private struct Visitor: Sendable { var id: Int? }
private enum Share: Property { static var defaultValue: Double { 100 } }

@Suite("A rollout")
struct IdentifierTests {
  @Test("puts equal identifiers in one bucket, however they are composed")
  func normalized() {
    let rule = Rule<User>.rollout(50, of: "search", by: \.id)
    let composed = (0..<100).map { rule.evaluate(in: User(id: "caf\u{E9} \($0)")) }
    let decomposed = (0..<100).map { rule.evaluate(in: User(id: "cafe\u{301} \($0)")) }
    #expect(composed == decomposed)
    #expect(Set(composed).count == 2)
  }

  @Test(
    "includes nobody without an identifier, and excludes nobody either",
    arguments: [
      .rollout(100, of: "search", by: \.id), .rollout(0, of: "search", by: \.id),
      .slot(0..<100, of: "search", by: \.id),
      .rollout(Share.self, of: "search", by: \.id), .rollout(100, of: "search", by: \.id, hashing: .flagd),
      .rollout(100, of: "search", by: \.id, hashing: .flagdV3),
      .rollout(100, of: "search", by: \.id, hashing: .unleash),
    ] as [Rule<User>])
  fileprivate func empty(_ rule: Rule<User>) {
    #expect(rule.evaluate(in: User(id: "")) == .indeterminate)
    #expect((!rule).evaluate(in: User(id: "")) == .indeterminate)
    #expect(rule.evaluate(in: User(id: " ")) != .indeterminate)
    let trace = rule.trace(in: User(id: ""))
    #expect(trace.outcome == .indeterminate && "\(trace)".hasSuffix("(id is empty)"))
  }

  @Test(
    "looks at an optional identifier, and is undecided without one",
    arguments: [
      (.rollout(50, of: "search", by: \.id), .rollout(50, of: "search", by: \.id)),
      (.slot(0..<50, of: "search", by: \.id), .slot(0..<50, of: "search", by: \.id)),
      (.rollout(Share.self, of: "search", by: \.id), .rollout(Share.self, of: "search", by: \.id)),
    ] as [(Rule<Visitor>, Rule<User>)])
  fileprivate func optional(_ rule: Rule<Visitor>, _ same: Rule<User>) {
    let numbers = 0..<100
    #expect(numbers.map { rule.evaluate(in: Visitor(id: $0)) } == numbers.map { same.evaluate(in: User(id: "\($0)")) })
    #expect("\(rule.trace(in: Visitor(id: 7)))" == "\(same.trace(in: User(id: "7")))")
    #expect("\(rule.trace(in: Visitor()))" == "? \(rule): nil (id has no value)")
    #expect((!rule).evaluate(in: Visitor()) == .indeterminate)
  }

  @Test("draws one candidate for all contexts without an identifier, the one for an empty one")
  func drawn() {
    let optional = PluginPoint<Int, Visitor>("point") {
      for number in 0..<9 { Candidate("\(number)", .factory { number }).weight(1, by: \.id) }
    }
    let plain = PluginPoint<Int, User>("point") {
      for number in 0..<9 { Candidate("\(number)", .factory { number }).weight(1, by: \.id) }
    }
    #expect(optional.first(in: Visitor()) == plain.first(in: User(id: "")))
    let numbers = 0..<100
    #expect(
      numbers.map { optional.first(in: Visitor(id: $0)) } == numbers.map { plain.first(in: User(id: "\($0)")) })
  }

  @Test("hashes the bytes of an identifier with the algorithms of other programs")
  func bytes() {
    let composed = (0..<200).map { User(id: "caf\u{E9} \($0)") }
    let decomposed = (0..<200).map { User(id: "cafe\u{301} \($0)") }
    for hashing in [RolloutHashing.flagd, .unleash] {
      let rule = Rule<User>.rollout(50, of: "search", by: \.id, hashing: hashing)
      #expect(composed.map { rule.evaluate(in: $0) } != decomposed.map { rule.evaluate(in: $0) })
    }
  }
}
