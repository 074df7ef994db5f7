import TestSupport
import Testing

@testable import Plug

private final class Pool: Sendable {}

private final class Store: Sendable {}

@Suite("Loads and closings that would wait for each other under several threads", .repeatable, .timeLimit(.minutes(10)))
struct WaitingCycleRaceTests {
  @Test("Two loads that each close the injector of the other both end")
  func closingEachOther() async throws {
    try await Rounds.run(20) { _ in
      let (one, another, both) = (Injector("one"), Injector("other"), Latch())
      for (own, other) in [(one, another), (another, one)] {
        try own.register(
          injectable: .lazySingleton {
            await both.wait()
            await other.close()
            return Pool()
          })
      }
      async let first = one.loading(Pool.self)
      async let second = another.loading(Pool.self)
      await both.arrivals(2)
      both.open()
      #expect(await first == "Pool cannot be resolved or registered: the injector is closed.")
      #expect(await second == "Pool cannot be resolved or registered: the injector is closed.")
      #expect(await one.close().isEmpty)
      #expect(await another.close().isEmpty)
    }
  }

  @Test("A scope's closing and a load of its parent that wait for each other both end")
  func race() async throws {
    try await Rounds.run(20) { _ in
      let (injector, both) = (Injector("one"), Latch())
      try injector.register(
        injectable: .scoped { Pool() }.onClose { _ in
          await both.wait()
          _ = try? await injector.load(Store.self)
        })
      let scope = injector.makeScope()
      try injector.register(
        injectable: .lazySingleton {
          await both.wait()
          await scope.close()
          return Store()
        })
      _ = try scope.get(Pool.self)
      async let closing = scope.close()
      async let store = injector.load(Store.self)
      await both.arrivals(2)
      both.open()
      #expect(await closing.isEmpty)
      _ = try await store
    }
  }
}

extension Injector {
  /// The first line of the error of a load, or `nil`.
  fileprivate func loading<Service: Sendable>(_ type: Service.Type) async -> String? {
    do {
      _ = try await load(type)
      return nil
    } catch {
      return error.description.split(separator: "\n").first.map { String($0) }
    }
  }
}
