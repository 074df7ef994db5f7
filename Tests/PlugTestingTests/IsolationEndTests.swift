import Plug
import PlugKeys
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
  let isolation = TestIsolation.current
  let onEnd: @Sendable () -> Void

  init(onEnd: @escaping @Sendable () -> Void) {
    self.onEnd = onEnd
  }

  deinit { onEnd() }
}

@Suite("The end of isolation")
struct IsolationEndTests {
  @Test("A task of a test's instance ends with the instance, and sees the test's overrides to the end")
  func pollers() async throws {
    let injector = try Injector.shop(isSealed: true)
    let task = try withIsolatedInjectors {
      try injector.override(as: (any Payments).self, injectable: .lazySingleton { FakePayments() })
      try injector.override(as: Poller.self, injectable: .lazySingleton { _ in Poller(injector) })
      return try injector.get(Poller.self).task
    }
    #expect(await task.value == "fake")
  }

  @Test("A property of a scope that was closed before the test cannot be read in the test")
  func closedBefore() {
    let injector = Injector()
    injector[Theme.self] = "dark"
    let scope = injector.makeScope("request")
    _ = scope[Theme.self]
    scope.closeNow()
    withIsolatedInjectors {
      let (line, error) = (#line, #expect(throws: InjectorError.self) { try scope.get(Theme.self) })
      #expect(
        error?.description == """
          Theme cannot be resolved or registered: the injector is closed.
            service:        Theme
            injector:       request
            chain:          Theme
            asked at:       \(#fileID):\(line)
          To fix this:
            - Get the services that you need before you close the injector, and keep no object that asks it later.
            - Or open another scope: makeScope("…").
          """)
    }
  }

  @Test("Instances are closed when the test ends, even if a task goes on")
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

  @Test("An instance that holds the isolation does not keep the test's copies alive")
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

  @Test("An instance that is replaced or released with the test may use injectors in its deinit")
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

  @Test("Objects that are released with the test still see its copies, and so do tasks that start while it ends")
  func lateWork() async throws {
    let (shop, injector) = (try Injector.shop(), Injector())
    let tasks = Mutex<[Task<String?, Never>]>([])
    let names = Mutex<[String?]>([])
    try injector.register { Keeper { names.withLock { $0.append(shop.paymentsName) } } }
    try injector.register(
      injectable: .lazySingleton { Shopper() }.onClose { _ in
        let task = Task {
          for _ in 0..<10 { await Task.yield() }
          return shop.paymentsName
        }
        tasks.withLock { $0.append(task) }
      })
    try withIsolatedInjectors {
      try shop.override(as: (any Payments).self, injectable: .singleton(FakePayments()))
      _ = try injector.get(Keeper.self)
      _ = try injector.get(Shopper.self)
    }
    #expect(names.withLock { $0 } == ["fake"])
    let task = try #require(tasks.withLock { $0.first })
    #expect(await task.value == "fake")
  }

  @Test("Instances that are made while others close are closed too")
  func chain() throws {
    let closed = Mutex<[String]>([])
    let (first, second) = (Injector(), Injector())
    try second.register(
      injectable: .lazySingleton { Shopper("second") }.onClose { it in closed.withLock { $0.append(it.id) } })
    try first.register(
      injectable: .lazySingleton { Shopper("first") }.onClose { it in
        closed.withLock { $0.append(it.id) }
        _ = second[Shopper.self]
      })
    try withIsolatedInjectors { _ = try first.get(Shopper.self) }
    #expect(closed.withLock { $0 } == ["first", "second"])
  }

  @Test("Sequences of values and selections end with the test")
  func sequences() async throws {
    let injector = try Injector.shop()
    let tasks = withIsolatedInjectors {
      let (values, selections) = (
        injector.values(of: Theme.self), injector.selections(of: (any Search).self, in: Shopper())
      )
      return (
        Task {
          var count = 0
          for await _ in values { count += 1 }
          return count
        },
        Task {
          var ids: [String?] = []
          for try await id in selections { ids.append(id) }
          return ids
        }
      )
    }
    #expect(await tasks.0.value <= 1)
    #expect(try await tasks.1.value == ["catalogue"])
  }
}
