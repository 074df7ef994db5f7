import Foundation
import Plug
import PlugFlags
import PlugFlagsTesting
import PlugKeys
import PlugOperations
import PlugTesting
import Testing

private struct Shopper: ListedFlagContext {
  var id = "p-17"
  var country = "DE"
  var appVersion = "3.2.0"

  static let flagAttributes = FlagAttributeList<Shopper>(
    targetingKey: \.id,
    [
      .init("country", \.country), .init("appVersion", \.appVersion),
    ])
}

extension Shopper {
  var privateAttributes: Set<String> { ["targetingKey"] }
}

private protocol Search: Sendable {}
private struct SemanticSearch: Search {}
private struct WideSearch: Search {}

nonisolated extension FlagKey<Bool> {
  static let newCheckout = FlagKey("new-checkout", default: false)
}

nonisolated extension FlagKey<Int> {
  fileprivate static let basketLimit = FlagKey("basket-limit", default: 4)
}

private func attributes<Value>(
  of evaluation: FlagEvaluation<Value>, named key: String,
  for identifier: String?
) -> [String: String] {
  func text(_ name: String) -> String? {
    evaluation.metadata[name].flatMap { String.read($0) }
  }
  var attributes = [
    "feature_flag.key": key,
    "feature_flag.provider.name": "plug",
    "feature_flag.result.reason":
      evaluation.reason.rawValue.lowercased(),
  ]
  attributes["feature_flag.result.variant"] = evaluation.variant
  attributes["feature_flag.context.id"] = identifier
  attributes["feature_flag.set.id"] = text("flagSetId")
  attributes["feature_flag.version"] = text("version")
  attributes["error.type"] = evaluation.errorCode?.rawValue.lowercased()
  return attributes
}

/// The code of the guide "Flags", as its reader would run it.
@Suite("The guide to flags", .isolated)
struct FollowingFlagsGuideTests {
  private let services = Injector("services")
  private let shopper = Shopper()

