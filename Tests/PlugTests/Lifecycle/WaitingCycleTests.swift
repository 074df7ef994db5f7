import TestSupport
import Testing

@testable import Plug

private final class Pool: Sendable {}

private final class Store: Sendable {}

private final class Feed: Sendable {}

/// Closes an injector without waiting.
private func shut(_ injector: Injector) { injector.closeNow() }

@Suite("Loads and closings that would wait for each other", .timeLimit(.minutes(10)))
struct WaitingCycleTests {
  let injector = Injector("one")

  let other = Injector("other")

  @Test("a load does not wait for the closing of an injector whose onClose waits for the load")
  func closedByAwaited() async throws {
    try injector.register(
      injectable: .lazySingleton { Pool() }.onClose { [other] _ in _ = try await other.load(Store.self) })
    let latch = Latch()
    try other.register(
      injectable: .lazySingleton { [injector] in
        await latch.wait()
        await injector.close()
        return Store()
      })
    _ = try injector.get(Pool.self)
    async let store = other.load(Store.self)
    await latch.arrivals(1)
    async let closing = injector.close()
    await other.waiters(2)
    latch.open()
    #expect(await closing.isEmpty)
    #expect(try await store === other.get(Store.self))
  }

  @Test("an onClose that waits for the load which closes its injector gets an error with the path")
  func closedByLoad() async throws {
    try injector.register(
      injectable: .lazySingleton { Pool() }.onClose { [other] _ in _ = try await other.load(Store.self) })
    let asked = #line - 1
    let failures = Setting<[InjectorError]>()
    try other.register(
      injectable: .lazySingleton { [injector] in
        failures.set(await injector.close())
        return Store()
      })
    let line = #line - 5
    _ = try injector.get(Pool.self)
    _ = try await other.load(Store.self)
    let error = try #require(failures.value?.first)
    guard case .closingFailed(_, let underlying) = error else { throw error }
    #expect(
      "\(underlying)" == """
        Store depends on itself: Store → Injector("one") (closing) → Pool (closing) → Store.
          service:        Store
          injector:       other
          chain:          Store → Injector("one") (closing) → Pool (closing) → Store
          asked at:       PlugTests/WaitingCycleTests.swift:\(asked)
          registered at:  PlugTests/WaitingCycleTests.swift:\(line)
        To fix this:
          - Get what onClose needs before you close the injector, and keep it.
          - Or close the injector with closeNow(), which does not wait.
        """)
  }

  @Test("a scope's onClose may load the service from the parent whose loader closes the scope")
  func scope() async throws {
    try injector.register(
      injectable: .scoped { Pool() }.onClose { [injector] _ in _ = try await injector.load(Store.self) })
    let (scope, latch) = (injector.makeScope(), Latch())
    try injector.register(
      injectable: .lazySingleton {
        await latch.wait()
        await scope.close()
        return Store()
      })
    _ = try scope.get(Pool.self)
    async let store = injector.load(Store.self)
    await latch.arrivals(1)
    async let closing = scope.close()
    await injector.waiters(2)
    latch.open()
    #expect(await closing.isEmpty)
    #expect(try await store === injector.get(Store.self))
  }

  @Test("an onClose may wait for a load that has closed its injector without waiting")
  func closedWithoutWaiting() async throws {
    let (latch, done) = (Latch(), Latch())
    try injector.register(
      injectable: .lazySingleton { Pool() }.onClose { [other] _ in
        latch.open()
        _ = try await other.load(Store.self)
        done.open()
      })
    try other.register(
      injectable: .lazySingleton { [injector] in
        shut(injector)
        await latch.wait()
        return Store()
      })
    _ = try injector.get(Pool.self)
    _ = try await other.load(Store.self)
    await done.wait()
  }

  @Test("a failed start does not wait for an onClose that waits for the load of the start")
  func startInLoad() async throws {
    try injector.register(
      injectable: .lazySingleton {
        await Task.yield()
        return Pool()
      }.onClose { [other] _ in _ = try await other.load(Feed.self) })
    try injector.register(
      injectable: .lazySingleton { injector in
        _ = try await injector.load(Pool.self)
        throw Failure()
      } as Injection<Store>)
    try other.register(
      injectable: .lazySingleton { injector in
        _ = try await injector.load(Store.self)
        return Feed()
      })
    try other.register(
      injectable: .lazySingleton { [injector] in
        await #expect(throws: InjectorError.self) { try await injector.start() }
        return Store()
      })
    _ = try await other.load(Store.self)
    #expect(try await other.load(Feed.self) === other.get(Feed.self))
  }

  @Test("a start in a load does not wait for an abandoned load that waits for the first load")
  func abandonedLoad() async throws {
    let latch = Latch()
    try injector.register(
      injectable: .lazySingleton { [other] in
        await latch.wait()
        // A new task is not cancelled with its parent.
        _ = await Task { try await other.load(Store.self) }.result
        return Pool()
      })
    try injector.register(
      injectable: .lazySingleton {
        await latch.arrivals(1)
        throw Failure()
      } as Injection<Feed>)
    try other.register(
      injectable: .lazySingleton { [injector] in
        await #expect(throws: InjectorError.self) { try await injector.start() }
        return Store()
      })
    async let store = other.load(Store.self)
    // By then the failed start has, in all likelihood, stopped waiting for its other load.
    for _ in 0..<1_000 { await Task.yield() }
    latch.open()
    _ = try await store
  }

  @Test("a failed load does not count as waiting, although a task that it began still runs")
  func childTask() async throws {
    let (latch, attempts) = (Latch(), Counter())
    let child = Setting<Task<Store, any Error>>()
    try injector.register(
      injectable: .lazySingleton { injector in
        if attempts.increment() > 1 { return Pool() }
        child.set(Task { try await injector.load(Store.self) })
        await latch.arrivals(1)
        throw Failure()
      })
    try injector.register(
      injectable: .lazySingleton { injector in
        await latch.wait()
        _ = try await injector.load(Pool.self)
        return Store()
      })
    await #expect(throws: InjectorError.self) { try await injector.load(Pool.self) }
    latch.open()
    #expect(try await child.value?.value === injector.get(Store.self))
  }
}
