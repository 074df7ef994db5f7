import Plug
import Synchronization
import Testing

private struct User: Sendable { let id: String }

@Suite("A choice")
struct CircularOrderTests {
  private let injector = Injector("shop", allowRewrite: true)

  @Test("keeps the fallback last, and keeps priorities outside of a cycle of orders")
  func circularOrder() throws {
    try injector.register(as: String.self, injectable: .factory { "fallback" })
    try injector.register(
      PluginPoint<String, Int>("names") {
        Candidate("low", .factory { "low" }, priority: -1)
        Candidate("a", .factory { "a" }).after("b")
        Candidate("b", .factory { "b" }).after("a")
        Candidate("plain", .factory { "plain" })
        Candidate("high", .factory { "high" }, priority: 9)
      })
    let all = try injector.getAll(String.self, in: 1)
    #expect(all.filter { $0 != "a" && $0 != "b" } == ["high", "plain", "low", "fallback"])
    #expect(all.last == "fallback" && all.count == 6)
  }

  @Test("evaluates each of eighteen points once that depend on one another")
  func selectedChain() throws {
    let evaluations = Mutex(0)
    for number in 0..<18 {
      try injector.register(
        PluginPoint<String, User>("point \(number)") {
          for name in ["first", "second"] {
            let asks: Rule<User> =
              number == 0
              ? Rule("counted") { _ in
                evaluations.withLock { $0 += 1 }
                return name == "second"
              }
              : Rule("counted") { _ in
                evaluations.withLock { $0 += 1 }
                return true
              } && .selected(name, at: "point \(number - 1)")
            Candidate(name, .factory { name }).when(asks)
          }
        }, tag: Injector.Tag(rawValue: "\(number)"))
    }
    #expect(try injector.get(String.self, tag: "17", in: User(id: "ada")) == "second")
    #expect(evaluations.withLock { $0 } == 36)
  }
}
