import PlugKeys
import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

private struct Shopper: Sendable, Identifiable {
  var id = "p-17"
}

private struct Banner: Sendable {
  let search: any Networking
}

private struct Strip: Sendable {
  let searches: [any Networking]
}

private struct Badge: Sendable {
  let search: (any Networking)?
}

@Suite("An audit")
struct AuditTests {
  let injector = Injector("shop")

  private func register(_ id: String, at line: Int, _ candidates: [(id: String, rule: Rule<Shopper>)]) throws {
    try injector.register(
      PluginPoint<any Networking, Shopper>("\(id)", fileID: "Shop/Search.swift", line: line) {
        for (number, candidate) in candidates.enumerated() {
          Candidate(candidate.id, .factory { Instance() }, fileID: "Shop/Search.swift", line: line + number + 1)
            .when(candidate.rule)
        }
      }, tag: Injector.Tag(rawValue: id))
  }

  @Test("has no findings if all registrations fit together")
  func nothing() throws {
    try injector.register(injectable: .singleton(1))
    #expect(injector.audit().description == #"Injector "shop" has no findings in 1 service."#)
    #expect(Injector().audit().description == "The injector has no findings in 0 services.")
    injector.closeNow()
    #expect(injector.audit().findings == [])
  }

  @Test("reports decorators of services that are not registered")
  func decorators() throws {
    try injector.register(as: (any Networking).self) { HTTPNetworking() }
    try injector.decorate((any Networking).self) { inner, _ in inner }
    try injector.decorate(
      (any Networking).self, tag: "replica", id: "logging", fileID: "Shop/Main.swift", line: 1
    ) { inner, _ in inner }
    try injector.decorate(HTTPNetworking.self, fileID: "Shop/Main.swift", line: 2) { inner, _ in inner }
    let text = """
      2 findings in 1 service.
      1. The decorator of HTTPNetworking decorates nothing.
         at Shop/Main.swift:2
         Register HTTPNetworking, or check the type and the tag of the decorator.
      2. The decorator logging of Networking (tag "replica") decorates nothing.
         at Shop/Main.swift:1
         Register Networking (tag "replica"), or check the type and the tag of the decorator.
      """
    #expect(injector.audit().description == #"Injector "shop" has "# + text)
    #expect(injector.makeScope("request").audit().description == #"Injector "shop/request" has "# + text)
  }

  @Test("accepts a candidate that replaces one that fails")
  func replacing() throws {
    try injector.register(
      PluginPoint<String, Shopper>("search") {
        Candidate("semantic") { throw CancellationError() }.onFailure(.skip)
        Candidate("catalogue") { "catalogue" }
      })
    #expect(try injector.get(String.self, in: Shopper()) == "catalogue")
    #expect(injector.audit().findings == [])
  }

