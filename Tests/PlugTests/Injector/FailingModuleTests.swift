import Plug
import PlugIsolation
import PlugKeys
import TestSupport
import Testing

@Suite("A module that throws")
struct FailingModuleTests {
  private let services = Injector("services", allowRewrite: true)

  @Test("leaves replaced, removed and decorated registrations as they were, and closes their instances")
  func restored() throws {
    let log = Log()
    try register(log)
    let wire = try services.get(Wire.self)
    #expect(throws: InjectorError.self) { try services.install(FailingModule.self) }
    #expect(log.lines.prefix(3) == ["network closed", "given closed", "registered"])
    #expect(log.lines.dropFirst(3) == ["new closed"])
    #expect(try services.get(Wire.self) !== wire)
    #expect(try services.get(Wire.self).name == "network")
    #expect(try services.get(String.self) == "given")
    #expect(try services.get(Double.self) == 1.5)
    #expect(try services.get(Bool.self))
    #expect(!services.isRegistered(Character.self))
    // The given string was closed when it was replaced.
    services.closeNow()
    #expect(log.lines.dropFirst(4) == ["network closed", "1.5 closed"])
  }

  @Test("leaves a scope its registrations, and closes the instances of those that it has replaced")
  func scoped() throws {
    let (log, scope) = (Log(), services.makeScope("request"))
    try scope.register(.scoped { Wire("own") }.onClose { log.add("\($0.name) closed") })
    let wire = try scope.get(Wire.self)
    #expect(throws: InjectorError.self) { try scope.install(RewiringModule.self) }
    #expect(log.lines == ["own closed"])
    #expect(try scope.get(Wire.self) !== wire)
    scope.closeNow()
    #expect(log.lines == ["own closed", "own closed"])
  }

  @Test("closes the instances of the registrations that it replaces at once")
  func replacing() throws {
    let log = Log()
    try register(log)
    _ = try services.get(Wire.self)
    try services.install(RewritingModule.self)
    #expect(log.lines == ["network closed", "given closed", "registered"])
    #expect(try services.get(Double.self) == 2.5)
    #expect(try services.get(Wire.self).name == "new")
    services.closeNow()
    #expect(log.lines == ["network closed", "given closed", "registered", "new closed", "1.5 closed"])
  }

  private func register(_ log: Log) throws {
    try services.register(injectable: .singleton(log))
    try services.register(injectable: .singleton("given").onClose { log.add("\($0) closed") })
    try services.register(injectable: .lazySingleton { Wire() }.onClose { log.add("\($0.name) closed") })
    try services.register(injectable: .singleton(1.5).onClose { log.add("\($0) closed") })
    try services.register { true }
  }

  @Test("leaves the candidates of a service as they were, with their instances")
  func candidates() throws {
    try services.register(PluginPoint<Int, String>("numbers") { Candidate("five", .factory { 5 }) })
    try services.contribute(Int.self, .lazySingleton { 6 }, when: Rule<String>.always, id: "six")
    try services.register(injectable: .singleton(7))
    #expect(throws: InjectorError.self) { try services.install(CandidateModule.self) }
    #expect(try services.getAll(Int.self, in: "x") == [5, 6, 7])
    try services.contribute(Int.self, .singleton(8), when: Rule<String>.always, id: "eight")
    #expect(try services.getAll(Int.self, in: "x") == [5, 6, 8, 7])
  }

  @Test("takes back its decorators, also for later registrations")
  func decorators() throws {
    #expect(throws: InjectorError.self) { try services.install(DecoratingModule.self) }
    try services.register { "plain" }
    #expect(try services.get(String.self) == "plain")
  }

  @Test("inside another one that catches the error leaves that one's registrations")
  func caught() throws {
    try services.install(CatchingModule.self)
    #expect(try services.get(Int.self) == 1)
    #expect(!services.isRegistered(String.self))
    try services.install(NetworkModule.self)
    #expect(services.isRegistered(Wire.self))
  }

