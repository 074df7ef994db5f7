import Plug
import PlugKeys
import TestSupport
import Testing

private struct Shopper: FeatureContext {
  var enabledFeatures: Set<String> = []
}

private protocol Search: Sendable {
  var name: String { get }
}

private struct Named: Search {
  let name: String
}

private func point(_ made: Counter = Counter()) -> PluginPoint<any Search, Shopper> {
  PluginPoint("search") {
    Candidate("catalogue", .factory { Named(name: "catalogue") })
    Candidate("semantic") {
      made.increment()
      return Named(name: "semantic")
    }.when(.feature("semantic"))
    PluginPoint("beta", when: .feature("beta")) {
      Candidate("voice", .factory { Named(name: "voice") }, priority: 10)
    }
  }
}

extension Injector {
  fileprivate func names(_ features: String...) throws -> [String] {
    try getAll((any Search).self, in: Shopper(enabledFeatures: Set(features))).map(\.name)
  }
}

@Suite("Candidates in an injector")
struct InjectorPluginsTests {
  @Test("are registered and removed by calls that return their injector for chaining")
  func chain() throws {
    let injector = Injector(allowRewrite: true)
    let last =
      try injector
      .register(PlugTests.point())
      .contribute(
        (any Search).self, .factory { Named(name: "mine") }, when: Rule<Shopper>.feature("mine")
      )
      .register(injectable: .singleton(Named(name: "one")))
      .register(tag: "two") { Named(name: "two") }
      .register(tag: "three") { try Named(name: $0.get(Named.self).name + " and more") }
      .register(tag: "lazy", Lazy { Named(name: "lazy") }.get)
      .register(Named.self, taking: Int.self) { number, _ in Named(name: "\(number)") }
      .register(Named.self, taking: String.self, lifetime: .lazySingleton) { name, _ in Named(name: name) }
      .unregister(Named.self, tag: "two")
      .unregister(Named.self, taking: Int.self)
    #expect(last === injector)
    #expect(try injector.names("mine") == ["catalogue", "mine"])
    #expect(try injector.get(Named.self, tag: "three").name == "one and more")
    #expect(try injector.get(Named.self, tag: "lazy").name == "lazy")
    #expect(try injector.get(Named.self, with: "five").name == "five")
    #expect(injector[Named.self, tag: "two"] == nil)
  }

  @Test("belong to a registered point, and are chosen by the context of the request")
  func point() throws {
    let injector = Injector()
    try injector.register(PlugTests.point())
    #expect(try injector.names() == ["catalogue"])
    #expect(try injector.names("semantic", "beta") == ["voice", "catalogue", "semantic"])
    #expect(try injector.get((any Search).self, in: Shopper(enabledFeatures: ["beta"])).name == "voice")
  }

  @Test("are chosen by the registered context if the request has none")
  func resolvedContext() throws {
    let injector = Injector()
    try injector.register(PlugTests.point())
    try injector.register(injectable: .factory { Shopper(enabledFeatures: ["beta"]) })
    #expect(try injector.get((any Search).self).name == "voice")
    #expect(try injector.getAll((any Search).self).map(\.name) == ["voice", "catalogue"])
    #expect(try injector.explain((any Search).self).available == ["voice", "catalogue"])
    #expect(injector[(any Search).self]?.name == "voice")
  }

