import PlugIsolation
import TestSupport
import Testing

@testable import Plug

private protocol Job: Sendable {
  var name: String { get }
}

private struct NamedJob: Job {
  let name: String
}

private struct Runner: Sendable {
  let jobs: [any Job]
}

@Suite("Many implementations of one service")
struct ContributionTests {
  @Test("are collected from any module, without a context")
  func collected() throws {
    let services = Injector("services")
    try services.register(injectable: .singleton("outbox"))
    try services.contribute((any Job).self, .lazySingleton { NamedJob(name: try $0.get()) }, id: "mail")
    try services.contribute(
      (any Job).self, .lazySingleton { NamedJob(name: "cleanup") }, id: "cleanup", priority: 1)
    try services.contribute((any Job).self, .factory { NamedJob(name: "report") }, id: "report")
    try services.register(injectable: .factory(wiring: Runner.init))
    try services.seal()
    #expect(try services.getAll((any Job).self).map(\.name) == ["cleanup", "outbox", "report"])
    #expect(try services.get([any Job].self).map(\.name) == ["cleanup", "outbox", "report"])
    #expect(try services.get(Runner.self).jobs.map(\.name) == ["cleanup", "outbox", "report"])
    let byID = try services.get([String: any Job].self)
    #expect(byID.mapValues(\.name) == ["cleanup": "cleanup", "mail": "outbox", "report": "report"])
    #expect(try services.get((any Job).self).name == "cleanup")
    #expect(try services.validate().problems == [])
  }

  @Test("coexist with a single registration of the service, in any order", arguments: [false, true])
  func besidePlain(plainFirst: Bool) throws {
    let services = Injector("services")
    if plainFirst { try services.register(as: (any Job).self, injectable: .singleton(NamedJob(name: "plain"))) }
    try services.contribute((any Job).self, .lazySingleton { NamedJob(name: "mail") }, id: "mail")
    if !plainFirst { try services.register(as: (any Job).self, injectable: .singleton(NamedJob(name: "plain"))) }
    #expect(try services.getAll((any Job).self).map(\.name) == ["mail", "plain"])
    try services.unregister((any Job).self, candidate: "mail")
    #expect(try services.getAll((any Job).self).map(\.name) == ["plain"])
  }

  @Test("coexist with candidates with rules of any context, in any order", arguments: [false, true])
  func besideRules(rulesFirst: Bool) throws {
    let services = Injector("services")
    let old = Rule<Guest>.atLeast(\.age, 60)
    func registerRule() throws {
      try services.contribute(
        (any Job).self, .factory { NamedJob(name: "rest") }, when: old, id: "rest", priority: 1)
    }
    if rulesFirst { try registerRule() }
    try services.contribute((any Job).self, .lazySingleton { NamedJob(name: "mail") }, id: "mail")
    let mail = try rulesFirst ? services.get((any Job).self, in: Guest()) : services.get((any Job).self)
    #expect(mail.name == "mail")
    if !rulesFirst { try registerRule() }
    #expect(try services.getAll((any Job).self, in: Guest(age: 61)).map(\.name) == ["rest", "mail"])
    #expect(try services.getAll((any Job).self, in: Guest(age: 30)).map(\.name) == ["mail"])
    #expect(throws: InjectorError.self) { try services.getAll((any Job).self, in: "another context") }
  }

  @Test("keep their instances when candidates with rules join them")
  func instances() throws {
    let services = Injector("services")
    try services.contribute((any Tool).self, .lazySingleton { Instrument("saw") }, id: "saw")
    let saw = try services.get((any Tool).self)
    try services.contribute((any Tool).self, .lazySingleton { Instrument("axe") }, id: "axe")
    #expect(try services.get((any Tool).self, in: Guest()) === saw)
    try services.contribute(
      (any Tool).self, .factory { Instrument("hammer") }, when: Rule<Guest>.never, id: "hammer")
    #expect(try services.get((any Tool).self, in: Guest()) === saw)
  }

  @Test("are available in any context if they are decorated")
  func decorated() throws {
    let services = Injector("services")
    try services.contribute(String.self, .scoped { "mail" }, id: "mail")
    try services.contribute(String.self, .lazySingleton { "report" }, id: "report")
    try services.decorate(String.self, id: "loud") { text, _ in text + "!" }
    let scope = services.makeScope("request")
    #expect(try scope.getAll(String.self, in: Guest()) == ["mail!", "report!"])
    #expect(try scope.get(String.self, in: Guest()) == "mail!")
    #expect(try scope.explain(String.self, in: Guest()).available == ["mail", "report"])
  }

