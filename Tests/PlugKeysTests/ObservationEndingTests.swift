import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

@Suite("The observation of a property", .serialized)
struct ObservationEndingTests {
  @Test("ends when the token is cancelled or released")
  func ending() {
    let injector = Injector()
    let log = Log()
    let cancelled = injector.observe(Volume.self) { log.add("cancelled \($0)") }
    var released: ObservationToken? = injector.observe(Volume.self) { log.add("released \($0)") }
    injector[Volume.self] = 1
    cancelled.cancel()
    cancelled.cancel()
    released = nil
    injector[Volume.self] = 2
    #expect(log.lines == ["cancelled 1", "released 1"])
    withExtendedLifetime(released) {}
  }

  @Test("can be cancelled by its own closure, and by the closure of another observer")
  func cancellingInside() {
    let injector = Injector()
    let log = Log()
    let tokens = Locked<[ObservationToken]>([])
    let first = injector.observe(Volume.self) { value in
      log.add("first \(value)")
      for token in tokens.withLock({ $0 }) { token.cancel() }
    }
    let second = injector.observe(Volume.self) { log.add("second \($0)") }
    tokens.withLock { $0 = [first, second] }
    injector[Volume.self] = 1
    injector[Volume.self] = 2
    #expect(log.lines == ["first 1"])
  }

  @Test("ends immediately in a closed injector and in its scopes")
  func closed() async throws {
    let injector = Injector()
    let (scope, log) = (injector.makeScope(), Log())
    await injector.close()
    for injector in [injector, scope] {
      let token = injector.observe(Volume.self, sendsCurrentValue: true) { log.add("\($0)") }
      #expect(await injector.values(of: Volume.self).reduce(into: []) { $0.append($1) } == [])
      token.cancel()
    }
    #expect(try await injector.selections(of: String.self).reduce(into: []) { $0.append($1) } == [])
    #expect(log.lines == [])
  }

  @Test("releases the objects of its closure when it is cancelled")
  func releasing() {
    let living = LivingCount()
    let token = observeWithOwner(living)
    #expect(living.current == 1)
    token.cancel()
    #expect(living.current == 0)
  }

  @Test("keeps neither the injector nor the closure alive")
  func lifetime() {
    let alive = LivingCount()
    observeAndRelease(alive)
    #expect(alive.total == 3)
    #expect(alive.current == 0)
  }
}

@inline(never)
private func observeWithOwner(_ living: LivingCount) -> ObservationToken {
  let owner = Tracked(living)
  return Injector().observe(Volume.self) { _ in withExtendedLifetime(owner) {} }
}

@inline(never)
private func observeAndRelease(_ alive: LivingCount) {
  let injector = Injector()
  _ = try? injector.register(injectable: .singleton(Tracked(alive)))
  let (first, second) = (Tracked(alive), Tracked(alive))
  let token = injector.observe(Theme.self) { _ in withExtendedLifetime(first) {} }
  let values = injector.values(of: Volume.self)
  let other = injector.observe(Volume.self) { _ in withExtendedLifetime((second, values)) {} }
  injector[Theme.self] = "dark"
  other.cancel()
  withExtendedLifetime(token) {}
}