  @Test("leaves values of properties, and can be installed again")
  func again() throws {
    for _ in 0..<2 {
      let error = #expect(throws: InjectorError.self) { try services.install(ThemeModule.self) }
      let asked = #line - 1
      #expect(
        error?.description == """
          install(ThemeModule.self) failed: \(Boom())
            module:         ThemeModule
            injector:       services
            asked at:       PlugTests/FailingModuleTests.swift:\(asked)
          To fix this:
            - Check register(in:) of ThemeModule. The next install tries again.
          """)
    }
    #expect(services[Theme.self] == "dark")
  }

  @Test("is not confused with another one of the same name")
  func sameName() throws {
    try services.install(One.SameModule.self)
    #expect(throws: InjectorError.self) { try services.install(Other.SameModule.self) }
    #expect(try services.get(Int.self) == 1)
    #expect(!services.isRegistered(String.self))
  }

  @Test("after it has sealed the injector leaves its registrations")
  func sealing() throws {
    #expect(throws: InjectorError.self) { try services.install(SealingModule.self) }
    #expect(try services.get(Int.self) == 1)
  }

  @Test("in a preview leaves the copy with the registrations of the program")
  func isolated() throws {
    try services.register { Wire() }.register { 1 }
    try Injector.preview { () throws in
      #expect(throws: InjectorError.self) { try services.install(BrokenModule.self) }
      #expect(try services.get(Wire.self).name == "network")
      #expect(try services.get(Int.self) == 1)
    }
  }
}

private final class Wire: Sendable {
  let name: String
  init(_ name: String = "network") { self.name = name }
}

private enum NetworkModule: InjectorModule {
  static func register(in injector: Injector) throws { try injector.register { Wire() } }
}

private enum RewritingModule: InjectorModule {
  static func register(in injector: Injector) throws {
    let log = try injector.get(Log.self)
    try injector.register(injectable: .lazySingleton { Wire("new") }.onClose { log.add("\($0.name) closed") })
    _ = try injector.get(Wire.self)
    try injector.register(injectable: .singleton("other"))
    try injector.decorate(Double.self) { inner, _ in inner + 1 }
    try injector.unregister(Bool.self)
    try injector.register { Character("x") }
    log.add("registered")
  }
}

private enum FailingModule: InjectorModule {
  static let requires: [any InjectorModule.Type] = [RewritingModule.self]
  static func register(in injector: Injector) throws { throw Boom() }
}

private enum CandidateModule: InjectorModule {
  static func register(in injector: Injector) throws {
    try injector.unregister(Int.self, candidate: "six")
    try injector.contribute(Int.self, .factory { 55 }, when: Rule<String>.always, id: "five")
    try injector.contribute(Int.self, .factory { 9 }, when: Rule<String>.always, id: "nine")
    try injector.register(injectable: .singleton(77))
    #expect(try injector.getAll(Int.self, in: "x") == [55, 9, 77])
    throw Boom()
  }
}

private enum DecoratingModule: InjectorModule {
  static func register(in injector: Injector) throws {
    try injector.decorate(String.self) { inner, _ in "decorated \(inner)" }
    throw Boom()
  }
}

private enum CatchingModule: InjectorModule {
  static func register(in injector: Injector) throws {
    try injector.register { 1 }
    #expect(throws: InjectorError.self) { try injector.install(BrokenModule.self) }
  }
}

private enum BrokenModule: InjectorModule {
  static let requires: [any InjectorModule.Type] = [NetworkModule.self]

  static func register(in injector: Injector) throws {
    try injector.register { 2 }
    try injector.register { "broken" }
    throw Boom()
  }
}

private enum ThemeModule: InjectorModule {
  static func register(in injector: Injector) throws {
    injector[Theme.self] = "dark"
    try injector.register { 1 }
    throw Boom()
  }
}

private enum RewiringModule: InjectorModule {
  static func register(in injector: Injector) throws {
    try injector.unregister(Wire.self)
    try injector.register { Wire("new") }
    throw Boom()
  }
}

private enum SealingModule: InjectorModule {
  static func register(in injector: Injector) throws {
    try injector.register { 1 }
    try injector.seal()
    throw Boom()
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
