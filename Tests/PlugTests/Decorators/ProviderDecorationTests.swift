import PlugOperations
import TestSupport
import Testing

@testable import Plug

private struct Named: Networking {
  let name: String
}

@MainActor private final class Screen {
  nonisolated let title: String

  init(_ title: String) { self.title = title }
}

extension Injector {
  fileprivate var network: Provider<any Networking> {
    provide(.lazySingleton { Named(name: "live") }, fileID: "Shop/Network.swift", line: 1)
  }
  fileprivate var fresh: Provider<any Networking> { provide(.factory { Named(name: "fresh") }) }
  fileprivate var own: Provider<any Networking> { provide(.scoped { Named(name: "own") }) }
  fileprivate var screen: MainActorProvider<Screen> { provide(.lazySingleton { @MainActor in Screen("screen") }) }
  fileprivate var page: Provider<String, Int> {
    provide(fileID: "Shop/Network.swift", line: 2) { number, _ in "page \(number)" }
  }
  fileprivate var keptPage: Provider<String, Int> {
    provide(lifetime: .lazySingleton, fileID: "Shop/Network.swift", line: 3) { number, _ in "kept \(number)" }
  }

  fileprivate var given: Provider<any Networking> {
    let log = resolve(Log.self)
    return provide(.singleton(Named(name: "given")).onClose { log.add("closed \($0.name)") })
  }
}

extension Provider where Service == any Networking {
  fileprivate func decorate(by name: String) throws(InjectorError) {
    try decorate(id: name) { inner, _ in Named(name: "\(name)(\(inner.name))") }
  }
}

@Suite("The decorator of a provider")
struct ProviderDecorationTests {
  let injector = Injector("shop")

  init() { injector.recordDependencies() }

  @Test("wraps each instance of the provider once, in declared order, and a decorator of the service does not")
  func wraps() throws {
    try injector.decorate((any Networking).self) { _, _ in Named(name: "service") }
    try injector.network.decorate(by: "first")
    try injector.network.decorate(by: "second")
    #expect(injector.network().name == "second(first(live))" && injector.network().name == "second(first(live))")
    #expect(injector.fresh().name == "fresh")
    try injector.fresh.decorate(by: "late")
    #expect(injector.fresh().name == "late(fresh)")
    #expect(
      injector.graph().description == #"""
        \.fresh (factory, decorated by late)
        \.network (lazySingleton, constructed, decorated by first, second)
        """#)
  }

  @Test("is refused once an instance is in use, and the error says so")
  func tooLate() throws {
    _ = injector.network()
    let error = #expect(throws: InjectorError.self) { try injector.network.decorate(by: "late") }
    #expect(
      error?.description == #"""
        injector.network.decorate() was refused: \.network has been requested before.
          service:        \.network
          injector:       shop
          chain:          \.network
          registered at:  Shop/Network.swift:1
        To fix this:
          - Decorate it before the first request, here and in scopes.
        """#)
    #expect(injector.network().name == "live")
    try injector.network.reset()
    try injector.network.decorate(by: "early")
    #expect(injector.network().name == "early(live)")
  }

  @Test("wraps the instances of an override, and stays after a reset")
  func overridden() throws {
    try injector.network.override(.lazySingleton { Named(name: "other") })
    try injector.network.decorate(by: "wrapped")
    #expect(injector.network().name == "wrapped(other)")
    try injector.network.override(.singleton(Named(name: "third")))
    #expect(injector.network().name == "wrapped(third)")
    try injector.network.reset()
    #expect(injector.network().name == "wrapped(live)")
  }

  @Test("of a scope wraps the scope's instance once more, around the outer decorators")
  func scopes() throws {
    try injector.network.decorate(by: "outer")
    try injector.own.decorate(by: "outer")
    let scope = injector.makeScope()
    try scope.network.decorate(by: "inner")
    try scope.own.decorate(by: "inner")
    #expect(scope.network().name == "inner(outer(live))" && scope.own().name == "inner(outer(own))")
    #expect(injector.network().name == "outer(live)")
    #expect(injector.makeScope().own().name == "outer(own)")
    #expect(scope.network().name == "inner(outer(live))")
  }

  @Test("wraps instances made on the main actor, and instances made from arguments")
  @MainActor func others() throws {
    try injector.screen.provider.decorate { @MainActor inner, _ in Screen("wrapped \(inner.title)") }
    #expect(injector.screen().title == "wrapped screen")
    try injector.page.decorate { inner, _ in "wrapped \(inner)" }
    #expect(injector.page(1) == "wrapped page 1" && injector.keptPage(1) == "kept 1")
    let error = #expect(throws: InjectorError.self) { try injector.keptPage.decorate { inner, _ in inner } }
    #expect(
      error?.description.hasPrefix(
        #"injector.keptPage.decorate() was refused: \.keptPage has been requested before."#) == true)
  }

  @Test("leaves the closing of a handed-in instance unchanged")
  func closed() async throws {
    let log = Log()
    try injector.register(injectable: .singleton(log))
    try injector.given.decorate(by: "wrapped")
    #expect(injector.given().name == "wrapped(given)")
    await injector.close()
    #expect(log.lines == ["closed given"])
  }

  @Test("is refused in a sealed injector, and for another actor")
  func refused() throws {
    let error = #expect(throws: InjectorError.self) {
      try injector.network.decorate { @Desk inner, _ in inner }
    }
    guard case .actorUnsupported = try #require(error) else { throw try #require(error) }
    try injector.seal()
    let refusal = #expect(throws: InjectorError.self) { try injector.network.decorate(by: "late") }
    guard case .sealed = try #require(refusal) else { throw try #require(refusal) }
    #expect(injector.network().name == "live")
  }
}

@globalActor private actor Desk {
  static let shared = Desk()
}
