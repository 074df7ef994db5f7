import PlugOperations
import TestSupport
import Testing

@testable import Plug

private protocol Search: Sendable {
  var trace: String { get }
}

private struct Plain: Search {
  var trace = "plain"
}

private final class Held: Search {
  let trace = "held"
}

private struct Wrapped: Search {
  let inner: any Search
  let name: String
  var trace: String { "\(name)(\(inner.trace))" }
}

extension Injector {
  fileprivate func decorate(_ name: String, _ log: Log = Log(), line: Int = #line) throws {
    try decorate((any Search).self, id: name, line: line) { inner, _ in
      log.add("\(name) wraps \(inner.trace)")
      return Wrapped(inner: inner, name: name)
    }
  }

  fileprivate func search() throws -> String { try get((any Search).self).trace }
}

@Suite("Decorators")
struct InjectorDecorationTests {
  let injector = Injector()
  let log = Log()

  @Test("wrap an instance once each, in declared order, before or after its registration", arguments: 0..<3)
  func order(registration: Int) throws {
    for step in 0..<3 {
      if step == registration { try injector.register(as: (any Search).self) { Plain() } }
      if step < 2 { try injector.decorate(["first", "second"][step], log) }
    }
    #expect(try injector.search() == "second(first(plain))")
    #expect(try injector.search() == "second(first(plain))")
    #expect(log.lines == ["first wraps plain", "second wraps first(plain)"])
  }

  @Test("wrap instances of every lifetime, each once")
  func lifetimes() throws {
    let held = Held()
    let injections: [(Injection<any Search>, wraps: Int)] = [
      (.singleton(Plain(trace: "given")), 1),
      (.lazySingleton { Plain(trace: "lazy") }, 1),
      (.lazySingleton(Plain(trace: "handed in")) { Plain() }, 1),
      (.scoped { Plain(trace: "scoped") }, 2),
      (.graph { Plain(trace: "graph") }, 3),
      (.factory { Plain(trace: "new") }, 3),
    ]
    for (injection, wraps) in injections {
      let (injector, log) = (Injector(), Log())
      try injector.decorate("seen", log)
      try injector.register(as: (any Search).self, injectable: injection)
      let scopes = [injector.makeScope(), injector.makeScope()]
      let traces = try [scopes[0], scopes[0], scopes[1]].map { try $0.search() }
      #expect(Set(traces).count == 1)
      #expect(log.lines == Array(repeating: "seen wraps \(traces[0].dropFirst(5).dropLast())", count: wraps))
    }
    try injector.register(as: Held.self, injectable: .weakSingleton { held })
    try injector.decorate(Held.self) { inner, _ in
      log.add("weak")
      return inner
    }
    #expect(try injector.get(Held.self) === injector.get(Held.self))
    #expect(log.lines == ["weak"])
  }

