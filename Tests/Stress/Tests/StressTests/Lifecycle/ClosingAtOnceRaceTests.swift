import Plug
import TestSupport
import Testing

@Suite("Closing at once", .repeatable, .timeLimit(.minutes(10)))
struct ClosingAtOnceRaceTests {
  @Test("of many scopes from many tasks, in several ways, closes each instance once")
  func races() async throws {
    let (injector, scopes, closed) = (Injector(), Counter(), Counter())
    try injector.register(injectable: .scoped { Instance() }.onClose { _ in closed.increment() })
    try await Rounds.run(50) { _ in
      let scope = injector.makeScope()
      _ = try scope.get(Instance.self)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 { group.addTask { await scope.close() } }
        group.addTask { scope.closeNow() }
      }
      #expect(closed.value == scopes.increment())
    }
  }
}
