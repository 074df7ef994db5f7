import Plug
import PlugOperations
import TestSupport
import Testing

private struct Shopper: Sendable {
  var id = "p-1"
}

private func makeServices(_ pointIDs: [String] = ["mail", "web"]) throws -> Injector {
  let services = Injector("services")
  try services.register(Mail.point(pointIDs[0], for: Shopper.self))
  try services.register(Web.point(pointIDs[1], for: Shopper.self))
  return services
}

@Suite("An injector with two services of the same name")
struct EqualNamesTests {
  @Test("refuses an ambiguous switch, lists both services, and accepts a name with the module")
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

  @Test("refuses a switch at an id that two points share, which an audit reports")
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

  @Test("explains, reports and compares each of the services separately")
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
