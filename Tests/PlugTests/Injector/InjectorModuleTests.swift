import Synchronization
import TestSupport
import Testing

@testable import Plug

@Suite("A module")
struct InjectorModuleTests {
  private let services = Injector("services")

  @Test("is skipped in a scope if the outer injector has it, and in the copy of a test")
  func inherited() throws {
    try services.install(ShopModule.self)
    let scope = services.makeScope("request")
    try scope.install(ShopModule.self)
    #expect(try scope.get(Market.self) === services.get(Market.self))
    try Sandbox.run { _ in
      try services.install(ShopModule.self)
      #expect(try services.get(Market.self).search.network.name == "network")
    }
  }

  @Test("that throws removes its registrations also from collections that others have added to")
  func sharedService() throws {
    try services.register(PluginPoint<Int, String>("numbers") { Candidate("five") { 5 } })
    FailingModule.fails.store(true, ordering: .relaxed)
    #expect(throws: InjectorError.self) { try services.install(FailingModule.self) }
    #expect(try services.getAll(Int.self, in: "x") == [5])
  }

  @Test("is not confused with another one of the same name when that one throws")
  func sameName() throws {
    try services.install(One.SameModule.self)
    #expect(throws: InjectorError.self) { try services.install(Other.SameModule.self) }
    #expect(try services.get(Int.self) == 1)
    #expect(!services.isRegistered(type: String.self))
  }

  @Test("cannot be added to a sealed or closed injector, but is skipped if it is installed")
  func sealed() throws {
    try services.install(NetworkModule.self)
    try services.seal()
    try services.install(NetworkModule.self)
    #expect(throws: InjectorError.self) { try services.install(SearchModule.self) }
    services.closeNow()
    #expect(throws: InjectorError.self) { try services.install(NetworkModule.self) }
  }

  @Test("does not keep the injector in which it is installed")
  func released() throws {
    var own: Injector? = Injector()
    weak let known = own
    try own?.install(ShopModule.self)
    own = nil
    #expect(known == nil)
  }
}

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
  static let line = #line + 3

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

private enum PluginModule: InjectorModule {
  static func register(in injector: Injector) throws {
    try injector.register(PluginPoint<Int, String>("numbers") { Candidate("five") { 5 } })
  }
}

private enum FailingModule: InjectorModule {
  static let fails = Atomic(false)

  static func register(in injector: Injector) throws {
    try injector.register(
      as: Int.self, injectable: .singleton(1), when: Rule<String>.enabled, id: "one")
    try injector.register(injectable: .singleton(0))
    if fails.load(ordering: .relaxed) { throw Boom() }
  }
}

private enum One {
  enum SameModule: InjectorModule {
    static func register(in injector: Injector) throws { try injector.register { 1 } }
  }
}

private enum Other {
  enum SameModule: InjectorModule {
    static func register(in injector: Injector) throws {
      try injector.register { "other" }
      throw Boom()
    }
  }
}

private enum EggModule: InjectorModule {
  static var requires: [any InjectorModule.Type] { [HenModule.self] }
  static func register(in injector: Injector) throws { try injector.register { 1 } }
}

private enum HenModule: InjectorModule {
  static var requires: [any InjectorModule.Type] { [EggModule.self] }
  static func register(in injector: Injector) throws { try injector.register { "hen" } }
}

private enum NestingModule: InjectorModule {
  static func register(in injector: Injector) throws {
    try injector.register { 1 }
    try injector.install(NetworkModule.self)
    try injector.register { "after" }
  }
}
