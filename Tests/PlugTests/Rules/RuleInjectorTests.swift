import PlugIsolation
import PlugOperations
import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

private struct Stock: Sendable {
  let goods: Set<String>
}

private enum Season: Property { static var defaultValue: String { "summer" } }

@Suite("A rule that reads the requesting injector")
struct RuleInjectorTests {
  @Test("reads a property of the injector in any context")
  func property() throws {
    let services = Injector("services")
    let rule = Rule<Guest>.equals(\.country, "PL") && .property(Season.self, "winter")
    #expect(rule.evaluate(in: Guest(), from: services) == .unsatisfied)
    services[Season.self] = "winter"
    #expect(rule.evaluate(in: Guest(), from: services) == .satisfied)
    #expect(
      "\(rule.trace(in: Guest(), from: services))" == """
        + all
          + country == "PL": "PL"
          + Season == "winter": "winter"
        """)
    let scope = services.makeScope("request")
    #expect(rule.evaluate(in: Guest(), from: scope) == .satisfied)
    scope[Season.self] = "autumn"
    #expect(rule.evaluate(in: Guest(), from: scope) == .unsatisfied)
    #expect(rule.evaluate(in: Guest(), from: services) == .satisfied)
  }

  @Test("applies rules to the value of a property")
  func valueRules() {
    let services = Injector()
    let rule = Rule<Guest>.property(Season.self, .hasPrefix(\.self, "sum")).pullback { (pair: (Int, Guest)) in pair.1 }
    #expect(rule.evaluate(in: (1, Guest()), from: services) == .satisfied)
    services[Season.self] = "winter"
    #expect((!rule).evaluate(in: (1, Guest()), from: services) == .satisfied)
  }

  @Test("reads the scope for which a candidate is chosen")
  func choosing() throws {
    let services = Injector("services")
    try services.register(
      PluginPoint<String, Guest>("greeting") {
        PluginPoint("seasonal", when: .property(Season.self, "winter")) {
          Candidate("cold", .factory { "cold" })
        }
        Candidate("warm", .factory { "warm" }).when(!.property(Season.self, "winter"))
      })
    try services.seal()
    let scope = services.makeScope("request")
    scope[Season.self] = "winter"
    #expect(try services.getAll(String.self, in: Guest()) == ["warm"])
    #expect(try scope.getAll(String.self, in: Guest()) == ["cold"])
    #expect(try scope.explain(String.self, in: Guest()).available == ["cold"])
    #expect(try services.explain(String.self, in: Guest()).available == ["warm"])
  }

  @Test("with a custom condition may get services from the injector")
  func services() throws {
    let services = Injector("services")
    let rule = Rule<Guest>("is in stock") { guest, services in
      try services.get(Stock.self).goods.contains(guest.address.city)
    }
    #expect(rule.evaluate(in: Guest(), from: services) == .indeterminate)
    try services.register(injectable: .singleton(Stock(goods: ["Gdynia"])))
    #expect(rule.evaluate(in: Guest(), from: services) == .satisfied)
    #expect("\(rule.trace(in: Guest(), from: services))" == "+ is in stock")
  }

  @Test("that gets the service it selects is a circular dependency")
  func circle() throws {
    let services = Injector("services")
    try services.contribute(
      String.self, .factory { "self" },
      when: Rule<Guest>("knows itself") { try $1.get(String.self, in: $0) == "self" }, id: "self")
    #expect(throws: InjectorError.self) { try services.get(String.self, in: Guest()) }
    let error = services.errorText { _ = try $0.get(String.self, in: Guest()) }
    #expect(error.contains("String → String"))
  }

  @Test("reads the default injector in a standalone point, or the one of an isolated test")
  func standalone() {
    let point = PluginPoint<String, Guest>("greeting") {
      Candidate("cold", .factory { "cold" }).when(.property(Season.self, "winter"))
      Candidate("warm", .factory { "warm" })
    }
    #expect(point.first(in: Guest()) == "warm")
    Sandbox.run { _ in
      Injector.default[Season.self] = "winter"
      #expect(point.first(in: Guest()) == "cold")
      #expect(point.explain(in: Guest()).selected == "cold")
    }
    #expect(point.first(in: Guest()) == "warm")
  }
}

extension Injector {
  fileprivate func errorText(_ body: (Injector) throws -> Void) -> String {
    do {
      try body(self)
      return "no error"
    } catch {
      return "\(error)"
    }
  }
}
