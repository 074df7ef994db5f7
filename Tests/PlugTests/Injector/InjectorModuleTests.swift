import Plug
import TestSupport
import Testing

@Suite("A module")
struct InjectorModuleTests {
  private let services = Injector("services", allowRewrite: true)

  @Test("is installed once, after those that it requires, and stands beside the location of a registration")
  func requirements() throws {
    let fixed = Injector("services")
    try fixed.install(ShopModule.self, NetworkModule.self)
    try fixed.install(ShopModule.self)
    #expect(try fixed.get(Market.self).search.network.name == "network")
    let error = #expect(throws: InjectorError.self) { try fixed.register(fileID: "App/Main.swift", line: 3) { Wire() } }
    let contribute = #"try Injector["services"].contribute"#
    #expect(
      error?.description == """
        register(Wire.self) was refused: Wire is already registered.
          service:        Wire
          injector:       services
          registered at:  App/Network.swift:7 (NetworkModule)
          refused at:     App/Main.swift:3
        To fix this:
          - Remove one of the two registrations, or give one of them a tag: tag: "…".
          - Or make one of them a candidate that a rule selects: \(contribute)(Wire.self, …, when: …).
          - Or keep both, for getAll, and register each so: \(contribute)(Wire.self, …).
          - Or unregister the first, or create the injector with allowRewrite: true.
        """)
  }

  @Test("can install another one, and each stands beside its own registrations only")
  func nested() throws {
    let fixed = Injector()
    try fixed.install(NestingModule.self)
    try fixed.contribute(Int.self, .singleton(3), id: "last", fileID: "App/Last.swift", line: 1)
    let places = ["first", "second", "last"].map { id in
      let error = #expect(throws: InjectorError.self) {
        try fixed.contribute(Int.self, .singleton(0), id: id)
      }
      return error?.facts.registeredAt?.description
    }
    #expect(
      places == ["App/Nesting.swift:1 (NestingModule)", "App/Nesting.swift:2 (NestingModule)", "App/Last.swift:1"])
    #expect(try fixed.get(Wire.self).name == "network")
  }

  @Test("is skipped in a scope if the outer injector has it")
  func inherited() throws {
    try services.install(ShopModule.self)
    let scope = services.makeScope("request")
    try scope.install(ShopModule.self)
    #expect(try scope.get(Market.self) === services.get(Market.self))
  }

  @Test("that requires itself is refused, and nothing is registered")
  func cycle() throws {
    let error = #expect(throws: InjectorError.self) {
      try services.install(NetworkModule.self, EggModule.self, fileID: "App/Main.swift", line: 1)
    }
    #expect(
      error?.description == """
        install(EggModule.self) was refused: it requires itself: EggModule → HenModule → EggModule.
          module:         EggModule
          injector:       services
          asked at:       App/Main.swift:1
        To fix this:
          - Move the shared dependencies into a module that both require.
        """)
    #expect(!services.isRegistered(Wire.self))
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

private final class Wire: Sendable {
  let name: String
  init(_ name: String = "network") { self.name = name }
}

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
    try injector.register(fileID: "App/Network.swift", line: 7) { Wire() }
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

private enum NestingModule: InjectorModule {
  static func register(in injector: Injector) throws {
    try injector.contribute(Int.self, .singleton(1), id: "first", fileID: "App/Nesting.swift", line: 1)
    try injector.install(NetworkModule.self)
    try injector.install(NestingModule.self)
    try injector.contribute(Int.self, .singleton(2), id: "second", fileID: "App/Nesting.swift", line: 2)
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
