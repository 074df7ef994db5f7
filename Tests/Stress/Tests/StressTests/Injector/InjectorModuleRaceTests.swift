import PlugOperations
import TestSupport
import Testing

@testable import Plug

private final class Wire: Sendable { let name = "network" }

private final class Finder: Sendable {
  let network: Wire
  init(network: Wire) { self.network = network }
}

private final class Market: Sendable {
  let search: Finder
  init(search: Finder) { self.search = search }
}

private enum NetworkModule: InjectorModule {
  static func register(in injector: Injector) throws {
    try injector.register { Wire() }
  }
}

private enum SearchModule: InjectorModule {
  static let requires: [any InjectorModule.Type] = [NetworkModule.self]

  static func register(in injector: Injector) throws {
    try injector.register(injectable: .lazySingleton(wiring: Finder.init))
  }
}

private enum ShopModule: InjectorModule {
  static let requires: [any InjectorModule.Type] = [SearchModule.self, NetworkModule.self]

  static func register(in injector: Injector) throws {
    try injector.register(injectable: .lazySingleton(wiring: Market.init))
  }
}

@Suite("A module under several threads", .repeatable)
struct InjectorModuleRaceTests {
  @Test("is installed once when eight threads install it")
  func race() throws {
    try TestSupport.race(
      threads: 8, makeSubject: { _ in Injector() },
      body: { services, _ in (try? services.install(ShopModule.self)) != nil },
      check: { services, outcomes in
        #expect(outcomes.allSatisfy { $0 } && services.graph().nodes.count == 3)
      })
  }
}
