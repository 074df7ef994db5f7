import TestSupport
import Testing

@testable import Plug

private final class Pool: Sendable {
  let number: Int

  init(_ number: Int = 0) {
    self.number = number
  }
}

private struct Store: Sendable {
  let pool: Pool
}

private final class Feed: Sendable {
  let store: Store

  init(_ store: Store) {
    self.store = store
  }
}

/// An instance that begins a task, which may outlive it.
private final class TaskOrThread: Sendable {
  private let living: LivingCount
  private let task = Locked<Task<Void, Never>?>(nil)

  init(_ living: LivingCount, _ latch: Latch) {
    self.living = living
    living.begin()
    task.withLock { $0 = Task { await latch.wait() } }
  }

  deinit { living.end() }
}

@Suite("Starting, loading and closing at the same time", .repeatable, .timeLimit(.minutes(10)))
struct LifecycleRaceTests {
  @Test("Several loads of a synchronous service with an asynchronous dependency all return the instance")
  func joined() async throws {
    try await Rounds.run { _ in
      let injector = Injector()
      try injector.register(
        injectable: .lazySingleton {
          await Task.yield()
          return Pool()
        })
      try injector.register { injector in
        for _ in 0..<200 { yieldThread() }
        return Store(pool: try injector.get())
      }
      for number in 0..<4 {
        try injector.register(
          as: Feed.self, tag: .init(rawValue: "\(number)"),
          injectable: .lazySingleton { injector in try await Feed(injector.load()) })
      }
      async let stores = withThrowingTaskGroup(of: Store.self) { group in
        for _ in 0..<4 { group.addTask { try await injector.load() } }
        return try await group.reduce(into: []) { $0.append($1.pool) }
      }
      try await injector.start()
      let pool = try injector.get(Pool.self)
      #expect(try await stores.allSatisfy { $0 === pool })
      #expect(try (0..<4).allSatisfy { try injector.get(Feed.self, tag: .init(rawValue: "\($0)")).store.pool === pool })
    }
  }

