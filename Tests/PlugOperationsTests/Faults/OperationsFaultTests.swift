import Foundation
import Plug
import TestSupport
import Testing

@testable import PlugOperations

private struct Shopper: Sendable {
  var id = "p-1"
}

private func makeServices(_ pointIDs: [String] = ["mail", "web"]) throws -> Injector {
  let services = Injector("services")
  try services.register(Mail.point(pointIDs[0], for: Shopper.self))
  try services.register(Web.point(pointIDs[1], for: Shopper.self))
  return services
}

@Suite("Operating two services of one name")
struct OperationsNameTests {
  @Test("refuses a switch that means both, lists them, and takes the one that is named with its module")
  func ambiguous() throws {
    let services = try makeServices()
    let error = #expect(throws: InjectorError.self) { try services.disable("new", at: "Client", because: "INC-7") }
    let names = ["PlugOperationsTests.Mail.Client", "PlugOperationsTests.Web.Client"]
    #expect(
      try #require(error).description == """
        "new" at "Client" was refused: "Client" is a name of 2 services.
          injector:       services
          services:       \(names[0]), registered at Shop/Mail.swift:1
                          \(names[1]), registered at Shop/Web.swift:2
        To fix this:
          - Name the service with its module: "\(names[0])".
        """)
    #expect(services[Switches.self].isEmpty)
    try services.disable("new", at: names[1], because: "INC-7")
    #expect(try services.get((any Web.Client).self, in: Shopper()) is Web.Old)
    #expect(try services.get((any Mail.Client).self, in: Shopper()) is Mail.New)
    try services.force("old", at: (any Mail.Client).self, because: "INC-8")
    #expect(try services.get((any Mail.Client).self, in: Shopper()) is Mail.Old)
    #expect(try services.restore("old", at: (any Mail.Client).self)?.reason == "INC-8")
    #expect(try services.get((any Mail.Client).self, in: Shopper()) is Mail.New)
  }

  @Test("refuses a switch at an id that the points of two services have, as an audit reports")
  func points() throws {
    let services = try makeServices(["clients", "clients"])
    #expect(
      services.audit().findings.first?.description == """
        "clients" is the id of several points, of PlugOperationsTests.Mail.Client and PlugOperationsTests.Web.Client.
        at Shop/Mail.swift:1
        Give each point an id of its own, by which rules and operators name it.
        """)
    #expect(throws: InjectorError.self) { try services.disable("new", at: "clients", because: "INC-7") }
    #expect(services[Switches.self].isEmpty)
  }

  @Test("explains, reports once and compares each of them")
  func separately() throws {
    let services = try makeServices()
    let names = ["PlugOperationsTests.Mail.Client", "PlugOperationsTests.Web.Client"]
    #expect(throws: InjectorError.self) { try services.explain(named: "Client", in: Shopper()) }
    #expect(try services.explain(named: names[1], in: Shopper()).selected == "new")
    #expect(services.explainAll(in: Shopper()).count == 2)
    let log = Log()
    let token = services.onSelection(.once(per: \Shopper.id)) { log.add($0.point) }
    for _ in 0..<2 {
      _ = try services.get((any Mail.Client).self, in: Shopper())
      _ = try services.get((any Web.Client).self, in: Shopper())
    }
    #expect(log.lines == ["mail", "web"])
    let impact = try services.impact(on: [Shopper(), Shopper()], by: \.id) { services in
      try services.disable("new", at: "mail", because: "INC-7")
      try services.disable("new", at: "web", because: "INC-7")
    }
    #expect(impact.moves.map(\.service) == names.sorted())
    #expect(impact.affectedCount == 2)
    #expect(services.graph().nodes.filter { $0.kind == .choice }.map(\.service) == names.sorted())
    withExtendedLifetime(token) {}
  }
}

@Suite("Written and drawn texts")
struct OperationsCodingTests {
  @Test("can always be written, whatever the numbers are")
  func numbers() throws {
    let services = Injector("services")
    try services.register(
      PluginPoint<Int, Shopper>("point") {
        Candidate("one", .factory { 1 }).weight(1e-308, by: \.id)
        Candidate("two", .factory { 2 }).weight(1e308, by: \.id)
      })
    try services.disable("one", at: "point", because: "INC-7", since: .nan)
    try services.force("two", at: "point", because: "INC-7", since: .infinity)
    #expect(services[Switches.self].list.map(\.since) == [nil, nil])
    for id in 0..<50 {
      let explanation = try services.explain(Int.self, in: Shopper(id: "\(id)"))
      let decoded = try JSONDecoder().decode(Explanation.self, from: JSONEncoder().encode(explanation))
      #expect(decoded == explanation)
      #expect(decoded.description == explanation.description)
    }
    let report = services.report()
    #expect(try JSONDecoder().decode(InjectorReport.self, from: JSONEncoder().encode(report)) == report)
  }

  @Test("is refused when read, if an edge leads nowhere", arguments: [-1, 1, Int.max])
  func edges(to node: Int) throws {
    let services = Injector("services")
    try services.register(injectable: .singleton(1))
    let json = String(decoding: try JSONEncoder().encode(services.graph()), as: UTF8.self)
    let edge = #""edges":[{"from":0,"to":\#(node),"kind":"known"}]"#
    let broken = json.replacingOccurrences(of: #""edges":[]"#, with: edge)
    #expect(broken != json)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(DependencyGraph.self, from: Data(broken.utf8)) }
  }

  @Test("escapes a quote that a combining mark follows")
  func escapes() throws {
    let services = Injector("services")
    try services.register(tag: "a\"\u{301}b", injectable: .singleton(1))
    let graph = services.graph()
    #expect(graph.graphviz.unicodeScalars.contains { $0 == "\u{301}" })
    #expect(graph.graphviz.contains("a\\\"\u{301}b"))
    #expect(graph.mermaid.contains("a#quot;\u{301}b"))
  }
}

@Suite("An asynchronous candidate that fails")
struct AsynchronousFailureTests {
  @Test("is not quarantined for failures before and after a success")
  func interrupted() async throws {
    let (services, fault) = (Injector("services"), Fault())
    try services.register(
      failingPoint(fault, .quarantine(after: 2, for: .seconds(60), clock: TestClock())) { fault in
        .lazySingleton { () async throws -> String in try fault.make("semantic") }
      })
    #expect(try await services.load(String.self) == "catalogue")
    #expect(services.report().failing.map(\.failure.count) == [1])
    fault.isOn = false
    #expect(try await services.load(String.self) == "semantic")
    #expect(services.report().failing.isEmpty)
    services.reset()
    fault.isOn = true
    #expect(try await services.load(String.self) == "catalogue")
    #expect(services.report().failing.map(\.isQuarantined) == [false])
    #expect(services.report().failing.map(\.failure.count) == [1])
  }
}

@Suite("Switches of many candidates")
struct ManySwitchesTests {
  @Test("do not keep candidates that are removed, nor their instances")
  func removal() throws {
    let services = Injector("services")
    let living = LivingCount()
    for number in 0..<300 {
      try services.register(
        as: Tracked.self, injectable: .lazySingleton { Tracked(living) }, when: Rule<Shopper>.always,
        id: "\(number)")
    }
    for number in 0..<100 { try services.disable("\(number)", at: "Tracked", because: "INC-7") }
    _ = try services.getAll(Tracked.self, in: Shopper())
    #expect(living.current == 200)
    for number in 100..<300 { try services.unregister(type: Tracked.self, candidate: "\(number)") }
    #expect(living.current == 0)
  }
}

@Suite("Closures that are told of something")
struct ReportingFaultTests {
  private func makePoint() -> PluginPoint<Int, Shopper> {
    PluginPoint("numbers") { Candidate("one", .factory { 1 }) }
  }

  @Test("do not silence the tasks that they start")
  func tasks() async throws {
    let (services, log) = (Injector("services"), Log())
    try services.register(makePoint())
    let (stream, continuation) = AsyncStream.makeStream(of: Task<Void, any Error>.self)
    let token = services.onSelection { exposure in
      log.add(exposure.candidate)
      if log.lines.count > 1 { return }
      continuation.yield(Task.detached { _ = try services.get(Int.self, in: Shopper()) })
      continuation.yield(Task { _ = try services.get(Int.self, in: Shopper()) })
      continuation.finish()
    }
    _ = try services.get(Int.self, in: Shopper())
    for await task in stream { try await task.value }
    #expect(log.lines == ["one", "one", "one"])
    withExtendedLifetime(token) {}
  }

  @Test("may ask for services themselves")
  func requests() throws {
    let (services, log) = (Injector("services"), Log())
    try services.register(makePoint())
    try services.register(injectable: .singleton("text"))
    services.tracer = { [unowned services] event in
      log.add("\(event.service) \(services[String.self] ?? "")")
    }
    _ = try services.get(String.self)
    services.tracer = nil
    #expect(log.lines == ["String text"])
  }

  @Test("of a scope are told what it closes when it is released")
  func released() throws {
    let (services, log) = (Injector("services"), Log())
    try services.register(injectable: .scoped { 1 })
    func use() throws {
      let scope = services.makeScope("request")
      scope.tracer = { log.add("\($0.injector ?? "") \($0)") }
      _ = try scope.get(Int.self)
    }
    try use()
    #expect(log.lines.last == "services/request closed Int")
  }

  @Test("of a scope hear of services that are sealed further out, also in scopes opened before")
  func sealed() throws {
    let (services, log) = (Injector("services"), Log())
    try services.register(injectable: .singleton("text"))
    try services.seal()
    let scope = services.makeScope("outer")
    let inner = scope.makeScope("inner")
    let token = scope.trace { log.add("\($0.injector ?? "") \($0)") }
    _ = try inner.get(String.self)
    _ = try services.get(String.self)
    token.cancel()
    _ = try inner.get(String.self)
    #expect(log.lines == ["services/outer/inner resolved String"])
  }
}

@Suite("A failure policy in other places")
struct PolicyPlaceTests {
  @Test("counts what its scopes make of a decorated candidate together, and apart from the copies of tests")
  func decorated() throws {
    let (services, fault) = (Injector("services"), Fault())
    try services.register(
      failingPoint(fault, .quarantine(after: 2, for: .seconds(60), clock: TestClock())) { fault in
        .lazySingleton { try fault.make("semantic") }
      })
    try services.decorate(String.self, id: "marks") { inner, _ in inner + "!" }
    _ = try services.impact(on: [Shopper()]) { copy in
      for _ in 0..<3 {
        let made = try copy.get(String.self)
        #expect(made == "catalogue!")
      }
    }
    #expect(fault.tries == 2 && services.report().failing.isEmpty)
    let scopes = (0..<3).map { services.makeScope("scope \($0)") }
    for scope in scopes { #expect(try scope.get(String.self) == "catalogue!") }
    #expect(fault.tries == 4)
    #expect(services.report().failing.map(\.isQuarantined) == [true])
  }

  @Test("shows in the graph of a scope that decorates")
  func graph() throws {
    let services = Injector("services")
    try services.register(injectable: .lazySingleton { "plain" })
    let scope = services.makeScope("request")
    try scope.decorate(String.self, id: "marks") { inner, _ in inner + "!" }
    #expect(
      scope.graph().description == """
        String (lazySingleton, opaque, decorated by marks)
          String (lazySingleton)
        """)
    #expect(try scope.validate().serviceCount == 2)
  }

  @Test("of a copy in a trial is not the program's")
  func copied() throws {
    let (services, fault) = (Injector("services"), Fault())
    try services.register(failingPoint(fault, .quarantine(after: 1, for: .seconds(60), clock: TestClock())))
    #expect(try services.get(String.self) == "catalogue")
    let impact = try services.impact(on: [Shopper()]) { copy in
      #expect(copy.report().failing.isEmpty)
      #expect(copy !== services)
    }
    #expect(impact.moves.isEmpty)
    #expect(services.report().failing.map(\.isQuarantined) == [true])
  }
}
