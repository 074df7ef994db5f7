import Plug
import PlugOperations
import TestSupport
import Testing

private struct Shopper: Sendable {
  var id = "p-1"
}

@Suite("Failure policies and decorators in scopes and copies")
struct PolicyPlaceTests {
  @Test("A policy counts failures of all scopes together, and failures in a copy separately")
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

  @Test("The graph of a scope with a decorator shows the decorated service and the inherited one")
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

  @Test("The copy of a trial starts without the failures of the program")
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
