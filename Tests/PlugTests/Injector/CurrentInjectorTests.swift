import TestSupport
import Testing

@testable import Plug

private final class Basket: Sendable {
  let owner: Int

  init(owner: Int) {
    self.owner = owner
  }
}

private struct Handler {
  @Injected(.current) var basket: Basket
  @Injected(.current) var missing: Instance?
}

/// An object that lives longer than any scope.
private let shared = Handler()

private actor Till {
  func owner() throws -> Int? { try Injector.current?.get(Basket.self).owner }
}

@Suite("The current injector")
struct CurrentInjectorTests {
  let root = Injector("shop")
  let log = Log()

  private func scope(_ owner: Int) throws -> Injector {
    try root.makeScope("request") { try $0.register(injectable: .singleton(Basket(owner: owner))) }
  }

  @Test("is nil outside, the innermost one inside, and the outer one again afterwards")
  func nesting() async throws {
    let (outer, inner) = (root.makeScope("outer"), root.makeScope("inner"))
    #expect(Injector.current == nil)
    let given = await outer.run {
      #expect(Injector.current === outer)
      inner.run { #expect(Injector.current === inner) }
      #expect(Injector[.current] === outer)
      return 7
    }
    #expect(given == 7)
    await root.run {
      #expect(Injector.current === root)
      await inner.run { #expect(Injector.current === inner) }
      #expect(Injector.current === root)
    }
    #expect(throws: Failure.self) { try outer.run { throw Failure() } }
    #expect(Injector.current == nil)
  }

  @Test("is inherited by child tasks, tasks and actors, and not by a detached task")
  func inheritance() async throws {
    let scope = try scope(3)
    try await scope.run {
      async let child = Injector.current?.get(Basket.self).owner
      #expect(try await child == 3)
      #expect(try await Task { try Injector.current?.get(Basket.self).owner }.value == 3)
      #expect(try await Till().owner() == 3)
      #expect(await Task.detached { Injector.current == nil }.value)
      let owners = try await withThrowingTaskGroup(of: Int?.self) { group in
        for _ in 0..<4 { group.addTask { try Injector.current?.get(Basket.self).owner } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(owners == [3, 3, 3, 3])
    }
  }

  @Test("is the one that keeps an instance while that is made, for tasks that its factory begins, too")
  func keeping() async throws {
    typealias Owners = Task<[Int?], any Error>
    let begin: @Sendable () -> Owners = {
      let owner = Injector.current?[Basket.self]?.owner
      return Task { [owner, try Injector.current?.get(Basket?.self)?.owner] }
    }
    try root.register(injectable: .lazySingleton { begin() })
    try root.register(tag: "loaded", injectable: .lazySingleton { () async throws in begin() })
    try root.register(tag: "scoped", injectable: .scoped { begin() })
    for tag in [nil, "loaded", "scoped"] as [Injector.Tag?] {
      var owners: [[Int?]] = []
      for number in 1...2 {
        let scope = try scope(number)
        owners.append(try await scope.run { try await scope.load(Owners.self, tag: tag) }.value)
      }
      #expect(owners == (tag == "scoped" ? [[1, 1], [2, 2]] : [[nil, nil], [nil, nil]]))
    }
  }

  @Test(
    "is refused to a factory of an instance that outlives it, if only it has the service", arguments: [false, true])
  func capturing(isLoaded: Bool) async throws {
    let make: @Sendable () throws -> Instance = { Instance("\(try #require(Injector.current).get(Basket.self).owner)") }
    try root.register(
      injectable: isLoaded ? .lazySingleton { () async throws in try make() } : .lazySingleton { try make() })
    let scope = try scope(1)
    let error = await #expect(throws: InjectorError.self) {
      try await scope.run { try await scope.load(Instance.self) }
    }
    #expect(
      error?.headline
        == "Basket would be captured by a longer-lived service: Instance (lazySingleton) → Basket (singleton).")
  }

  @Test("keeps the isolation of the closure that it runs")
  @MainActor func isolation() async throws {
    var count = 0
    await root.run {
      MainActor.assertIsolated()
      count += 1
      await Task.yield()
      MainActor.assertIsolated()
    }
    let owner = try await root.withScope { scope in
      MainActor.assertIsolated()
      count += 1
      try scope.register(injectable: .singleton(Basket(owner: 5)))
      await Task.yield()
      return try scope.get(Basket.self).owner
    }
    #expect(count == 2)
    #expect(owner == 5)
  }

  @Test("returns each request its own instance through a shared property")
  func property() throws {
    for owner in 1...3 {
      let scope = try scope(owner)
      scope.run {
        #expect(shared.basket.owner == owner)
        #expect(shared.basket.owner == owner)
        #expect(shared.missing == nil)
      }
      scope.closeNow()
    }
  }

  @Test("is used by the properties of providers, too")
  func providers() throws {
    let owners = try [1, 2].map { number in
      try scope(number).run { try Till.Owner().$owner.get() }
    }
    #expect(owners == [1, 2])
  }

  @Test("is reported as missing by a property that is read without one")
  func missing() async throws {
    let line = #line + 2
    struct Late {
      @Injected(.current) var basket: Basket
    }
    let error = await Task.detached { #expect(throws: InjectorError.self) { try Late().$basket.get() } }.value
    #expect(
      error?.description == """
        get(Basket.self) failed: this task has no current injector.
          service:        Basket
          injector:       (none)
          chain:          Basket
          asked at:       \(#fileID):\(line)
        To fix this:
          - Run it in one: scope.run { … }, or withScope { … }.
          - Child tasks and Task { } inherit the current injector. Task.detached, a thread and a callback do not.
        """)
    #expect(error?.facts.injector == nil)
  }

  @Test("is still found after its closing, and every request reports that")
  func closed() async throws {
    let scope = try scope(1)
    let isClosed = Latch()
    let task = await scope.run {
      Task {
        await isClosed.wait()
        return #expect(throws: InjectorError.self) { try Injector.current?.get(Basket.self) }
      }
    }
    await scope.close()
    isClosed.open()
    guard case .closed(let facts) = try #require(await task.value) else { throw try #require(await task.value) }
    #expect(facts.injector == "shop/request")
  }

  @Test("is not an injector that is created with its name")
  func name() throws {
    let injector = Injector(.current)
    #expect(injector.name == nil)
    let named = Injector("current")
    #expect(Injector.current == nil)
    root.run { #expect(Injector[.current] === root) }
    #expect(Injector["current"] === named)
  }

  @Test("belongs to each request in 64 tasks at once, with 1,000 requests each", .timeLimit(.minutes(10)))
  func manyRequests() async throws {
    let till = Till()
    let wrong = Counter()
    try root.register(injectable: .scoped { injector in try Order(basket: injector.get()) })
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<64 {
        group.addTask { [root] in
          for round in 0..<1_000 {
            let owner = task * 1_000 + round
            await root.withScope("request") { scope in
              _ = try? scope.register(injectable: .singleton(Basket(owner: owner)))
              async let child = (try? Injector.current?.get(Order.self))?.basket.owner
              if shared.basket.owner != owner { wrong.increment() }
              if round.isMultiple(of: 16) {
                if (try? await till.owner()) != owner { wrong.increment() }
                if await Task.detached(operation: { Injector.current != nil }).value { wrong.increment() }
              }
              if await child != owner { wrong.increment() }
            }
          }
        }
      }
    }
    #expect(wrong.value == 0)
  }
}

private struct Order: Sendable {
  let basket: Basket
}

extension Till {
  struct Owner {
    @Injected(\.owner, in: .current) var owner: Int
  }
}

extension Injector {
  fileprivate var owner: Provider<Int> { provide(.factory { try $0.get(Basket.self).owner }) }
}

@Suite("A scope that lasts as long as a closure")
struct WithScopeTests {
  let root = Injector("shop")
  let log = Log()

  init() throws {
    try root.register(
      as: Basket.self, injectable: .scoped { Basket(owner: 1) }.onClose { [log] in log.add("close \($0.owner)") })
    try root.register(
      as: Instance.self,
      injectable: .scoped { Instance("slow") }.onClose { [log] instance in
        await Task.yield()
        log.add("close \(instance.name)")
      })
  }

  @Test("is current, is closed at the end, and returns the result of the closure")
  func synchronous() throws {
    let (scope, owner) = try root.withScope("request") { scope in
      #expect(Injector.current === scope)
      return (scope, try scope.get(Basket.self).owner)
    }
    #expect(owner == 1)
    #expect(scope.isClosed)
    #expect(scope.description == #"Injector("shop/request")"#)
    #expect(log.lines == ["close 1"])
    #expect(throws: Failure.self) {
      try root.withScope { scope in
        _ = try scope.get(Basket.self)
        throw Failure()
      }
    }
    #expect(log.lines == ["close 1", "close 1"])
    #expect(Injector.current == nil)
  }

  @Test("is closed when the call returns, with the asynchronous closings")
  func asynchronous() async throws {
    let name = try await root.withScope { scope in
      _ = try scope.get(Basket.self)
      await Task.yield()
      return try scope.get(Instance.self).name
    }
    #expect(name == "slow")
    #expect(log.lines == ["close slow", "close 1"])
  }

  @Test("is closed when the closure throws, and when its task is cancelled", arguments: [false, true])
  func failure(isCancelled: Bool) async throws {
    let task = Task { [root] in
      try await root.withScope { scope in
        _ = try scope.get(Instance.self)
        if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
        try Task.checkCancellation()
        throw Failure()
      }
    }
    let error = await #expect(throws: (any Error).self) { try await task.value }
    #expect(error is CancellationError == isCancelled)
    #expect(log.lines == ["close slow"])
  }
}
