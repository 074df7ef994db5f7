import PlugKeys
import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

private struct Shopper: Sendable, Identifiable {
  var id: String
  var country = "PL"
}

private enum Share: Property {
  static var defaultValue: Double { 0 }
}

private let shoppers = (0..<12).map { Shopper(id: "p-\($0)", country: $0.isMultiple(of: 3) ? "DE" : "PL") }

private func makeServices() throws -> Injector {
  let services = Injector("services")
  try services.register(
    PluginPoint<String, Shopper>("checkout") {
      Candidate("one-click") { () throws -> String in throw Failure() }.when(.equals(\.country, "DE"))
      Candidate("express") { "express" }.when(.rollout(Share.self, of: "express", by: \.id))
      Candidate("classic") { "classic" }
    })
  try services.register(tag: "number", injectable: .factory { 1 })
  try services.seal()
  return services
}

@Suite("The impact of a change")
struct ImpactTests {
  @Test("lists which contexts would get which other candidate, and changes nothing")
  func table() throws {
    let services = try makeServices()
    let impact = try services.impact(on: shoppers, by: \.id) { services in
      try services.disable("one-click", at: "checkout", because: "INC-7")
      try services.force("express", at: "checkout", because: "INC-7")
    }
    let expected = Impact(
      contextCount: 12,
      moves: [
        Impact.Move(
          service: "String", from: "one-click", to: "express", error: nil, contexts: ["p-0", "p-3", "p-6", "p-9"]),
        Impact.Move(
          service: "String", from: "classic", to: "express", error: nil,
          contexts: ["p-1", "p-2", "p-4", "p-5", "p-7", "p-8", "p-10", "p-11"]),
      ])
    #expect(impact == expected)
    #expect(
      impact.description == """
        12 of 12 contexts would get another candidate
          service  from       to       contexts
          String   one-click  express  4: p-0, p-3, p-6, p-9
          String   classic    express  8: p-1, p-2, p-4, p-5, p-7, p-8, p-10, p-11
        """)
    #expect(services[Switches.self].isEmpty)
    #expect(services.graph().nodes.filter(\.isConstructed).isEmpty)
  }

  @Test("is empty if no choice differs")
  func none() throws {
    let impact = try makeServices().impact(on: shoppers) { _ in }
    #expect(impact == Impact(contextCount: 12, moves: []))
    #expect(impact.description == "0 of 12 contexts would get another candidate")
  }

  @Test("is computed for the program's stage, not for the stage of previews")
  func stage() throws {
    let services = Injector("services")
    try services.register(
      PluginPoint<String, Injector>("help") {
        Candidate("preview") { "preview" }.when(.stage(.preview))
        Candidate("test") { "test" }.when(.stage(.test))
        Candidate("other") { "other" }
      })
    let impact = try services.impact(on: [services]) { try $0.disable("test", at: "help", because: "INC-8") }
    #expect(impact.moves.map { [$0.from, $0.to] } == [["test", "other"]])
  }

  @Test("takes properties, registrations and removals into account, also in sealed injectors and in scopes")
  func kinds() throws {
    let services = try makeServices()
    let scope = services.makeScope("request")
    scope[Share.self] = 100
    let first = try scope.impact(on: shoppers[1...2]) { $0[Share.self] = 0 }
    #expect(
      first.moves == [
        Impact.Move(service: "String", from: "express", to: "classic", error: nil, contexts: ["#1", "#2"])
      ])
    let second = try services.impact(on: shoppers[0...0]) { services in
      try services.unregister(String.self)
      try services.register(injectable: .factory { 2.0 })
    }
    #expect(
      second.moves == [
        Impact.Move(service: "Double", from: nil, to: "default", error: nil, contexts: ["#1"]),
        Impact.Move(service: "String", from: "one-click", to: nil, error: nil, contexts: ["#1"]),
      ])
    #expect(scope[Share.self] == 100)
    #expect(services.isRegistered(String.self))
    #expect(throws: Failure.self) { try services.impact(on: shoppers) { _ in throw Failure() } }
  }

  @Test("includes the error if the change makes a choice fail")
  func failure() throws {
    let services = Injector("services")
    try services.register(
      PluginPoint<String, Shopper>("checkout") {
        Candidate("only", .factory { "only" }).when(.selected("1", at: "Int"))
      })
    try services.register(
      PluginPoint<Int, Shopper>("numbers") { Candidate("1", .factory { 1 }) })
    let impact = try services.impact(on: shoppers[0...0]) { services in
      try services.unregister(Int.self)
      try services.register(
        PluginPoint<Int, Shopper>("numbers") {
          Candidate("2", .factory { 2 }).when(.selected("only", at: "checkout"))
        })
    }
    #expect(
      impact.moves == [
        Impact.Move(
          service: "Int", from: "1", to: nil, error: "Int depends on itself: Int → String → Int.", contexts: ["#1"]),
        Impact.Move(
          service: "String", from: "only", to: nil, error: "String depends on itself: String → Int → String.",
          contexts: ["#1"]),
      ])
  }
}
