import Synchronization
import TestSupport
import Testing

@testable import Plug

private struct Outer: Sendable {
  let inner: Inner
}

private final class Inner: Sendable {}

private func makeServices(isSealed: Bool) throws -> Injector {
  let services = Injector("shop")
  try services.register { Inner() }
  try services.register(injectable: .factory(wiring: Outer.init))
  try services.register(
    PluginPoint<String, Int>("sizes") {
      Candidate("large", .factory { "large" }).when(Rule("is large") { $0 > 10 })
      Candidate("small") { "small" }
    })
  if isSealed { try services.seal() }
  return services
}

extension Injector {
  /// All that a tracer or a seal says of an injector.
  fileprivate var state: Int { registrations.state.load(ordering: .relaxed) }

  fileprivate var hasSealedSlots: Bool { unsafe registrations.sealed.load(ordering: .relaxed) != nil }

  fileprivate func requestAll() throws {
    _ = try get(Outer.self)
    _ = try get(String.self, in: 5)
    if parent != nil { _ = try get(Double.self) }
  }
}

@Suite("An injector that is traced")
struct TracedInjectorTests {
  private static let events = [
    "resolved Inner (Outer → Inner)", "constructed Outer", "resolved Outer", "selected small for String",
    "resolved String",
  ]

  @Test(
    "reports everything that exists and is made, in scopes that were opened before and after, too",
    arguments: [false, true])
  func scopes(isSealed: Bool) throws {
    let (services, log) = (try makeServices(isSealed: isSealed), Log())
    let before = try services.makeScope("before") { try $0.register(injectable: .singleton(1.5)) }
    let inner = before.makeScope("inner")
    for injector in [services, before, inner] { try injector.requestAll() }
    services.tracer = { event in
      if case .constructed = event.kind { return log.add("\(event.injector ?? ""): constructed \(event.service)") }
      log.add("\(event.injector ?? ""): \(event)")
    }
    let after = try services.makeScope("after") { try $0.register(injectable: .singleton(2.5)) }
    for injector in [services, before, inner, after] { try injector.requestAll() }
    services.tracer = nil
    for injector in [services, before, inner, after] { try injector.requestAll() }
    let scoped = ["shop/before", "shop/before/inner", "shop/after"].flatMap { name in
      (Self.events + ["resolved Double"]).map { "\(name): \($0)" }
    }
    #expect(log.lines == Self.events.map { "shop: \($0)" } + scoped)
  }

  @Test("is the one at the root of a scope with a tracer; the scope alone reports, and no other injector is marked")
  func others() throws {
    let (services, other, log) = (try makeServices(isSealed: true), try makeServices(isSealed: true), Log())
    let (scope, sibling) = (services.makeScope("scope"), services.makeScope("sibling"))
    let token = scope.makeScope("inner").trace { log.add("inner: \($0)") }
    scope.tracer = { log.add("\($0)") }
    #expect(scope.registrations.isTraced && sibling.registrations.isTraced && services.registrations.isTraced)
    #expect(!other.registrations.isTraced && other.state == Registrations.State.sealed && other.hasSealedSlots)
    for injector in [services, sibling, other, other.makeScope()] { _ = try injector.get(Inner.self) }
    _ = try scope.get(Inner.self)
    #expect(log.lines == ["resolved Inner"])
    withExtendedLifetime(token) {}
  }

  @Test(
    "is none any more when the last tracer has gone, with its scope, its token or by itself", arguments: [false, true])
  func release(isSealed: Bool) throws {
    let services = try makeServices(isSealed: isSealed)
    let state = services.state
    var scope: Injector? = services.makeScope("scope")
    scope?.tracer = { _ in }
    scope?.tracer = { _ in }
    let token = scope?.trace { _ in }
    let second = services.trace { _ in }
    services.tracer = { _ in }
    #expect(services.state == state | Registrations.State.traced && !services.hasSealedSlots)
    services.tracer = nil
    second.cancel()
    second.cancel()
    #expect(services.registrations.isTraced)
    scope = nil
    token?.cancel()
    #expect(services.state == state && services.hasSealedSlots == isSealed)
  }

  @Test("can be sealed and closed, and stays so")
  func sealing() throws {
    let services = try makeServices(isSealed: false)
    services.tracer = { _ in }
    try services.seal()
    #expect(services.registrations.isSealed && !services.hasSealedSlots)
    let instance = try services.get(Inner.self)
    services.tracer = nil
    #expect(services.state == Registrations.State.sealed && services.hasSealedSlots)
    #expect(try services.get(Inner.self) === instance)
    services.tracer = { _ in }
    services.closeNow()
    services.tracer = nil
    #expect(services.state == Registrations.State.sealed | Registrations.State.closed && !services.hasSealedSlots)
    #expect(throws: InjectorError.self) { try services.get(Inner.self) }
  }
}