  @Test("Each instance of a registration that is replaced during requests is closed once")
  func replaced() async throws {
    try await Rounds.run { _ in
      let injector = Injector(allowRewrite: true)
      let (made, closed) = (Counter(), Counter())
      let register: @Sendable () throws -> Void = {
        try injector.register(
          injectable: .lazySingleton { Pool(made.increment()) }.onClose { _ in closed.increment() })
      }
      try register()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { for _ in 0..<50 { try register() } }
        group.addTask { for _ in 0..<200 { _ = try injector.get(Pool.self) } }
        try await group.waitForAll()
      }
      await injector.close()
      #expect(made.value == closed.value)
    }
  }

  @Test("Starts run one after another, and the cancellation of one does not affect the next")
  func twoStarts() async throws {
    try await Rounds.run { round in
      let (injector, closed) = (Injector(), Counter())
      try injector.register(
        injectable: .lazySingleton {
          for _ in 0..<3 { await Task.yield() }
          return Pool()
        }.onClose { _ in closed.increment() })
      try injector.register(injectable: .lazySingleton { injector in try await Store(pool: injector.load()) })
      let first = Task { try await injector.start() }
      let second = Task { try await injector.start() }
      for _ in 0..<round.number % 10 { await Task.yield() }
      first.cancel()
      _ = await first.result
      try await second.value
      #expect(try injector.get(Store.self).pool === injector.get(Pool.self))
      let before = closed.value
      await injector.close()
      #expect(closed.value == before + 1)
    }
  }

  @Test("A failed start keeps an instance that another task has waited for")
  func shared() async throws {
    let (injector, log, latch) = (Injector(), Log(), Latch())
    try injector.register(
      injectable: .lazySingleton {
        await latch.wait()
        return Pool()
      }.onClose { _ in log.add("close pool") })
    try injector.register(
      injectable: .lazySingleton { injector in
        _ = try await injector.load(Pool.self)
        throw Failure()
      } as Injection<Store>)
    let start = Task { try await injector.start() }
    await latch.arrivals(1)
    let other = Task { try await injector.load(Pool.self) }
    await injector.waiters(4)
    latch.open()
    await #expect(throws: InjectorError.self) { try await start.value }
    #expect(try await other.value === injector.get(Pool.self))
    #expect(log.lines.isEmpty)
  }

  @Test("A failed start keeps the dependencies of an instance that another task has waited for")
  func sharedWithNeeds() async throws {
    let (injector, log, latch) = (Injector(), Log(), Latch())
    try injector.register(
      injectable: .lazySingleton {
        await Task.yield()
        return Pool()
      }.onClose { _ in log.add("close pool") })
    try injector.register(
      injectable: .lazySingleton { injector in
        let pool: Pool = try await injector.load()
        await latch.wait()
        return Store(pool: pool)
      })
    try injector.register(
      injectable: .lazySingleton { injector in
        _ = try await injector.load(Store.self)
        throw Failure()
      } as Injection<Feed>)
    let start = Task { try await injector.start() }
    await latch.arrivals(1)
    let other = Task { try await injector.load(Store.self) }
    await injector.waiters(4)
    latch.open()
    await #expect(throws: InjectorError.self) { try await start.value }
    #expect(try await other.value.pool === injector.get(Pool.self))
    #expect(log.lines.isEmpty)
  }

  @Test("A failed start keeps the instances of its dependencies, also instances for arguments")
  func arguments() async throws {
    let (injector, count, attempts) = (Injector(), Counter(), Counter())
    try injector.register(
      injectable: .lazySingleton {
        await Task.yield()
        return Pool(count.increment())
      })
    try injector.register(Int.self, taking: Int.self, lifetime: .lazySingleton) { _, injector in
      try injector.get(Pool.self).number
    }
    try injector.register(injectable: .lazySingleton { "\(try $0.get(Int.self, with: 1))" }.eager())
    try injector.register(
      injectable: .lazySingleton { injector in
        _ = try await injector.load(String.self)
        if attempts.increment() == 1 { throw Failure() }
        return Feed(Store(pool: try injector.get()))
      })
    await #expect(throws: InjectorError.self) { try await injector.start() }
    try await injector.start()
    #expect(try injector.get(String.self) == "1")
    #expect(try injector.get(Int.self, with: 1) == 1)
  }

  @Test("A start that is cancelled while it waits for another start throws")
  func cancelledInQueue() async throws {
    let (injector, latch) = (Injector(), Latch())
    try injector.register(
      injectable: .lazySingleton {
        await latch.wait()
        return Pool()
      })
    let first = Task { try await injector.start() }
    await latch.arrivals(1)
    let second = Task { try await injector.start() }
    second.cancel()
    let error = await #expect(throws: InjectorError.self) { try await second.value }
    guard case .cancelled = try #require(error) else { throw try #require(error) }
    latch.open()
    try await first.value
  }

  @Test("A start within a load or a closing does not wait for other starts")
  func nestedStarts() async throws {
    let (one, other) = (Injector(), Injector())
    for (own, another) in [(one, other), (other, one)] {
      try own.register(
        injectable: .lazySingleton {
          try await another.start()
          return Pool()
        })
    }
    await #expect(throws: InjectorError.self) { try await one.start() }
    let (again, injector) = (Counter(), Injector())
    try injector.register(
      injectable: .lazySingleton {
        await Task.yield()
        return Pool()
      }.onClose { _ in if again.increment() == 1 { try? await injector.start() } })
    try injector.register(
      injectable: .lazySingleton { injector in
        _ = try await injector.load(Pool.self)
        throw Failure()
      } as Injection<Store>)
    await #expect(throws: InjectorError.self) { try await injector.start() }
    await injector.close()
    #expect(again.value == 1)
  }

  @Test("An instance ends with its injector, although a task that its factory began still runs")
  func background() async throws {
    let (living, latch) = (LivingCount(), Latch())
    weak var released: Injector?
    do {
      let injector = Injector()
      released = injector
      try injector.register(
        injectable: .lazySingleton {
          await Task.yield()
          return TaskOrThread(living, latch)
        })
      try await injector.start()
    }
    while living.current > 0 { await Task.yield() }
    #expect(released == nil)
    latch.open()
  }

  @Test("An attempt that exceeds the timeout ends before the next one begins, and its instance is kept")
  func late() async throws {
    let (injector, clock, latch, log) = (Injector(), TestClock(), Latch(), Log())
    try injector.register(
      injectable: .lazySingleton {
        log.add("make")
        await latch.wait()
        return Pool()
      }.onClose { _ in log.add("close") })
    let start = Task { try await injector.start(timeout: .seconds(3), clock: clock) }
    await clock.sleepers(1)
    clock.advance()
    await #expect(throws: InjectorError.self) { try await start.value }
    let second = Task { try await injector.load(Pool.self) }
    await injector.waiters(1)
    latch.open()
    let pool = try await second.value
    #expect(try injector.get(Pool.self) === pool)
    await injector.close()
    #expect(log.lines == ["make", "close"])
  }

  @Test("A start that joins a load waits no longer than its own timeout")
  func joinedTimeout() async throws {
    let (injector, clock, latch) = (Injector(), TestClock(), Latch())
    try injector.register(
      injectable: .lazySingleton {
        await latch.wait()
        return Pool()
      })
    let load = Task { try await injector.load(Pool.self) }
    await latch.arrivals(1)
    let start = Task { try await injector.start(timeout: .seconds(3), clock: clock) }
    await clock.sleepers(1)
    clock.advance()
    let error = await #expect(throws: InjectorError.self) { try await start.value }
    guard case .timedOut(_, .seconds(3)) = try #require(error) else { throw try #require(error) }
    latch.open()
    _ = try await load.value
  }
}