  @Test("can be added one by one, from modules that do not know each other, in any order", arguments: [0, 1, 2])
  func order(position: Int) throws {
    let injector = Injector()
    let rule = Rule<Shopper>.feature("mine")
    for step in 0..<3 {
      if step == position { try injector.register(as: (any Search).self) { Named(name: "fallback") } }
      guard step < 2 else { continue }
      let name = step == 0 ? "mine" : "first"
      try injector.contribute(
        (any Search).self, .factory { Named(name: name) }, when: rule, id: name, priority: step)
    }
    #expect(try injector.names("mine") == ["first", "mine", "fallback"])
    #expect(try injector.names() == ["fallback"])
    #expect(
      try injector.explain((any Search).self, in: Shopper()).description == """
        Search in Shopper: 1 of 3 apply, selected: default
          mine: ruled out
            - feature "mine": []
          first: ruled out, priority 1
            - feature "mine": []
          default: selected
        """)
  }

  @Test("join a point that is registered before or after them", arguments: [false, true])
  func joining(before: Bool) throws {
    let injector = Injector()
    if !before { try injector.register(PlugTests.point()) }
    try injector.contribute(
      (any Search).self, .factory { Named(name: "mine") }, when: Rule<Shopper>.always, id: "mine")
    if before { try injector.register(PlugTests.point()) }
    #expect(try injector.names("beta") == ["voice", "catalogue", "mine"])
    #expect(throws: InjectorError.self) { try injector.register(PlugTests.point()) }
    try injector.register(as: (any Search).self) { Named(name: "fallback") }
    #expect(throws: InjectorError.self) { try injector.register(as: (any Search).self) { Named(name: "second") } }
    #expect(try injector.names("beta") == ["voice", "catalogue", "mine", "fallback"])
  }

  @Test("precede the registration without a rule, whatever their priority, and cannot take its name")
  func fallback() throws {
    let injector = Injector()
    try injector.register(as: (any Search).self) { Named(name: "fallback") }
    try injector.contribute(
      (any Search).self, .factory { Named(name: "late") }, when: Rule<Shopper>.always, id: "late",
      priority: -1)
    #expect(try injector.names() == ["late", "fallback"])
    #expect(throws: InjectorError.self) {
      try injector.contribute(
        (any Search).self, .factory { Named(name: "other") }, when: Rule<Shopper>.always, id: "default"
      )
    }
    #expect(try injector.names() == ["late", "fallback"])
  }

  @Test("have different ids, and a second one with an id is refused without any change")
  func duplicates() throws {
    let injector = Injector("services")
    try injector.register(PlugTests.point())
    let error = #expect(throws: InjectorError.self) {
      try injector.contribute(
        (any Search).self, .factory { Named(name: "other") }, when: Rule<Shopper>.always, id: "voice")
    }
    #expect(
      error?.description == """
        contribute((any Search).self) was refused: Search [voice] is already registered.
          service:        Search [voice]
          injector:       services
          registered at:  \(#fileID):26
          refused at:     \(#fileID):142
        To fix this:
          - Give one of the two its own id: id: "…". Or remove one of them.
        """)
    #expect(try injector.names("beta") == ["voice", "catalogue"])
  }

  @Test("of a new point have different ids")
  func duplicatesInPoint() throws {
    let injector = Injector("services")
    let error = #expect(throws: InjectorError.self) {
      try injector.register(
        PluginPoint<Int, Shopper>("numbers") {
          Candidate("one", .factory { 1 }, fileID: "Shop/Numbers.swift", line: 7)
          Candidate("one", .factory { 2 }, fileID: "Shop/Numbers.swift", line: 8)
        })
    }
    #expect(
      error?.description == """
        register(Int.self) was refused: Int [one] is already registered.
          service:        Int [one]
          injector:       services
          registered at:  Shop/Numbers.swift:7
          refused at:     Shop/Numbers.swift:8
        To fix this:
          - Give one of the two its own id: id: "…". Or remove one of them.
        """)
    #expect(!injector.isRegistered(Int.self))
  }

  @Test("replace only candidates with the same id where rewriting is allowed")
  func rewriting() throws {
    let injector = Injector(nil, allowRewrite: true)
    let made = Counter()
    try injector.register(PlugTests.point(made))
    #expect(try injector.names("semantic") == ["catalogue", "semantic"])
    try injector.contribute(
      (any Search).self, .factory { Named(name: "new catalogue") }, when: Rule<Shopper>.always,
      id: "catalogue")
    #expect(try injector.names("semantic") == ["semantic", "new catalogue"])
    #expect(made.value == 1)
  }

  @Test("can be removed one by one, and the others keep their instances")
  func removal() throws {
    let injector = Injector()
    let made = Counter()
    try injector.register(PlugTests.point(made))
    #expect(try injector.names("semantic", "beta") == ["voice", "catalogue", "semantic"])
    try injector.unregister((any Search).self, candidate: "voice")
    try injector.unregister((any Search).self, candidate: "catalogue")
    #expect(try injector.names("semantic", "beta") == ["semantic"])
    #expect(made.value == 1)
    #expect(throws: InjectorError.self) { try injector.unregister((any Search).self, candidate: "voice") }
    try injector.unregister((any Search).self)
    #expect(try injector.names("semantic") == [])
    #expect(!injector.isRegistered((any Search).self))
  }

  @Test("can be removed by the hundred while others are added, and the rest stay in order")
  func manyRemovals() throws {
    let injector = Injector()
    var expected: [String] = []
    for number in 0..<300 {
      let name = "\(number)"
      try injector.contribute((any Search).self, .factory { Named(name: name) }, id: name)
      expected.append(name)
      guard number % 3 == 2 else { continue }
      for id in [expected.removeFirst(), expected.remove(at: expected.count / 2)] {
        try injector.unregister((any Search).self, candidate: id)
      }
    }
    #expect(try injector.getAll((any Search).self).map(\.name) == expected)
    for id in expected { try injector.unregister((any Search).self, candidate: id) }
    #expect(!injector.isRegistered((any Search).self))
  }

  @Test("have their own lazy singletons in each injector")
  func instances() throws {
    let made = Counter()
    let point = PlugTests.point(made)
    let shopper = Shopper(enabledFeatures: ["semantic"])
    for injector in [Injector(), Injector()] {
      try injector.register(point)
      for _ in 0..<2 { _ = try injector.getAll((any Search).self, in: shopper) }
    }
    #expect(made.value == 2)
  }

  @Test("whose rule requests their own service are ruled out, without endless recursion")
  func recursion() throws {
    let injector = Injector()
    let rule = Rule<Shopper>("is recursive") { [unowned injector] in
      try injector.get((any Search).self, in: $0).name == "recursive"
    }
    try injector.contribute((any Search).self, .factory { Named(name: "recursive") }, when: rule, id: "r")
    try injector.register(as: (any Search).self) { Named(name: "fallback") }
    #expect(try injector.names() == ["fallback"])
  }

  @Test("whose context needs their own service are a circular dependency")
  func contextCycle() throws {
    let injector = Injector()
    try injector.register(PlugTests.point())
    try injector.register { injector in
      _ = try injector.get((any Search).self)
      return Shopper()
    }
    #expect(injector.outcome((any Search).self).circularPath == ["Search", "Shopper", "Search"])
  }

  @Test("are named in the paths of cycles")
  func candidateCycle() throws {
    let injector = Injector()
    try injector.contribute(
      (any Search).self,
      .lazySingleton { injector in try injector.get((any Search).self, in: Shopper()) },
      when: Rule<Shopper>.always, id: "loop")
    let error = #expect(throws: InjectorError.self) { try injector.get((any Search).self, in: Shopper()) }
    guard case .circularDependency(_, let path) = error else {
      Issue.record("The request should have found a circular dependency.")
      return
    }
    #expect(path == ["Search [loop]", "Search [loop]"])
  }
}
