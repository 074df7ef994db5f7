import TestSupport
import Testing

@testable import Plug

private final class Pool: Sendable {}

private final class Store: Sendable {}

@Suite("Loads and closings that would wait for each other under several threads", .repeatable, .timeLimit(.minutes(10)))
struct WaitingCycleRaceTests {
  let injector = Injector("one")

  @Test("where a scope is closed and its parent's load waits for that at once, both end", arguments: 0..<20)
  func race(round: Int) async throws {
    let both = Latch()
    try injector.register(
      injectable: .scoped { Pool() }.onClose { [injector] _ in
        await both.wait()
        _ = try? await injector.load(Store.self)
      })
    let scope = injector.makeScope()
    try injector.register(
      injectable: .lazySingleton {
        await both.wait()
        await scope.close()
        return Store()
      })
    _ = try scope.get(Pool.self)
    async let closing = scope.close()
    async let store = injector.load(Store.self)
    await both.arrivals(2)
    both.open()
    #expect(await closing.isEmpty)
    _ = try await store
  }
}
