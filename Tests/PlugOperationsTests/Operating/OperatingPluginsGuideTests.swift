import Foundation
import PlugKeys
import PlugOperations
import TestSupport
import Testing

@testable import Plug

#if canImport(PlugOperations)
  @testable import PlugOperations
#endif

private protocol Search: Sendable {}
private struct SemanticSearch: Search {}
private struct CatalogueSearch: Search {}
private struct RemoteSearch: Search {
  init() throws { throw Boom() }
}

private struct Shopper: Sendable, Identifiable {
  var id = "p-17"
}

private enum SemanticShare: Property {
  static var defaultValue: Double { 50 }
}

/// The one method of swift-log's `Logger` that the guide uses.
private struct Logger: Sendable {
  let lines: Log

  func info(_ message: String, metadata: [String: String]) { lines.add("\(message) \(metadata)") }
}

private func attributes(of exposure: Exposure) -> [String: String] {
  let reason =
    switch exposure.reason {
    case .fallback: "default"
    case .forced: "static"
    default: exposure.isShare ? "split" : "targeting_match"
    }
  var attributes = [
    "feature_flag.key": exposure.point,
    "feature_flag.provider.name": "plug",
    "feature_flag.result.variant": exposure.candidate,
    "feature_flag.result.reason": reason,
  ]
  attributes["feature_flag.context.id"] = exposure.identifier
  return attributes
}

/// The code of the guide "Operating", as its reader would run it.
@Suite("The guide to operating")
struct OperatingPluginsGuideTests {
  private let services = Injector("shop")
  private let shopper = Shopper()
  private let shoppers = ["p-1", "p-2", "p-3"].map { Shopper(id: $0) }
  private let lines = Log()

  private func print(_ value: some Any) { lines.add("\(value)") }

  private func register() throws {
    try services.register(
      PluginPoint<any Search, Shopper>("search") {
        Candidate("semantic") { SemanticSearch() }.when(.rollout(SemanticShare.self, of: "semantic", by: \.id))
        Candidate("catalogue") { CatalogueSearch() }
      })
    try services.seal()
  }

  @Test("shows who got which candidate, and why")
  func exposures() throws {
    try register()
    let logger = Logger(lines: lines)
    let exposures = services.onSelection(
      of: (any Search).self, .once(per: \Shopper.id)
    ) { exposure in
      print(exposure)
    }
    let log = services.onSelection(.each(by: \Shopper.id)) { exposure in
      logger.info(
        "\(exposure)", metadata: ["candidate": "\(exposure.candidate)"])
    }
    let named = services.onSelection(.each(by: \Shopper.id)) { exposure in
      #expect(
        attributes(of: exposure) == [
          "feature_flag.key": "search", "feature_flag.provider.name": "plug",
          "feature_flag.result.variant": "semantic", "feature_flag.result.reason": "split",
          "feature_flag.context.id": "p-17",
        ])
    }
    _ = try services.get((any Search).self, in: shopper)
    let line = "semantic at search for \"p-17\": rule"
    #expect(lines.lines == [line, "\(line) [\"candidate\": \"semantic\"]"])
    for explanation in services.explainAll(in: shopper) {
      print(explanation)
    }
    let search = try services.explain(named: "Search", in: shopper)
    #expect(lines.lines.last == search.description)
    for changes in search.changes(toSelect: "catalogue") {
      print(changes)
    }
    let condition = #"rollout SemanticShare of "semantic" by id: "p-17" in bucket 29.33, share 50%"#
    #expect(lines.lines.last == "[\(condition) would have to be unsatisfied]")
    withExtendedLifetime([exposures, log, named]) {}
  }

  @Test("switches a candidate off, and saves the switch")
  func switches() throws {
    try register()
    try services.disable("semantic", at: "search", because: "INC-7")
    let saved = try JSONEncoder().encode(services[Switches.self])
    services[Switches.self] = try JSONDecoder()
      .decode(Switches.self, from: saved)
    #expect(try services.get((any Search).self, in: shopper) is CatalogueSearch)
    let recent = services.rememberSelections(last: 50)
    print(services.report())
    #expect(lines.lines.first?.contains("semantic at search: disabled since") == true)
    withExtendedLifetime(recent) {}
  }

  @Test("survives a plugin that fails")
  func failures() throws {
    let point = PluginPoint<any Search, Shopper>("search") {
      Candidate("remote") { try RemoteSearch() }
        .onFailure(.quarantine(after: 3, for: .seconds(60)))
      Candidate("catalogue") { CatalogueSearch() }
    }
    #expect(try point.get(in: shopper) is CatalogueSearch)
  }

  @Test("shows what a fix would change")
  func impact() throws {
    try register()
    try services.disable("semantic", at: "search", because: "INC-7")
    let impact = try services.impact(on: shoppers, by: \.id) { services in
      services[SemanticShare.self] = 10
      _ = try services.restore("semantic", at: "search")
    }
    print(impact)
    let table = """
      1 of 3 contexts would get another candidate
        service  from       to        contexts
        Search   catalogue  semantic  1: p-1
      """
    #expect(lines.lines == [table])
  }
}
