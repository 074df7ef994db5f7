import Plug
import PlugOperations
import Testing

private struct User: Sendable { let id: String }

@Suite("A draw by weights")
struct DrawTests {
  private let injector = Injector("shop", allowRewrite: true)

  @Test("is independent of another one whose joined point and id are equal")
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

  @Test("never takes a candidate without weight, and an audit says so")
  func zeroWeight() throws {
    try injector.register(
      PluginPoint<String, User>("names") { Candidate("never", .factory { "never" }).weight(0, by: \.id) })
    let line = #line - 1
    #expect(
      injector.audit().findings.first?.description == """
        String [never] can never be chosen: its rule is never satisfied.
        at PlugTests/DrawTests.swift:\(line)
        Remove it, or change the order or the rule.
        """)
  }
}