  @Test("wrap the instances of candidates, also of later ones")
  func candidates() throws {
    try injector.register(
      PluginPoint<any Search, Int>("search") {
        Candidate("fast") { Plain(trace: "fast") }.when(Rule("large") { $0 > 10 })
        Candidate("slow", .factory { Plain(trace: "slow") })
      })
    try injector.decorate("outer", log)
    try injector.contribute(
      (any Search).self, .factory { Plain(trace: "late") }, when: Rule<Int>("odd") { $0 % 2 == 1 },
      id: "late", priority: 5)
    try injector.register(as: (any Search).self) { Plain(trace: "fallback") }
    #expect(
      try injector.getAll((any Search).self, in: 11).map(\.trace)
        == ["outer(late)", "outer(fast)", "outer(slow)", "outer(fallback)"])
    let explanation = try injector.explain((any Search).self, in: 4)
    #expect(
      explanation.description == """
        Search in Int: 2 of 4 apply, selected: slow
          point search: open
            fast: ruled out
              - large
            slow: selected
          late: ruled out, priority 5
            - odd
          default: available as number 2
          decorated by: outer
        """)
  }

  @Test("of a scope wrap inherited instances once more, and only for the scope")
  func scopes() throws {
    injector.recordDependencies()
    try injector.decorate("root", log)
    try injector.register(as: (any Search).self) { Plain() }
    let scope = injector.makeScope("scope")
    try scope.decorate("scope", log)
    let inner = scope.makeScope("inner")
    try inner.decorate("inner", log)
    #expect(try inner.search() == "inner(scope(root(plain)))")
    #expect(try scope.search() == "scope(root(plain))")
    #expect(try injector.search() == "root(plain)")
    #expect(try inner.search() == "inner(scope(root(plain)))")
    #expect(log.lines == ["root wraps plain", "scope wraps root(plain)", "inner wraps scope(root(plain))"])
    #expect(
      inner.graph().description
        == """
        Search (lazySingleton, constructed, decorated by root, scope, inner)
          Search (lazySingleton, constructed, decorated by root, scope)
            Search (lazySingleton, constructed, decorated by root)
        """)
    #expect(
      try inner.explain((any Search).self).description == """
        Search in any context: 1 of 1 apply, selected: default
          default: selected
          decorated by: root, scope, inner
        """)
    #expect(injector.graph().description == "Search (lazySingleton, constructed, decorated by root)")
  }

  @Test("of all levels wrap an instance made in a scope once each", arguments: [Lifetime.scoped, .factory, .graph])
  func scoped(lifetime: Lifetime) throws {
    let injection: Injection<any Search> =
      switch lifetime {
      case .scoped: .scoped { Plain() }
      case .graph: .graph { Plain() }
      default: .factory { Plain() }
      }
    try injector.register(as: (any Search).self, injectable: injection)
    try injector.decorate("root", log)
    let scope = injector.makeScope("scope")
    try scope.decorate("scope", log)
    #expect(try scope.search() == "scope(root(plain))")
    #expect(log.lines == ["root wraps plain", "scope wraps root(plain)"])
    #expect(try scope.makeScope("inner").search() == "scope(root(plain))")
    if lifetime != .scoped { #expect(try injector.search() == "root(plain)") }
  }

  @Test("wrap what their injector registers, and not what a scope in it registers")
  func ownRegistration() throws {
    try injector.decorate("root", log)
    let scope = injector.makeScope("scope")
    try scope.register(as: (any Search).self, injectable: .singleton(Plain(trace: "own")))
    try scope.decorate("scope", log)
    #expect(try scope.search() == "scope(own)")
    #expect(log.lines == ["scope wraps own"])
  }

  @Test("leave configurations and closings with the undecorated instance")
  func closing() async throws {
    for given in [Injection<any Search>.singleton(Plain()), .lazySingleton { Plain() }] {
      let (injector, log) = (Injector(), Log())
      try injector.register(
        as: (any Search).self,
        injectable: given.configure { search, _ in log.add("configure \(search.trace)") }
          .onClose { log.add("close \($0.trace)") })
      try injector.decorate("outer", log)
      #expect(try injector.search() == "outer(plain)")
      await injector.close()
      #expect(log.lines == ["outer wraps plain", "configure plain", "close plain"])
    }
  }

  @Test("leave a handed-in instance to be closed once, wrapped or not", arguments: [true, false])
  func givenClosing(isUsed: Bool) throws {
    let given = Injection<any Search>.singleton(Plain()).onClose { [log] in log.add("close \($0.trace)") }
    try injector.register(as: (any Search).self, injectable: given)
    try injector.decorate("outer")
    if isUsed { _ = try injector.search() }
    injector.closeNow()
    #expect(log.lines == ["close plain"])
  }

  @Test("have dependencies that the graph knows, and errors that requests throw")
  func dependencies() throws {
    injector.recordDependencies()
    try injector.register(as: (any Search).self, injectable: .lazySingleton(wiring: Plain.init(trace:)))
    try injector.register(injectable: .singleton("wired"))
    try injector.register(injectable: .singleton(7))
    try injector.decorate((any Search).self, id: "numbered") { inner, injector in
      Wrapped(inner: inner, name: "\(try injector.get(Int.self))")
    }
    #expect(try injector.validate().opaque == ["Search"])
    #expect(try injector.search() == "7(wired)")
    #expect(
      injector.graph().description == """
        Search (lazySingleton, constructed, decorated by numbered)
          Int (singleton, constructed)
          String (singleton, constructed)
        """)
    try injector.unregister(Int.self)
    try injector.unregister((any Search).self)
    try injector.register(as: (any Search).self) { Plain() }
    let error = #expect(throws: InjectorError.self) { try injector.search() }
    guard case .notRegistered(let facts) = try #require(error) else { throw try #require(error) }
    #expect(facts.chain == ["Search", "Int"])
  }

  @Test("are refused for an instance in use, and in a sealed injector")
  func refusals() throws {
    try injector.register(as: (any Search).self, fileID: "Shop/Main.swift", line: 3) { Plain() }
    _ = try injector.search()
    let error = #expect(throws: InjectorError.self) { try injector.decorate("late") }
    #expect(
      "\(try #require(error))" == """
        decorate((any Search).self) was refused: Search has been requested before.
          service:        Search
          injector:       (unnamed)
          chain:          Search
          registered at:  Shop/Main.swift:3
        To fix this:
          - Decorate it before the first request, here and in scopes.
        """)
    #expect(try injector.search() == "plain")
    try injector.seal()
    let sealed = #expect(throws: InjectorError.self) { try injector.decorate(Int.self) { number, _ in number + 1 } }
    guard case .sealed = try #require(sealed) else { throw try #require(sealed) }
  }

  @Test("wrap instances made asynchronously, too")
  func asynchronous() async throws {
    try injector.decorate("outer", log)
    try injector.register(
      as: (any Search).self,
      injectable: .lazySingleton {
        await Task.yield()
        return Plain()
      })
    let scope = injector.makeScope()
    try scope.decorate("scope", log)
    #expect(try await scope.load((any Search).self).trace == "scope(outer(plain))")
    #expect(try injector.search() == "outer(plain)")
    #expect(log.lines == ["outer wraps plain", "scope wraps outer(plain)"])
  }

  @Test("wrap the registration of a property, which ends with its owner, decorated or not")
  func registered() throws {
    struct Owner {
      @Registered var search: Injection<any Search>
      init(_ injector: Injector) {
        _search = Registered(wrappedValue: .lazySingleton { Plain() }, inInjector: injector)
      }
    }
    do {
      let owner = Owner(injector)
      try injector.decorate("outer")
      let trace = try withExtendedLifetime(owner) { try injector.search() }
      #expect(trace == "outer(plain)")
    }
    #expect(!injector.isRegistered((any Search).self))
  }
}
