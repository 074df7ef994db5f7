import Plug
import Synchronization
import Testing

private final class Database: Sendable {
  let name: String

  init(_ name: String = "main") {
    self.name = name
  }
}

@Suite("Loading that is cancelled", .timeLimit(.minutes(2)))
struct LoadingCancellationTests {
  let injector = Injector("loading")

  @Test("one who waits is cancelled, and the others get the instance")
  func cancelOne() async throws {
    let latch = Latch()
    try injector.register(
      as: Database.self,
      injectable: .lazySingleton {
        await latch.wait()
        try Task.checkCancellation()
        return Database()
      }, fileID: "Shop/Main.swift", line: 3)
    let cancelled = Task { try await injector.load(Database.self) }
    await latch.arrivals(1)
    let staying = Task { try await injector.load(Database.self) }
    await injector.waiters(2)
    cancelled.cancel()
    let error = await #expect(throws: InjectorError.self) { try await cancelled.value }
    #expect(
      "\(try #require(error))" == """
        load(Database.self) was cancelled before Database had been made.
          service:        Database
          injector:       loading
          chain:          Database
          registered at:  Shop/Main.swift:3
        To fix this:
          - Load it in a task that lives until then. If this one was meant to end, nothing is wrong.
        """)
    latch.open()
    #expect(try await staying.value === injector.get(Database.self))
  }

  @Test("the last one who is cancelled takes the construction along, and the next load begins anew")
  func cancelAll() async throws {
    let (latch, log) = (Latch(), Log())
    try injector.register(
      as: Database.self,
      injectable: .lazySingleton {
        log.add("begin")
        await latch.wait()
        log.add(Task.isCancelled ? "cancelled" : "end")
        try Task.checkCancellation()
        return Database()
      })
    let tasks = (0..<3).map { _ in Task { try await injector.load(Database.self) } }
    await injector.waiters(3)
    for task in tasks {
      task.cancel()
      await #expect(throws: InjectorError.self) { try await task.value }
    }
    let late = Task { try await injector.load(Database.self) }
    await injector.waiters(1)
    #expect(log.lines == ["begin"])
    latch.open()
    #expect(try await late.value === injector.get(Database.self))
    #expect(log.lines == ["begin", "cancelled", "begin", "end"])
  }

  @Test("a construction that does not mind being cancelled counts all the same")
  func stubborn() async throws {
    let (latch, count) = (Latch(), Counter())
    try injector.register(
      as: Database.self,
      injectable: .lazySingleton {
        count.increment()
        await latch.wait()
        return Database()
      })
    let first = Task { try await injector.load(Database.self) }
    await injector.waiters(1)
    first.cancel()
    await #expect(throws: InjectorError.self) { try await first.value }
    let second = Task { try await injector.load(Database.self) }
    await injector.waiters(1)
    latch.open()
    #expect(try await second.value === injector.get(Database.self))
    #expect(count.value == 1)
  }

  @Test("a task that is cancelled begins nothing")
  func cancelledBefore() async throws {
    let count = Counter()
    try injector.register(
      as: Database.self,
      injectable: .lazySingleton {
        await Task.yield()
        count.increment()
        return Database()
      })
    let latch = Latch()
    let task = Task {
      await latch.wait()
      return try await injector.load(Database.self)
    }
    task.cancel()
    latch.open()
    await #expect(throws: InjectorError.self) { try await task.value }
    #expect(count.value == 0)
  }
}
