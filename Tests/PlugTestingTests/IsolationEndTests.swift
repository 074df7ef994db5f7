import Plug
import PlugTesting
import Synchronization
import Testing

/// Works in a task until it is released.
private final class Poller: Sendable {
  let task: Task<String?, Never>

  init(_ injector: Injector) {
    task = Task {
      while !Task.isCancelled { await Task.yield() }
      return injector.paymentsName
    }
  }

  deinit { task.cancel() }
}

/// Keeps the isolation that it has been made in.
private final class Keeper: Sendable {
  let isolation = Isolation.current
  let onEnd: @Sendable () -> Void

  init(onEnd: @escaping @Sendable () -> Void) {
    self.onEnd = onEnd
  }

  deinit { onEnd() }
}

@Suite("The end of isolation")
struct IsolationEndTests {
  @Test("A task that an instance of the test runs is ended with the instance, and sees what the test has overridden")
  func pollers() async throws {
    let injector = try Injector.shop(isSealed: true)
    let task = try withIsolatedInjectors {
      try injector.override(as: (any Payments).self, injectable: .lazySingleton { FakePayments() })
      try injector.override(as: Poller.self, injectable: .lazySingleton { _ in Poller(injector) })
      return try injector.get(Poller.self).task
    }
    #expect(await task.value == "fake")
  }

  @Test("What is to be closed is closed when the test ends, also if a task goes on")
  func closing() async throws {
    let closed = Mutex(0)
    let injector = Injector()
    try injector.register(
      injectable: .lazySingleton { Shopper() }.onClose { _ in closed.withLock { $0 += 1 } })
    let (signal, end) = AsyncStream.makeStream(of: Void.self)
    let task = try withIsolatedInjectors {
      let first = try injector.get(Shopper.self)
      return Task {
        for await _ in signal {}
        return (first.id, injector[Shopper.self]?.id)
      }
    }
    #expect(closed.withLock { $0 } == 1)
    end.finish()
    let ids = await task.value
    #expect(ids.0 == "ada" && ids.1 == "ada")
  }

  @Test("An instance that keeps the isolation does not keep the test's copies")
  func keepers() throws {
    let ended = Mutex(0)
    let injector = Injector()
    try injector.register { Keeper { ended.withLock { $0 += 1 } } }
    try withIsolatedInjectors {
      _ = try injector.get(Keeper.self)
      #expect(ended.withLock { $0 } == 0)
    }
    #expect(ended.withLock { $0 } == 1)
  }

  @Test("An instance that is replaced, or goes with the test, may use injectors while it ends")
  func deinits() throws {
    let injector = try Injector.shop()
    let names = Mutex<[String?]>([])
    let keeper = { @Sendable in
      Keeper {
        names.withLock { $0.append("end") }; _ = injector.isSealed
      }
    }
    try withIsolatedInjectors {
      try injector.override(as: Keeper.self, injectable: .singleton(keeper()))
      try injector.override(as: Keeper.self, injectable: .singleton(keeper()))
      #expect(names.withLock { $0.count } == 1)
      try injector.override(as: Keeper.self, injectable: .lazySingleton { keeper() })
      #expect(names.withLock { $0.count } == 2)
      _ = try injector.get(Keeper.self)
    }
    #expect(names.withLock { $0.count } == 3)
  }
}
