import Plug
import TestSupport
import Testing

private final class Kept: Sendable {}
private final class Refusing: Sendable {}

@Suite("A configuration that fails", .repeatable, .serialized)
struct ConfigurationFailureTests {
  @Test("fails for those who have asked for what it configures, and not for those who wait for what it needs")
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
}
