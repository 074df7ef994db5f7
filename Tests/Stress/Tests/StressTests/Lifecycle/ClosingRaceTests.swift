import TestSupport
import Testing

@testable import Plug

private final class Pool: Sendable {}

private struct Store: Sendable {
  let pool: Pool
}

@Suite("Closing at the same time", .repeatable, .timeLimit(.minutes(10)))
struct ClosingRaceTests {
  @Test("An injector that is closed while it starts closes every instance once")
  func closedWhileStarting() async throws {
    let (injector, log, latch) = (Injector(), Log(), Latch())
    try injector.register(
      injectable: .lazySingleton {
        await Task.yield()
        return Pool()
      }.onClose { _ in log.add("close pool") })
    try injector.register(
      injectable: .lazySingleton { injector in
        let store = try await Store(pool: injector.load())
        await latch.wait()
        while !Task.isCancelled { await Task.yield() }
        try Task.checkCancellation()
        return store
      }.onClose { _ in log.add("close store") })
    let start = Task { try await injector.start() }
    await latch.arrivals(1)
    async let closing = injector.close()
    while !injector.isClosed { await Task.yield() }
    latch.open()
    _ = await closing
    let error = await #expect(throws: InjectorError.self) { try await start.value }
    guard case .closed = try #require(error) else { throw try #require(error) }
    #expect(log.lines == ["close pool"])
  }

  @Test("close waits no longer than its timeout for instances that are being closed already")
  func closeTimeout() async throws {
    let (injector, clock, latch) = (Injector(), TestClock(), Latch())
    try injector.register(injectable: .lazySingleton { Pool() }.onClose { _ in await latch.wait() })
    _ = try injector.get(Pool.self)
    try injector.unregister(Pool.self)
    let closing = Task { await injector.close(timeout: .seconds(3), clock: clock) }
    await clock.sleepers(1)
    clock.advance()
    let failures = await closing.value
    guard case .timedOut(let facts, after: .seconds(3)) = try #require(failures.first) else {
      throw try #require(failures.first)
    }
    #expect(facts.service == "Pool")
    latch.open()
  }

  @Test("A failing loader that closes its injector ends, also while another task closes the injector")
  func closedByFailure() async throws {
    let (injector, latch) = (Injector(), Latch())
    try injector.register(
      injectable: .lazySingleton {
        await latch.wait()
        await injector.close()
        throw Failure()
      } as Injection<Pool>)
    let load = Task { try await injector.load(Pool.self) }
    await latch.arrivals(1)
    async let closing = injector.close()
    while !injector.isClosed { await Task.yield() }
    latch.open()
    _ = await closing
    await #expect(throws: InjectorError.self) { try await load.value }
  }

  @Test("An instance that no request returns can close its injector when it is closed itself")
  func closedByDiscarded() async throws {
    let (injector, log) = (Injector(), Log())
    try injector.register(
      injectable: .lazySingleton { Store(pool: Pool()) }.onClose { _ in
        await injector.close()
        log.add("close")
      })
    try injector.decorate(Store.self) { _, _ in throw Failure() }
    _ = try? injector.get(Store.self)
    await injector.close()
    #expect(log.lines == ["close"])
  }

  @Test("a loader that closes its injector does not wait for itself")
  func closedByLoader() async throws {
    let injector = Injector()
    try injector.register(
      injectable: .lazySingleton { injector in
        await injector.close()
        return Pool()
      })
    let error = await #expect(throws: InjectorError.self) { try await injector.load(Pool.self) }
    guard case .closed = try #require(error) else { throw try #require(error) }
  }

  @Test("The onClose of an unregistered instance can close its injector")
  func closedByClosing() async throws {
    let (injector, log) = (Injector(), Log())
    for tag in ["one", "two"] as [Injector.Tag] {
      try injector.register(
        as: Pool.self, tag: tag,
        injectable: .lazySingleton { Pool() }.onClose { _ in
          await injector.close()
          log.add("close \(tag)")
        })
      _ = try injector.get(Pool.self, tag: tag)
    }
    try injector.unregister(Pool.self, tag: "one")
    while log.lines.count < 2 { await Task.yield() }
    #expect(injector.isClosed)
    #expect(Set(log.lines) == ["close one", "close two"])
    #expect(await injector.close().isEmpty)
  }

  @Test("closings that close each other's injectors do not wait for each other")
  func closingEachOther() async throws {
    let (injectors, both) = ([Injector(), Injector()], Latch())
    for (own, other) in zip(injectors, injectors.reversed()) {
      try own.register(
        injectable: .lazySingleton { Pool() }.onClose { _ in
          await both.wait()
          await other.close()
        })
      _ = try own.get(Pool.self)
    }
    async let first = injectors[0].close()
    async let second = injectors[1].close()
    await both.arrivals(2)
    both.open()
    #expect(await first.isEmpty)
    #expect(await second.isEmpty)
  }

  @Test("close waits for instances that were unregistered before, and returns their errors")
  func unregistered() async throws {
    let (injector, latch, clock) = (Injector(), Latch(), TestClock())
    try injector.register(
      injectable: .lazySingleton { Pool() }.onClose { _ in
        await latch.wait()
        throw Failure()
      })
    _ = try injector.get(Pool.self)
    try injector.unregister(Pool.self)
    async let closing = injector.close(timeout: .seconds(3), clock: clock)
    await clock.sleepers(1)
    latch.open()
    let failures = await closing
    guard case .closingFailed = try #require(failures.first) else { throw try #require(failures.first) }
  }
}
