import TestSupport
import Testing

@testable import Plug

private final class Pool: Sendable {}

private struct Store: Sendable {
  let pools: [Pool]
}

extension Injector {
  fileprivate func registerPool(tag: Tag? = nil, _ log: Log = Log()) throws {
    try register(
      as: Pool.self, tag: tag,
      injectable: .lazySingleton {
        await Task.yield()
        return Pool()
      }.onClose { _ in log.add("close") })
  }
}

@Suite("The dependencies of a load", .timeLimit(.minutes(10)))
struct LoadingNeedsTests {
  let injector = Injector()
  let log = Log()

  @Test("may be several candidates, and the same service of another injector")
  func several() async throws {
    let other = Injector()
    try other.registerPool()
    try injector.register(
      PluginPoint<Pool, Injector>("pools") {
        for id in ["one", "two"] {
          Candidate(
            id,
            .lazySingleton {
              await Task.yield()
              return Pool()
            })
        }
      })
    try injector.register { injector in
      Store(pools: try injector.getAll(Pool.self) + [try other.get(Pool.self)])
    }
    #expect(try await injector.load(Store.self).pools.count == 3)
  }

  @Test("of a configuration or a decorator may be asynchronous, and on the main actor")
  func configured() async throws {
    try injector.registerPool(tag: "inner")
    try injector.registerPool(tag: "wrapping")
    try injector.register(
      injectable: .lazySingleton {
        await Task.yield()
        return Store(pools: [])
      }.configure { @MainActor _, injector in
        _ = try injector.get(Pool.self, tag: "inner")
        MainActor.assertIsolated()
      })
    try injector.decorate(Store.self) { inner, injector in
      Store(pools: inner.pools + [try injector.get(Pool.self, tag: "wrapping")])
    }
    #expect(try await injector.load(Store.self).pools.count == 1)
    #expect(try injector.get(Pool.self, tag: "inner") !== injector.get(Pool.self, tag: "wrapping"))
  }

  @Test("are a cycle if a configuration needs a service that needs its own, asynchronously")
  func configuredCircle() async throws {
    try injector.register(
      injectable: .lazySingleton { injector in
        _ = try await injector.load(Store.self)
        return Pool()
      })
    try injector.register(
      injectable: .lazySingleton {
        await Task.yield()
        return Store(pools: [])
      }.configure { _, injector in _ = try injector.get(Pool.self) })
    let error = await #expect(throws: InjectorError.self) { try await injector.load(Store.self) }
    guard case .circularDependency(_, let path) = try #require(error) else { throw try #require(error) }
    #expect(path == ["Store", "Pool", "Store"])
  }

  @Test("are a cycle if an asynchronous service gets a service that gets it")
  func gotByItself() async throws {
    try injector.register { Store(pools: [try $0.get()]) }
    try injector.register(
      injectable: .lazySingleton { injector in
        await Task.yield()
        _ = try injector.get(Store.self)
        return Pool()
      })
    let error = await #expect(throws: InjectorError.self) { try await injector.load(Pool.self) }
    guard case .circularDependency(_, let path) = try #require(error) else { throw try #require(error) }
    #expect(path == ["Pool", "Store", "Pool"])
  }

  @Test("an instance whose decorator or configuration fails is closed", arguments: [true, false])
  func discarded(isAsynchronous: Bool) async throws {
    let injection: Injection<Pool> =
      isAsynchronous
      ? .lazySingleton {
        await Task.yield()
        return Pool()
      } : .lazySingleton { Pool() }
    for step in 0..<2 {
      let (injector, log) = (Injector(), Log())
      let closing = injection.onClose { _ in log.add("close") }
      try injector.register(
        injectable: step == 0 ? closing.configure { _, _ in throw Failure() } : closing)
      if step == 1 { try injector.decorate(Pool.self) { _, _ in throw Failure() } }
      await #expect(throws: InjectorError.self) { try await injector.load(Pool.self) }
      #expect(log.lines == ["close"])
      await injector.close()
      #expect(log.lines == ["close"])
    }
  }

  @Test("a scope starts the services that it decorates, and no others")
  func decoratedScope() async throws {
    try injector.register(
      as: Pool.self,
      injectable: .scoped { [log] in
        await Task.yield()
        log.add("make")
        return Pool()
      })
    let scope = injector.makeScope()
    try scope.decorate(Pool.self) { [log] inner, _ in
      log.add("wrap")
      return inner
    }
    try await scope.start()
    _ = try scope.get(Pool.self)
    #expect(log.lines == ["make", "wrap"])
  }
}
