import Plug
import TestSupport
import Testing

private struct User: Sendable { let id: String }

@Suite("A choice")
struct ChoiceFaultTests {
  private let injector = Injector("shop", allowRewrite: true)

  @Test("passes over a candidate that its own rule unregisters")
  func removedByRule() throws {
    let injector = injector
    let point = PluginPoint<String, Int>("names") {
      Candidate("first", .lazySingleton { "first" }).when(
        Rule("once") { _ in
          _ = try? injector.unregister(type: String.self, candidate: "first")
          return true
        })
      Candidate("second", .lazySingleton { "second" })
    }
    try injector.register(point)
    #expect(try injector.get(String.self, in: 1) == "second")
    #expect(try injector.getAll(String.self, in: 1) == ["second"])
  }

  @Test("draws candidates independently whose points and ids are equal when they are joined")
  func independentWeights() {
    let first = PluginPoint<String, User>("a") {
      Candidate("b:c", .factory { "in" }).weight(1, by: \.id)
      Candidate("x", .factory { "out" }).weight(1, by: \.id)
    }
    let second = PluginPoint<String, User>("a:b") {
      Candidate("c", .factory { "in" }).weight(1, by: \.id)
      Candidate("x", .factory { "out" }).weight(1, by: \.id)
    }
    let users = (0..<2_000).map { User(id: "user \($0)") }
    let equal = users.count { (try? first.get(in: $0)) == (try? second.get(in: $0)) }
    #expect((900...1_100).contains(equal))  // It would be two thirds if one number decided for both.
  }

  @Test("can never take a candidate whose weight is zero, and validation says so")
  func zeroWeight() throws {
    try injector.register(
      PluginPoint<String, User>("names") { Candidate("never", .factory { "never" }).weight(0, by: \.id) })
    let line = #line - 1
    let warnings = try injector.validate().warnings.map(\.description)
    #expect(
      warnings.first == """
        String [never] can never be chosen: its rule is never satisfied.
        at PlugTests/ChoiceFaultTests.swift:\(line)
        Remove it, or change the order or the rule.
        """)
  }

  @Test("puts equal identifiers in one bucket, however they are composed")
  func normalized() {
    let rule = Rule<User>.rollout(50, of: "search", by: \.id)
    let composed = (0..<100).map { rule.evaluate(in: User(id: "caf\u{E9} \($0)")) }
    let decomposed = (0..<100).map { rule.evaluate(in: User(id: "cafe\u{301} \($0)")) }
    #expect(composed == decomposed)
    #expect(Set(composed).count == 2)
  }
}
