import PlugKeys
import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

private struct Shopper: Sendable, Identifiable {
  var id = "p-17"
  var isBeta = false
}

private func makeServices(isKept: Bool = false) throws -> Injector {
  func injection(_ text: String) -> Injection<String> { isKept ? .lazySingleton { text } : .factory { text } }
  let services = Injector("services")
  try services.register(
    PluginPoint<String, Shopper>("search") {
      PluginPoint("trials", when: .equals(\.isBeta, true)) { Candidate("voice", injection("voice")) }
    })
  try services.register(injectable: injection("plain"))
  try services.register(
    PluginPoint<Int, Shopper>("numbers") { for n in [1, 2] { Candidate("\(n)", .factory { n }).weight(1, by: \.id) } },
    tag: "tagged")
  try services.seal()
  return services
}

@Suite("Exposures")
struct ExposureTests {
  @Test("name the candidate, the identifier, the reason and the injector")
  func reasons() throws {
    let (services, seen) = (try makeServices(), Setting<[Exposure]>())
    let token = services.onSelection(.each(by: \Shopper.id)) { seen.set((seen.value ?? []) + [$0]) }
    let scope = services.makeScope("request")
    _ = try services.get(String.self, in: Shopper())
    _ = try scope.get(String.self, in: Shopper(id: "p-18", isBeta: true))
    let number = try services.get(Int.self, tag: "tagged", in: Shopper())
    try services.disable("voice", at: "search", because: "INC-7")
    _ = try services.get(String.self, in: Shopper(isBeta: true))
    try services.force("voice", at: "search", because: "INC-7")
    _ = try services.getAll(String.self, in: Shopper())
    let exposures = try #require(seen.value)
    let expected = [
      Exposure(
        service: "String", tag: nil, point: "String", candidate: "default", reason: .fallback, identifier: "p-17",
        injector: "services"),
      Exposure(
        service: "String", tag: nil, point: "trials", candidate: "voice", reason: .rule, identifier: "p-18",
        injector: "services/request"),
      Exposure(
        service: "Int", tag: "tagged", point: "numbers", candidate: "\(number)", reason: .weight, identifier: "p-17",
        injector: "services", isShare: true),
      Exposure(
        service: "String", tag: nil, point: "String", candidate: "default", reason: .othersDisabled,
        identifier: "p-17", injector: "services"),
      Exposure(
        service: "String", tag: nil, point: "trials", candidate: "voice", reason: .forced, identifier: "p-17",
        injector: "services"),
      Exposure(
        service: "String", tag: nil, point: "String", candidate: "default", reason: .fallback, identifier: "p-17",
        injector: "services"),
    ]
    #expect(exposures == expected)
    #expect(exposures[3].description == "default at String for \"p-17\": others disabled")
    withExtendedLifetime(token) {}
  }

  @Test("give the current reason after each switch, whether or not the instance exists already")
  func switched() throws {
    let (services, log) = (try makeServices(isKept: true), Log())
    let token = services.onSelection(of: String.self) { log.add("\($0)") }
    let scope = services.makeScope()
    func expectChoices(_ service: String, _ exposure: String, _ location: SourceLocation = #_sourceLocation) throws {
      let earlier = log.lines.count
      for injector in [services, scope, services] { log.add(try injector.get(String.self, in: Shopper(isBeta: true))) }
      let expected = Array(repeating: [exposure, service], count: 3).flatMap(\.self)
      #expect(Array(log.lines[earlier...]) == expected, sourceLocation: location)
    }
    try services.disable("1", at: "numbers", because: "INC-7")
    try expectChoices("voice", "voice at trials: rule")
    try services.disable("voice", at: "search", because: "INC-8")
    try expectChoices("plain", "default at String: others disabled")
    try services.force("voice", at: "search", because: "INC-9")
    try expectChoices("voice", "voice at trials: forced")
    try services.restore("voice", at: "search")
    try expectChoices("voice", "voice at trials: rule")
    withExtendedLifetime(token) {}
  }

  @Test("name the returned candidate even if a rule switches candidates during the choice")
  func switchedByRule() throws {
    let (services, log) = (Injector("services"), Log())
    try services.register(
      PluginPoint<String, Shopper>("search") {
        Candidate("first") { "first" }.when(
          Rule("switches") { shopper, injector in
            if shopper.isBeta { try injector.force("second", at: "search", because: "INC-7") }
            return true
          })
        Candidate("second") { "second" }
      })
    try services.disable("second", at: "search", because: "INC-6")
    let token = services.onSelection { log.add("\($0)") }
    for isBeta in [false, false, true, true] { log.add(try services.get(String.self, in: Shopper(isBeta: isBeta))) }
    let ruled = ["first at search: rule", "first"]
    let forced = ["second at search: forced", "second"]
    // The switches count that were active when the choice began.
    #expect(log.lines == ruled + ruled + ruled + forced)
    withExtendedLifetime(token) {}
  }

  @Test("reach several observers, of one service or of all, until the observers are cancelled or released")
  func several() throws {
    let (services, log) = (try makeServices(), Log())
    let all = services.onSelection { log.add("all \($0)") }
    var strings: ObservationToken? = services.onSelection(of: String.self) { log.add("string \($0)") }
    let scope = services.makeScope()
    let own = scope.onSelection { log.add("scope \($0)") }
    _ = try services.get(String.self, in: Shopper())
    strings = nil
    _ = try scope.get(String.self, in: Shopper())
    all.cancel()
    _ = try services.get(String.self, in: Shopper())
    #expect(
      log.lines == [
        "all default at String: fallback", "string default at String: fallback",
        "scope default at String: fallback", "all default at String: fallback",
      ])
    withExtendedLifetime((own, strings)) {}
  }

  @Test("are not reported for failed requests, nor for requests that the observer itself makes")
  func failing() throws {
    let (services, log) = (Injector("services"), Log())
    try services.register(
      PluginPoint<String, Shopper>("search") {
        Candidate("broken", .factory { throw Failure() }).when(.equals(\.isBeta, true))
        Candidate("works", .factory { "works" })
      })
    let token = services.onSelection { [weak services] exposure in
      log.add("\(exposure)")
      _ = try? services?.get(String.self, in: Shopper())
    }
    _ = try? services.get(String.self, in: Shopper(isBeta: true))
    _ = try services.get(String.self, in: Shopper())
    #expect(log.lines == ["works at search: rule"])
    withExtendedLifetime(token) {}
  }

  @Test("with the same identifier and candidate are reported once, as long as they are remembered")
  func once() throws {
    let (services, log) = (try makeServices(), Log())
    let token = services.onSelection(of: String.self, .once(per: \Shopper.id, remembering: 2)) { exposure in
      log.add(exposure.identifier ?? "nobody")
    }
    for id in ["a", "a", "b", "a", "c", "b", "d", "e", "f", "a"] {
      _ = try services.get(String.self, in: Shopper(id: id))
    }
    #expect(log.lines == ["a", "b", "c", "b", "d", "e", "f", "a"])
    withExtendedLifetime(token) {}
  }
}
