import Synchronization
import TestSupport
import Testing

@testable import Plug

@Suite("A module")
struct InjectorModuleTests {
  private let services = Injector("services")

  @Test("is installed once, after the modules that it requires")
  func order() throws {
    try services.install(ShopModule.self, SearchModule.self)
    try services.install(SearchModule.self)
    #expect(try services.get(Market.self).search.network.name == "network")
    #expect(
      services.graph().nodes.compactMap(\.registeredAt?.module).sorted()
        == ["Network", "Search", "Shop"].map { "\($0)Module" })
  }

  @Test("is passed over in a scope if the injector around it has it, and in the copy of a test")
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

  @Test("stands beside the places of what it registers: in errors, graphs and explanations")
  func names() throws {
    let line = SearchModule.line
    try services.install(ShopModule.self, PluginModule.self)
    do {
      try services.register { Finder(network: Wire()) }
      Issue.record("the registration should have been refused")
    } catch {
      #expect(error.facts.registeredAt == CodeLocation(fileID: #fileID, line: line, module: "SearchModule"))
      #expect(
        error.description.contains("\n  registered at:  PlugTests/InjectorModuleTests.swift:\(line) (SearchModule)\n"))
    }
    #expect(
      services.graph().description == """
        Int: one of 1
          [five] (lazySingleton, opaque, of PluginModule)
        Market (lazySingleton, of ShopModule)
          Finder (lazySingleton, of SearchModule)
            Wire (lazySingleton, opaque, of NetworkModule)
        """)
    #expect(
      try services.explain(Int.self, in: "x").description == """
        Int in String: 1 of 1 apply, selected: five
          point numbers: open
            five: selected, of PluginModule
        """)
    #expect(
      try services.explain(Market.self, in: "x").description == """
        Market in String: 1 of 1 apply, selected: default
          default: selected, of ShopModule
        """)
  }

  @Test("leaves nothing registered if it, or one after it, throws; then it can be installed again")
  func failure() throws {
    try services.register(as: String.self) { "before" }
    FailingModule.fails.store(true, ordering: .relaxed)
    do {
      try services.install(ShopModule.self, FailingModule.self, fileID: "App/Launch.swift", line: 7)
      Issue.record("the module should have thrown")
    } catch {
      #expect(
        error.description == """
          install(FailingModule.self) failed: boom
            module:         FailingModule
            injector:       services
            asked at:       App/Launch.swift:7
          To fix this:
            - Check register(in:) of FailingModule. The next install tries again.
          """)
    }
    #expect(services.graph().nodes.map(\.name) == ["String"])
    FailingModule.fails.store(false, ordering: .relaxed)
    try services.install(ShopModule.self, FailingModule.self)
    #expect(try services.getAll(Int.self, in: "x") == [1, 0])
  }

  @Test("is taken out of what others have registered too, if it throws")
  func sharedService() throws {
    try services.register(PluginPoint<Int, String>("numbers") { Candidate("five") { 5 } })
    FailingModule.fails.store(true, ordering: .relaxed)
    #expect(throws: InjectorError.self) { try services.install(FailingModule.self) }
    #expect(try services.getAll(Int.self, in: "x") == [5])
  }

  @Test("is not taken for another one of the same name, when that throws")
  func sameName() throws {
    try services.install(One.SameModule.self)
    #expect(throws: InjectorError.self) { try services.install(Other.SameModule.self) }
    #expect(try services.get(Int.self) == 1)
    #expect(!services.isRegistered(type: String.self))
  }

  @Test("that requires itself is refused, and nothing is installed")
  func circle() throws {
    do {
      try services.install(ShopModule.self, EggModule.self, fileID: "App/Launch.swift", line: 7)
      Issue.record("the modules should have been refused")
    } catch {
      #expect(
        error.description == """
          install(EggModule.self) was refused: it requires itself: EggModule → HenModule → EggModule.
            module:         EggModule
            injector:       services
            asked at:       App/Launch.swift:7
          To fix this:
            - Move what both need into a module that both require.
          """)
    }
    #expect(services.graph().nodes.isEmpty)
  }

  @Test("cannot be added to a sealed or closed injector, but is passed over if it is there")
  func sealed() throws {
    try services.install(NetworkModule.self)
    try services.seal()
    try services.install(NetworkModule.self)
    #expect(throws: InjectorError.self) { try services.install(SearchModule.self) }
    services.closeNow()
    #expect(throws: InjectorError.self) { try services.install(NetworkModule.self) }
  }

  @Test("may install others while it is installed itself")
  func nested() throws {
    try services.install(NestingModule.self)
    #expect(
      services.graph().nodes.compactMap(\.registeredAt?.module) == ["NestingModule", "NestingModule", "NetworkModule"])
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
