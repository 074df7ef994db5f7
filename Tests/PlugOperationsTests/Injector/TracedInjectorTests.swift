import Synchronization
import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

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
  /// How many hooks see all requests, here and in scopes.
  fileprivate var hookCount: Int { state.withLock { $0.hooks } }

  /// How many hooks are installed here.
  fileprivate var installedCount: Int { attachment(Layers.Installed.self)?.hooks.count ?? 0 }

  /// Whether no hook makes requests for sealed services take a lock.
  fileprivate var isFast: Bool { state.withLock { $0.phase == .sealed && $0.hooks == 0 } }

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
    "reports requests for existing and new instances, also in scopes opened before or after the tracer is set",
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

  @Test("as a scope reports only its own requests, and slows down only injectors with the same root")
  func others() throws {
    let (services, other, log) = (try makeServices(isSealed: true), try makeServices(isSealed: true), Log())
    let (scope, sibling) = (services.makeScope("scope"), services.makeScope("sibling"))
    let token = scope.makeScope("inner").trace { log.add("inner: \($0)") }
    scope.tracer = { log.add("\($0)") }
    #expect(!scope.isFast && !sibling.isFast && !services.isFast && services.hookCount == 1)
    #expect(other.isFast && other.hookCount == 0)
    for injector in [services, sibling, other, other.makeScope()] { _ = try injector.get(Inner.self) }
    _ = try scope.get(Inner.self)
    #expect(log.lines == ["resolved Inner"])
    withExtendedLifetime(token) {}
  }

  @Test(
    "stops being traced when its last tracer is removed, cancelled or released with a scope", arguments: [false, true])
  func release(isSealed: Bool) throws {
    let services = try makeServices(isSealed: isSealed)
    var scope: Injector? = services.makeScope("scope")
    scope?.tracer = { _ in }
    scope?.tracer = { _ in }
    let token = scope?.trace { _ in }
    let second = services.trace { _ in }
    services.tracer = { _ in }
    #expect(services.hookCount == 2 && !services.isFast)
    services.tracer = nil
    second.cancel()
    second.cancel()
    #expect(services.hookCount == 1 && !services.isFast)
    scope = nil
    token?.cancel()
    #expect(services.hookCount == 0 && services.isFast == isSealed)
  }

  @Test("can be sealed and closed, and stays sealed or closed when the tracer is removed")
  func sealing() throws {
    let services = try makeServices(isSealed: false)
    services.tracer = { _ in }
    try services.seal()
    #expect(services.isSealed && !services.isFast)
    let instance = try services.get(Inner.self)
    services.tracer = nil
    #expect(services.isFast)
    #expect(try services.get(Inner.self) === instance)
    services.tracer = { _ in }
    services.closeNow()
    services.tracer = nil
    #expect(!services.isFast)
    #expect(throws: InjectorError.self) { try services.get(Inner.self) }
  }
}

@Suite("An injector with observed selections and switches")
struct FollowedInjectorTests {
  @Test("still answers other requests without a lock, and reports each choice, also in scopes")
  func speed() throws {
    let (services, log) = (try makeServices(isSealed: true), Log())
    let scope = try services.makeScope("scope") { try $0.register(injectable: .singleton(1.5)) }
    let token = services.onSelection { log.add($0.candidate) }
    try services.disable("large", at: "sizes", because: "INC-7")
    #expect(services.installedCount == 2 && services.hookCount == 0 && services.isFast)
    for injector in [services, scope] {
      try injector.requestAll()
      #expect(try injector.get(String.self, in: 20) == "small")
    }
    try services.restore("large", at: "sizes")
    #expect(try scope.get(String.self, in: 20) == "large")
    let tracer = services.trace { log.add("\($0.service)") }
    #expect(services.installedCount == 2 && services.hookCount == 1 && !services.isFast)
    _ = try scope.get(Inner.self)
    tracer.cancel()
    #expect(services.installedCount == 1 && services.hookCount == 0 && services.isFast)
    token.cancel()
    #expect(services.installedCount == 0)
    _ = try scope.get(String.self, in: 20)
    #expect(log.lines == ["small", "small", "small", "small", "large", "Inner"])
  }
}
