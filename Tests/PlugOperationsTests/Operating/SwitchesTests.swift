import Foundation
import PlugKeys
import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

private struct Shopper: Sendable, Identifiable {
  let id: String
  var isBeta = false
}

private let ada = Shopper(id: "p-17")
private let beta = Shopper(id: "p-17", isBeta: true)

private func makeServices(isSealed: Bool = true) throws -> Injector {
  let services = Injector("services")
  try services.register(
    PluginPoint<String, Shopper>("search") {
      Candidate("semantic", .factory { "semantic" }).when(.equals(\.isBeta, true))
      PluginPoint("trials", when: .equals(\.isBeta, true)) {
        Candidate("voice", .factory { "voice" }, priority: 10)
      }
      Candidate("catalogue", .factory { "catalogue" })
    })
  try services.register(injectable: .factory { "plain" })
  if isSealed { try services.seal() }
  return services
}

@Suite("Switches")
struct SwitchesTests {
  @Test("disable a candidate of a sealed injector until it is restored")
  func disable() throws {
    let services = try makeServices()
    let scope = services.makeScope()
    try services.disable("voice", at: "trials", because: "INC-7", since: 1_700_000_000)
    for injector in [services, scope] {
      #expect(try injector.get(String.self, in: beta) == "semantic")
      #expect(try injector.getAll(String.self, in: beta) == ["semantic", "catalogue", "plain"])
      #expect(try injector.get([String: String].self, in: beta).keys.sorted() == ["catalogue", "default", "semantic"])
    }
    try services.disable("semantic", at: "String", because: "INC-7", since: 1_700_000_060)
    #expect(try scope.get(String.self, in: beta) == "catalogue")
    #expect(
      services[Switches.self].list.map(\.description) == [
        "voice at trials: disabled since 2023-11-14T22:13:20Z because INC-7",
        "semantic at String: disabled since 2023-11-14T22:14:20Z because INC-7",
      ])
    #expect(try services.restore("voice", at: "trials")?.reason == "INC-7")
    #expect(try services.restore("voice", at: "trials") == nil)
    #expect(try scope.get(String.self, in: beta) == "voice")
    #expect(try scope.restore("semantic", at: "String")?.action == .disabled)
    #expect(services[Switches.self].isEmpty)
  }

  @Test("keep the rule of a disabled candidate from running, in requests for one service or for all")
  func rules() throws {
    let (services, log) = (Injector("services"), Log())
    try services.register(
      PluginPoint<String, Shopper>("search") {
        for id in ["bad", "good"] {
          Candidate(id, .factory { id }).when(
            Rule(id) { _ in
              log.add(id)
              return true
            })
        }
      })
    try services.disable("bad", at: "search", because: "INC-7")
    #expect(try services.get(String.self, in: ada) == "good")
    #expect(try services.getAll(String.self, in: ada) == ["good"])
    #expect(try services.get([String: String].self, in: ada) == ["good": "good"])
    #expect(try services.explain(String.self, in: ada).available == ["good"])
    #expect(log.lines == ["good", "good", "good", "good"])
  }

  @Test("force a candidate regardless of its own and enclosing rules, and force only one per service")
  func force() throws {
    let services = try makeServices()
    try services.force("voice", at: "search", because: "the demo")
    #expect(try services.get(String.self, in: ada) == "voice")
    #expect(try services.getAll(String.self, in: ada) == ["voice", "catalogue", "plain"])
    try services.force("default", at: "String", because: "the demo is over")
    #expect(try services.get(String.self, in: beta) == "plain")
    #expect(try services.getAll(String.self, in: ada) == ["plain", "catalogue"])
    #expect(services[Switches.self].list.map(\.candidate) == ["default"])
    try services.disable("default", at: "String", because: "INC-8")
    #expect(try services.getAll(String.self, in: ada) == ["catalogue"])
  }

  @Test("appear in explanations with their time and reason")
  func explained() throws {
    let services = try makeServices()
    try services.disable("semantic", at: "search", because: "INC-7", since: 1_700_000_000)
    try services.disable("semantic", at: "String", because: "INC-8")
    try services.force("catalogue", at: "search", because: "INC-7", since: 0)
    try services.disable("default", at: "String", because: "nobody needs it", since: -1)
    let explanation = try services.explain(String.self, in: beta)
    let now = try #require(services[Switches.self]["semantic", at: "String"]?.since)
    #expect(abs(now - Date().timeIntervalSince1970) < 60)
    #expect(
      explanation.description == """
        String in Shopper: 2 of 4 apply, selected: catalogue
          point search: open
            semantic: disabled since 2023-11-14T22:13:20Z because INC-7, disabled since \(timestamp(now)) because INC-8
            point trials: open
              + isBeta == true: true
              voice: available as number 2, priority 10
            catalogue: selected, forced since 1970-01-01T00:00:00Z because INC-7
          default: disabled since -1 s since 1970 because nobody needs it
        """)
  }

  @Test("can be saved as JSON and restored, also before their candidates are registered")
  func saved() throws {
    let services = try makeServices()
    try services.disable("voice", at: "search", because: "INC-7", since: 1_700_000_000)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(services[Switches.self])
    #expect(
      String(decoding: data, as: UTF8.self) == """
        [{"action":"disabled","candidate":"voice","point":"search","reason":"INC-7","since":1700000000}]
        """)
    let later = Injector("later")
    later[Switches.self] = try JSONDecoder().decode(Switches.self, from: data)
    #expect(later[Switches.self] == services[Switches.self])
    try later.register(injectable: .factory { "plain" })
    try later.contribute(
      String.self, .factory { "voice" }, when: Rule<Shopper>.always, id: "voice")
    #expect(try later.get(String.self, in: ada) == "voice")
    later[Switches.self] = Switches([
      Switches.Switch("voice", at: "String", .forced, because: "earlier"),
      Switches.Switch("voice", at: "String", .disabled, because: "later"),
    ])
    #expect(later[Switches.self].list.map(\.reason) == ["later"])
    #expect(try later.get(String.self, in: ada) == "plain")
  }

  @Test("are refused for an unknown candidate, and then change nothing")
  func unknown() throws {
    let services = try makeServices()
    let error = #expect(throws: InjectorError.self) {
      try services.disable("semantik", at: "search", because: "INC-7")
    }
    #expect(
      "\(try #require(error))" == """
        "semantik" at "search" cannot be forced or disabled: there is no such candidate.
          candidate:      semantik
          point:          search
          injector:       services
          nearest:        semantic at search, registered at PlugOperationsTests/SwitchesTests.swift:21
        To fix this:
          - Pass a candidate's id, and the id of a point around it or the name of its service: explain prints them.
        """)
    #expect(services[Switches.self].isEmpty)
    #expect(throws: InjectorError.self) { try services.disable("default", at: "Int", because: "INC-7") }
  }

  @Test("can be observed, also from a scope")
  func observed() throws {
    let services = try makeServices()
    let (log, scoped) = (Log(), Log())
    let token = services.observe(Switches.self) { log.add($0.list.map(\.candidate).joined(separator: ", ")) }
    let scope = services.makeScope()
    var other: ObservationToken? = scope.observe(Switches.self) { scoped.add("\($0.list.count)") }
    try services.disable("voice", at: "search", because: "INC-7")
    try scope.disable("semantic", at: "search", because: "INC-7")
    other = nil
    try services.restore("voice", at: "search")
    #expect(log.lines == ["voice", "voice, semantic", "semantic"])
    #expect(scoped.lines == ["1", "2"])
    withExtendedLifetime((token, other)) {}
  }

  @Test("update a sequence of selections, and notify their own observers")
  func followed() async throws {
    let services = try makeServices()
    var winners = services.selections(of: String.self, in: beta).makeAsyncIterator()
    #expect(try await winners.next() == "voice")
    let log = Log()
    let token = services.observe(Switches.self) { log.add($0.list.map(\.candidate).joined(separator: ", ")) }
    try services.disable("voice", at: "search", because: "INC-7")
    #expect(try await winners.next() == "semantic")
    try services.disable("semantic", at: "search", because: "INC-7")
    #expect(try await winners.next() == "catalogue")
    try services.restore("voice", at: "search")
    #expect(try await winners.next() == "voice")
    #expect(log.lines == ["voice", "voice, semantic", "semantic"])
    withExtendedLifetime(token) {}
  }

  @Test("that a scope sets stay in the scope for its own candidates, and go to its parent for inherited ones")
  func scopes() throws {
    let services = try makeServices(isSealed: false)
    let scope = services.makeScope()
    try scope.register(PluginPoint<Int, Shopper>("numbers") { Candidate("one", .factory { 1 }) })
    try scope.disable("one", at: "numbers", because: "INC-7")
    #expect(throws: InjectorError.self) { try scope.get(Int.self, in: ada) }
    #expect(services[Switches.self].isEmpty)
    try services.makeScope().disable("catalogue", at: "search", because: "INC-7")
    #expect(try services.get(String.self, in: ada) == "plain")
  }

  @Test("affect rules that depend on the selection, and candidates that are drawn by weight")
  func prerequisites() throws {
    let services = Injector("services")
    try services.register(
      PluginPoint<String, Shopper>("checkout") {
        for id in ["a", "b", "c"] { Candidate(id, .factory { id }).weight(1, by: \.id) }
      })
    try services.register(
      PluginPoint<Int, Shopper>("after") {
        Candidate("with", .factory { 1 }).when(.selected("a", at: "checkout"))
        Candidate("without", .factory { 0 })
      })
    try services.seal()
    let shoppers = (0..<300).map { Shopper(id: "p-\($0)") }
    let before = try shoppers.map { try services.get(String.self, in: $0) }
    try services.disable("a", at: "checkout", because: "INC-7")
    let after = try shoppers.map { try services.get(String.self, in: $0) }
    #expect(!after.contains("a") && zip(before, after).allSatisfy { $0 == "a" || $0 == $1 })
    #expect(try shoppers.allSatisfy { try services.get(Int.self, in: $0) == 0 })
    try services.force("a", at: "checkout", because: "all is well")
    #expect(try shoppers.allSatisfy { try services.get(Int.self, in: $0) == 1 })
  }

  @Test("work at a point with any number of candidates")
  func large() throws {
    let services = Injector("services")
    try services.register(
      PluginPoint<Int, Shopper>("numbers") { for number in 0..<200 { Candidate("\(number)", .factory { number }) } })
    for number in 0..<150 { try services.disable("\(number)", at: "numbers", because: "INC-7") }
    #expect(try services.get(Int.self, in: ada) == 150)
    #expect(try services.getAll(Int.self, in: ada) == Array(150..<200))
    try services.force("70", at: "numbers", because: "INC-7")
    #expect(try services.getAll(Int.self, in: ada) == [70] + Array(150..<200))
    try services.restore("70", at: "numbers")
    #expect(try services.get(Int.self, in: ada) == 70)
  }
}