  @Test("reports candidates that can never be chosen, and rules and orders with unknown ids")
  func unreachable() throws {
    try register("search", at: 1, [("off", .never), ("on", .always), ("late", Rule("is late") { _ in true })])
    try register(
      "offers", at: 5, [("a", .selected("x", at: "search")), ("b", .selected("a", at: "nowhere"))])
    try injector.register(
      PluginPoint<String, Shopper>("steps", fileID: "Shop/Steps.swift", line: 1) {
        Candidate("a", .factory { "a" }, fileID: "Shop/Steps.swift", line: 2).after("b", "z").when(.equals(\.id, "a"))
        Candidate("b", .factory { "b" }, fileID: "Shop/Steps.swift", line: 3).after("a").when(.equals(\.id, "b"))
      })
    #expect(
      injector.audit().description == """
        Injector "shop" has 6 findings in 3 services.
        1. Candidates of String must come after each other: a → b → a.
           at Shop/Steps.swift:1
           Remove one of the orders.
        2. Networking (tag "search") [late] can never be chosen: on comes before it and always applies, so only getAll \
        returns it.
           at Shop/Search.swift:4
           Remove it, or change the order or the rule.
        3. Networking (tag "search") [off] can never be chosen: its rule is never satisfied.
           at Shop/Search.swift:2
           Remove it, or change the order or the rule.
        4. candidate "x" at point "search" is not registered here, but rules of Networking (tag "offers") ask for the \
        selection there.
           at Shop/Search.swift:5
           Check the id, or register the point in the injector that is asked.
        5. point "nowhere" is not registered here, but rules of Networking (tag "offers") ask for the selection there.
           at Shop/Search.swift:5
           Check the id, or register the point in the injector that is asked.
        6. String [a] must come after or before z, which is not a candidate of its service.
           at Shop/Steps.swift:1
           Check the id, or remove the order.
        """)
  }

  @Test("reports rules that depend on each other, and points that share an id")
  func points() throws {
    try register("a", at: 1, [("x", .selected("y", at: "b"))])
    try register("b", at: 3, [("y", .selected("x", at: "a"))])
    try injector.register(
      PluginPoint<String, Shopper>("a", fileID: "Shop/Names.swift", line: 1) { Candidate("x", .factory { "x" }) })
    #expect(
      injector.audit().description == """
        Injector "shop" has 2 findings in 3 services.
        1. Networking (tag "a") is selected by a rule that depends on its own selection: Networking (tag "a") → \
        Networking (tag "b") → Networking (tag "a").
           at Shop/Search.swift:1
           Let one of the rules look at something else.
        2. "a" is the id of several points, of Swift.String and TestSupport.Networking (tag "a").
           at Shop/Names.swift:1
           Give each point an id of its own, by which rules and operators name it.
        """)
  }

  @Test("reports a service whose candidates can never apply, if another service needs it", arguments: [true, false])
  func noCandidate(isEmpty: Bool) throws {
    try injector.register(
      PluginPoint<any Networking, Injector>("search", fileID: "Shop/Search.swift", line: 8) {
        if !isEmpty {
          Candidate("off", fileID: "Shop/Search.swift", line: 9) { Instance() }.when(.never)
          PluginPoint("beta", when: .never) {
            Candidate("new", fileID: "Shop/Search.swift", line: 10) { Instance() }
          }
        }
      })
    #expect(!injector.audit().findings.contains { $0.kind == .noCandidate })
    try injector.register(injectable: .lazySingleton(wiring: Banner.init))
    #expect(throws: InjectorError.self) { try injector.get(Banner.self) }
    #expect(
      injector.audit().findings.first?.description == """
        Networking has no candidate that can ever apply, but is needed by Banner.
        at Shop/Search.swift:8
        Register one without a rule as the fallback, or remove the services that need it.
        """)
  }

  @Test("accepts a point without candidates if it has a fallback, or is used as an optional or a collection")
  func answered() throws {
    try injector.register(PluginPoint<any Networking, Shopper>("search") {})
    try injector.register(injectable: .singleton(Shopper()))
    try injector.register(injectable: .lazySingleton(wiring: Strip.init))
    try injector.register(injectable: .lazySingleton(wiring: Badge.init))
    try injector.validate()
    #expect(injector.audit().findings == [])
    try injector.register(injectable: .lazySingleton(wiring: Banner.init))
    #expect(injector.audit().findings.map(\.kind) == [.noCandidate])
    try injector.register(as: (any Networking).self) { Instance() }
    #expect(injector.audit().findings == [])
  }

  @Test("reports requests that a factory does not declare, and services that nothing has requested")
  func recorded() throws {
    injector.recordDependencies()
    try injector.register(as: Int.self, injectable: .factory { 1 }, fileID: "Shop/Services.swift", line: 1)
    try injector.register(
      as: String.self, injectable: .lazySingleton { "\(try $0.get(Int.self))" }.dependsOnNothing,
      fileID: "Shop/Services.swift", line: 2)
    try injector.register(as: Double.self, injectable: .factory { 0.5 }, fileID: "Shop/Services.swift", line: 3)
    try injector.register(as: [String].self, injectable: .factory { [] }, fileID: "Shop/Services.swift", line: 4)
    _ = try (injector.get(String.self), injector.get([String].self))
    #expect(
      injector.audit().description == """
        Injector "shop" has 2 findings in 4 services.
        1. String asked for Int, which it does not declare.
           at Shop/Services.swift:2
           Add it to depends(on:).
        2. Double is not used: nothing has requested it since recording began.
           at Shop/Services.swift:3
           Remove it, or request it in the test that audits.
        """)
    _ = injector[Double.self]
    #expect(injector.audit().findings.map(\.kind) == [.undeclared])
  }

  @Test("counts the dependencies of a requested service as used, and needs a record to find unused services")
  func used() throws {
    try injector.register(injectable: .scoped(wiring: Strip.init))
    try injector.register(as: (any Networking).self, injectable: .factory { Instance() })
    #expect(injector.audit().findings == [])
    injector.recordDependencies()
    #expect(injector.audit().findings.map(\.subject) == ["Networking", "Strip"])
    let scope = injector.makeScope("request")
    _ = try scope.get(Strip.self)
    #expect(injector.audit().findings == [])
    #expect(scope.audit().findings == [])
  }
}
