import TestSupport
import Testing

@testable import Plug

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

  @Test("20,000 waiters that are cancelled are told, and cancel the construction once", arguments: [false, true])
  func cancelMany(isReversed: Bool) async throws {
    let (latch, log, count) = (Latch(), Log(), 20_000)
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton {
        await withTaskCancellationHandler {
          await latch.wait()
        } onCancel: {
          log.add("cancelled")
        }
        throw Boom()
      }, fileID: "Shop/Main.swift", line: 3)
    let tasks = (0..<count).map { _ in
      Task { try await injector.load(LoadedDatabase.self, fileID: "Shop/Page.swift", line: 5) }
    }
    await injector.waiters(count)
    for task in isReversed ? tasks.reversed() : tasks { task.cancel() }
    var errors: [String: Int] = [:]
    for task in tasks {
      if case .failure(let error) = await task.result { errors["\(error)", default: 0] += 1 }
    }
    let error = """
      load(LoadedDatabase.self) was cancelled before LoadedDatabase was made.
        service:        LoadedDatabase
        injector:       loading
        chain:          LoadedDatabase
        asked at:       Shop/Page.swift:5
        registered at:  Shop/Main.swift:3
      To fix this:
        - Load it from a task that lives long enough. If you meant to cancel the task, there is nothing to fix.
      """
    #expect(errors == [error: count])
    #expect(log.lines == ["cancelled"])
    latch.open()
    while !injector.loads.isEmpty { await Task.yield() }
    let waiters = injector.state.withLock(\.cells)[0].claim.withLock { claim in
      (all: claim.waiters.count, told: claim.rare?.told, isLoading: claim.rare?.task != nil)
    }
    #expect(waiters == (0, 0, false))
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
