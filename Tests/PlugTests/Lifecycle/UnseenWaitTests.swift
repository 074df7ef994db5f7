import TestSupport
import Testing

@testable import Plug

private struct Proxy: Sendable {}

@Suite("Waits outside of the injector", .timeLimit(.minutes(10)))
struct UnseenWaitTests {
  @Test("A task that a factory begins and waits for belongs to the load")
  func task() async throws {
    let services = Injector()
    try services.register(
      as: Proxy.self,
      injectable: .lazySingleton { injector in try await Task { try await injector.load(Proxy.self) }.value })
    let error = await #expect(throws: InjectorError.self) { try await services.load(Proxy.self) }
    guard case .circularDependency(_, let path) = try #require(error) else { throw try #require(error) }
    #expect(path == ["Proxy", "Proxy"])
  }

  @Test("A detached task does not belong to the load, and a timeout ends the wait")
  func detached() async throws {
    let (services, clock) = (Injector(), TestClock())
    try services.register(
      as: Proxy.self,
      injectable: .lazySingleton { injector in try await Task.detached { try await injector.load(Proxy.self) }.value })
    let start = Task { try await services.start(timeout: .seconds(1), clock: clock) }
    await clock.sleepers(1)
    // A later waiter would wait for the end of the attempt, and the start for as long again.
    await services.waiters(2)
    clock.advance()
    let error = await #expect(throws: InjectorError.self) { try await start.value }
    guard case .timedOut(let facts, let duration) = try #require(error) else { throw try #require(error) }
    #expect(facts.service == "Proxy" && duration == .seconds(1))
  }
}
