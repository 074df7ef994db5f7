import Plug
import TestSupport
import Testing

private final class Kept: Sendable {}
private final class Refusing: Sendable {}

/// A value that one request shares, with a service that may lack its configuration.
private struct Shared: Sendable {
  let counter: Counter
}

private struct Outer: Sendable {
  let shared: Shared
}

@Suite("A configuration that fails", .repeatable, .serialized)
struct ConfigurationFailureTests {
  @Test("fails for requests of its own service, and not for requests of what that service needs")
  func innocentWaiters() throws {
    try race(threads: 4) { _ -> Injector in
      let injector = Injector()
      try injector.register(injectable: .lazySingleton { Kept() }.configure { _, _ in })
      try injector.register(
        injectable: .lazySingleton { injector in
          _ = try injector.get(Kept.self)
          return Refusing()
        }.configure { _, _ in throw Failure() })
      return injector
    } body: { injector, thread -> Result<Void, InjectorError> in
      thread % 2 == 0 ? injector.outcome(Kept.self).map { _ in } : injector.outcome(Refusing.self).map { _ in }
    } check: { injector, outcomes in
      let failed = outcomes.map { outcome in
        if case .failure(.constructionFailed(let facts, _)) = outcome { facts.service } else { "" }
      }
      #expect(failed == ["", "Refusing", "", "Refusing"])
    }
  }

  @Test("hides every instance that refers to the unconfigured one from the rest of the request", arguments: [1, 2])
  func rest(threads: Int) throws {
    try race(threads: threads) { _ -> Injector in
      let (injector, attempts) = (Injector(), Counter())
      try injector.register(
        injectable: .lazySingleton { Counter() }.configure { counter, injector in
          _ = try injector.get(Kept.self)
          if attempts.increment() == 1 { throw Failure() }
          counter.increment()
        })
      try injector.register(injectable: .graph { Shared(counter: try $0.get()) })
      try injector.register(
        injectable: .lazySingleton { injector in
          _ = try injector.get(Shared.self)
          return Kept()
        })
      try injector.register(
        injectable: .factory { injector in
          _ = try? injector.get(Kept.self)
          return Outer(shared: try injector.get())
        })
      return injector
    } body: { injector, _ in
      injector.outcome(Outer.self).map { $0.shared.counter.value }
    } check: { injector, outcomes in
      for outcome in outcomes { if case .success(let count) = outcome { #expect(count == 1) } }
      let outer = try injector.get(Outer.self)
      #expect(outer.shared.counter.value == 1)
    }
  }
}
