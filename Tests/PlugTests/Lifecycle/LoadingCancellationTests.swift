import Plug
import TestSupport
import Testing

@Suite("Loading that is cancelled", .timeLimit(.minutes(10)))
struct LoadingCancellationTests {
  let injector = Injector("loading")

  @Test("a cancelled waiter throws, and the others get the instance")
  func cancelOne() async throws {
    let latch = Latch()
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton {
        await latch.wait()
        try Task.checkCancellation()
        return LoadedDatabase()
      }, fileID: "Shop/Main.swift", line: 3)
    let cancelled = Task { try await injector.load(LoadedDatabase.self) }
    await latch.arrivals(1)
    let staying = Task { try await injector.load(LoadedDatabase.self) }
    await injector.waiters(2)
    cancelled.cancel()
    let error = await #expect(throws: InjectorError.self) { try await cancelled.value }
    #expect(
      "\(try #require(error))" == """
        load(LoadedDatabase.self) was cancelled before LoadedDatabase was made.
          service:        LoadedDatabase
          injector:       loading
          chain:          LoadedDatabase
          asked at:       \(place(error))
          registered at:  Shop/Main.swift:3
        To fix this:
          - Load it from a task that lives long enough. If you meant to cancel the task, there is nothing to fix.
        """)
    latch.open()
    #expect(try await staying.value === injector.get(LoadedDatabase.self))
  }

  @Test(
    "the cancellation of the last waiter cancels the construction, and the next load begins anew",
    arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func cancelAll(order: [Int]) async throws {
    let (latch, log) = (Latch(), Log())
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton {
        log.add("begin")
        await latch.wait()
        log.add(Task.isCancelled ? "cancelled" : "end")
        try Task.checkCancellation()
        return LoadedDatabase()
      })
    let tasks = (0..<3).map { _ in Task { try await injector.load(LoadedDatabase.self) } }
    await injector.waiters(3)
    for index in order {
      tasks[index].cancel()
      await #expect(throws: InjectorError.self) { try await tasks[index].value }
    }
    let late = Task { try await injector.load(LoadedDatabase.self) }
    await injector.waiters(1)
    #expect(log.lines == ["begin"])
    latch.open()
    #expect(try await late.value === injector.get(LoadedDatabase.self))
    #expect(log.lines == ["begin", "cancelled", "begin", "end"])
  }

  @Test("a construction that ignores its cancellation still publishes its instance")
  func stubborn() async throws {
    let (latch, count) = (Latch(), Counter())
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton {
        count.increment()
        await latch.wait()
        return LoadedDatabase()
      })
    let first = Task { try await injector.load(LoadedDatabase.self) }
    await injector.waiters(1)
    first.cancel()
    await #expect(throws: InjectorError.self) { try await first.value }
    let second = Task { try await injector.load(LoadedDatabase.self) }
    await injector.waiters(1)
    latch.open()
    #expect(try await second.value === injector.get(LoadedDatabase.self))
    #expect(count.value == 1)
  }

  @Test("a cancelled task begins no construction")
  func cancelledBefore() async throws {
    let count = Counter()
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton {
        await Task.yield()
        count.increment()
        return LoadedDatabase()
      })
    let latch = Latch()
    let task = Task {
      await latch.wait()
      return try await injector.load(LoadedDatabase.self)
    }
    task.cancel()
    latch.open()
    await #expect(throws: InjectorError.self) { try await task.value }
    #expect(count.value == 0)
  }
}