  /// The document of the guide.
  private static let text = #"""
    {"flags": {
      "checkout": {
        "state": "ENABLED", "variants": { "one-click": "one-click", "classic": "classic" },
        "defaultVariant": "classic",
        "targeting": {
          "if": [
            { "and": [
              { "in": [{ "var": "country" }, ["AT", "DE"]] },
              { "sem_ver": [{ "var": "appVersion" }, ">=", "3.0.0"] }
            ] },
            { "fractional": [["one-click", 25], ["classic", 75]] }
          ]
        }
      },
      "semantic-search": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off"},
      "columns": {"state": "ENABLED", "variants": {"few": 2, "many": 3}, "defaultVariant": "many"}
    }}
    """#

  @Test("Rules about flags choose", .timeLimit(.minutes(10)))
  func rules() throws {
    let point = PluginPoint<any Search, Shopper>("search") {
      Candidate("semantic") { SemanticSearch() }
        .when(.flag("semantic-search"))
      Candidate("wide") { WideSearch() }
        .when(.flag("columns", atLeast: 3) && .equals(\.country, "DE"))
      Candidate("limited") { WideSearch() }
        .when(.flag(.basketLimit, .within(\.self, 3...5)))
    }
    try services.register(point)
    services[Flags.self] = try FlagDocument(Self.text)
    #expect(try services.explain((any Search).self, in: shopper).available == ["wide"])
  }

  @Test("Attributes of the program and of a request are under those of a call")
  func global() throws {
    services[Flags.self] = try FlagDocument(
      #"""
      {"flags": {"new-checkout": {"state": "ENABLED", "variants": {"on": true, "off": false}, "targeting":
      {"if": [{"and": [{"==": [{"var": "region"}, "eu"]}, {"==": [{"var": "tenant"}, "acme"]}]}, "on", "off"]}}}}
      """#)
    let request = services.makeScope("request")
    services.flagAttributes = ["region": "eu"]
    request.flagAttributes["tenant"] = "acme"
    #expect(request.flag(.newCheckout, in: shopper))
    #expect(!services.flag(.newCheckout, in: shopper))
  }

  @Test("A flag decides a point")
  func points() throws {
    let point = PluginPoint<any Checkout, Shopper>(
      "checkout", decidedBy: "checkout"
    ) {
      Candidate("one-click") { OneClick() }
      Candidate("classic") { Classic() }
    }
    try services.register(point)
    services[Flags.self] = try FlagDocument(Self.text)
    try services.validate()
    let chosen = try (0..<1000).map { number in
      try services.get((any Checkout).self, in: Shopper(id: "p-\(number)")) is OneClick
    }
    #expect((200...300).contains(chosen.count { $0 }))
    #expect(try services.get((any Checkout).self, in: Shopper(country: "FR")) is Classic)
    try services.override(flag: "checkout", is: "one-click")
    try services.override(Flags.self, with: .empty)
    #expect(try services.getAll((any Checkout).self, in: shopper).isEmpty)
  }

  @Test("A document is compared with the program, and with the one before it")
  func comparing() throws {
    let point = PluginPoint<any Checkout, Shopper>("checkout", decidedBy: "checkout") {
      Candidate("one-click") { OneClick() }
      Candidate("classic") { Classic() }
    }
    try services.register(point)
    services[Flags.self] = try FlagDocument(Self.text)
    let text = """
      {"flags": {
        "checkout": {"state": "ENABLED", "variants": {"one-click": 1, "classic": 2}, "defaultVariant": "classic"},
        "new-checkout": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}
      }}
      """
    let shoppers = (1...20).map { Shopper(id: "p-\($0)") }
    let document = try FlagDocument(text)
    expectFlagsKnown(document, in: services, keys: .newCheckout)
    let impact = try services.impact(on: shoppers, by: \.id) { services in
      services[Flags.self] = document
    }
    print(impact)
    #expect(
      impact.description == """
        2 of 20 contexts would get another candidate
          service   from       to       contexts
          Checkout  one-click  classic  2: p-4, p-18
        """)
  }

  @Test("Code evaluates typed flags")
  func typed() {
    let isNew = services.flag(.newCheckout, in: shopper)
    let evaluation = services.evaluation(of: .newCheckout, in: shopper)
    print(services.explainFlag("new-checkout", in: shopper))
    #expect(!isNew && evaluation.errorCode == .flagNotFound)
  }

  @Test("The document is a property")
  func property() throws {
    let (text, problems) = (Self.text, Log<[FlagProblem]>())
    let log = { @Sendable in problems.add($0) }
    services[Flags.self] = try FlagDocument(text)
    let observation = services.observe(Flags.self) { log($0.problems) }
    let request = services.makeScope("request")
    request[Flags.self] = services[Flags.self]
    services[Flags.self] = .empty
    #expect(request[Flags.self].keys == ["checkout", "semantic-search", "columns"])
    #expect(problems.elements == [[]])
    observation.cancel()
  }

  @Test("Documents come from any sequence", .timeLimit(.minutes(10)))
  func sources() async throws {
    let text = Self.text
    let (documents, source) = AsyncStream<FlagDocument>.makeStream()
    source.yield(try FlagDocument(text))
    let following = try await services.follow(documents)
    #expect(services[Flags.self] == (try FlagDocument(text)))
    following.cancel()
  }
}

/// What the guide begins with: a file.
@Suite("The guide to flags, with a file", .isolated, .timeLimit(.minutes(10)))
struct FlagFileGuideTests {
  @Test("A file is followed from the start on")
  func file() async throws {
    let (folder, services) = (try Folder(), Injector("services"))
    try folder.write(numbered(1).json(), to: "flags.json")
    func FlagFile(_ name: String) -> PlugFlags.FlagFile { PlugFlags.FlagFile(folder.path(name)) }
    try services.register(.following(FlagFile("flags.json")))
    try await services.start()
    #expect(services[Flags.self] == (try numbered(1)))
    await services.close()
  }

  @Test("Several sources are merged, and say how they stand")
  func sources() async throws {
    let (folder, services, text) = (try Folder(), Injector("services"), try numbered(1).json())
    try folder.write(numbered(2).json(), to: "shop.json")
    func FlagFile(_ name: String, fractional: FractionalVersion = .v2) -> PlugFlags.FlagFile {
      PlugFlags.FlagFile(folder.path(name), fractional: fractional)
    }
    let logged = Log<[String]>()
    let log = { @Sendable in logged.add($0) }
    let task = Task {
      for await keys in services.flagChanges() { log(keys) }
    }
    let first = try FlagDocument(text)
    let base = try await services.follow(
      FlagFile("base.json"), beginningWith: first)
    let shop = try await services.follow(FlagFile("shop.json"))
    #expect(services[Flags.self].source(of: "number") == folder.path("shop.json"))
    for source in services.flagSources { print(source) }
    // base.json: current
    // shop.json: stale since 2026-11-28T10:15:00Z: No such file or directory
    #expect(services.flagSources.count == 2)
    let document = try FlagDocument(text, fractional: .v3)
    let file = FlagFile("flags.json", fractional: .v3)
    #expect(document != first && file.fractional == .v3)
    withExtendedLifetime((base, shop)) {}
    await services.close()
    await task.value
  }

  @Test("A set of flags is followed alone, and an evaluation has what OpenTelemetry's event needs")
  func sets() async throws {
    let (folder, services) = (try Folder(), Injector("services"))
    let shopper = Shopper()
    let flag = #"{"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on""#
    try folder.write(
      #"{"flags": {"new-checkout": \#(flag), "metadata": {"flagSetId": "staff"}}, "other": \#(flag)}}, "#
        + #""metadata": {"version": "7"}}"#, to: "staff.json")
    func FlagFile(_ name: String) -> PlugFlags.FlagFile { PlugFlags.FlagFile(folder.path(name)) }
    let staff = try await services.follow(
      FlagFile("staff.json"), flagSet: "staff")
    #expect(services[Flags.self].keys == ["new-checkout"])
    let evaluation = services.evaluation(of: .newCheckout, in: shopper)
    #expect(
      attributes(of: evaluation, named: "new-checkout", for: shopper.id) == [
        "feature_flag.key": "new-checkout", "feature_flag.provider.name": "plug",
        "feature_flag.result.variant": "on", "feature_flag.result.reason": "static",
        "feature_flag.context.id": "p-17", "feature_flag.set.id": "staff", "feature_flag.version": "7",
      ])
    #expect(
      attributes(of: services.evaluation(of: FlagKey("none", default: 1), in: shopper), named: "none", for: nil) == [
        "feature_flag.key": "none", "feature_flag.provider.name": "plug", "feature_flag.result.reason": "error",
        "feature_flag.set.id": "staff", "feature_flag.version": "7", "error.type": "flag_not_found",
      ])
    staff.cancel()
  }
}