  @Test("need no context after the removal of the last candidate with a rule")
  func ruleGone() throws {
    let services = Injector("services")
    try services.contribute(
      String.self, .factory { "rest" }, when: Rule<Guest>.atLeast(\.age, 60), id: "rest")
    try services.contribute(String.self, .lazySingleton { "mail" }, id: "mail")
    try services.unregister(String.self, candidate: "rest")
    #expect(try services.getAll(String.self) == ["mail"])
    #expect(try services.getAll(String.self, in: "another context") == ["mail"])
  }

  @Test("with one id are refused, and so is a second plain registration, with advice how to have both")
  func duplicates() throws {
    let services = Injector("services")
    try services.contribute(String.self, .lazySingleton { "a" }, id: "a")
    let duplicate = #expect(throws: InjectorError.self) {
      try services.contribute(String.self, .lazySingleton { "b" }, id: "a")
    }
    let text = try #require(duplicate).description
    #expect(
      text == """
        contribute(String.self) was refused: String [a] is already registered.
          service:        String [a]
          injector:       services
          registered at:  PlugTests/ContributionTests.swift:107
          refused at:     PlugTests/ContributionTests.swift:108
        To fix this:
          - Give one of the two its own id: id: "…". Or remove one of them.
        """)
    try services.register(as: String.self, injectable: .singleton("plain"))
    let second = #expect(throws: InjectorError.self) {
      try services.register(as: String.self, injectable: .singleton("plain"))
    }
    let other = try #require(second).description
    #expect(
      other == """
        register(String.self) was refused: String is already registered.
          service:        String
          injector:       services
          registered at:  PlugTests/ContributionTests.swift:122
          refused at:     PlugTests/ContributionTests.swift:123
        To fix this:
          - Remove one of the two registrations, or give one of them a tag: tag: "…".
          - Or make one of them a candidate that a rule selects: \
        try Injector["services"].contribute(String.self, …, when: …).
          - Or keep both, for getAll, and register each so: \
        try Injector["services"].contribute(String.self, …).
          - Or unregister the first, or create the injector with allowRewrite: true.
        """)
  }

  @Test("are explained, and isolated in tests")
  func isolated() throws {
    let services = Injector("services")
    try services.contribute(String.self, .lazySingleton { "a" }, id: "a")
    #expect(
      try services.explain(String.self).description.hasPrefix(
        """
        String in Injector: 1 of 1 apply, selected: a
          a: selected
        """))
    try Sandbox.run { _ in
      try services.contribute(String.self, .lazySingleton { "b" }, id: "b")
      #expect(try services.getAll(String.self) == ["a", "b"])
    }
    #expect(try services.getAll(String.self) == ["a"])
  }

  @Test("that no injector could close are refused by their name")
  func closings() {
    let refused = #expect(throws: InjectorError.self) {
      try Injector().contribute(String.self, .factory { "a" }.onClose { _ in }, id: "a")
    }
    #expect(
      refused?.headline
        == "contribute(String.self) was refused: onClose and eager() have no effect, as no injector keeps factory "
        + "instances.")
  }

  @Test("that a scope inherits are made for the scope, with its services and without its decorators")
  func inherited() throws {
    let root = Injector()
    try root.contribute(Int.self, .scoped { 1 })
    try root.contribute(Int.self, .factory { try $0.get(String.self).count })
    let scope = root.makeScope()
    try scope.register(injectable: .singleton("abc"))
    try scope.contribute(Int.self, .factory { 2 })
    #expect(try scope.getAll(Int.self) == [1, 3, 2])
    #expect(try scope.get([Int].self) == [1, 3, 2])
    #expect(try scope.getAll(Int.self, in: true) == [1, 3, 2])
    #expect(try scope.get([String: Int].self, in: true).values.sorted() == [1, 2, 3])
    let inner = scope.makeScope()
    try inner.contribute(Int.self, .factory { 4 })
    try inner.decorate(Int.self) { number, _ in number * 10 }
    #expect(try inner.getAll(Int.self) == [1, 3, 2, 40])
  }

  @Test("and a plain registration stay one each when a point is registered beside them", arguments: [false, true])
  func beside(isTwice: Bool) throws {
    let services = Injector("services", allowRewrite: true)
    try services.register(as: String.self, injectable: .lazySingleton { "plain" })
    try services.contribute(String.self, .factory { "extra" }, id: "extra")
    for _ in 0..<(isTwice ? 2 : 1) {
      try services.register(PluginPoint<String, Int>("names") { Candidate("a", .factory { "a" }) })
    }
    #expect(try services.getAll(String.self, in: 1) == ["a", "extra", "plain"])
    try services.register(as: String.self, injectable: .lazySingleton { "later" })
    #expect(try services.getAll(String.self, in: 1) == ["a", "extra", "later"])
  }
}
