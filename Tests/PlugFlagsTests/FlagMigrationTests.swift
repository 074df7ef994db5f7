import Plug
import PlugFlags
import PlugKeys
import Testing

nonisolated extension FlagKey<Int> {
  static let resultsPerPage = FlagKey("results-per-page", default: 20)
}

/// What the notes on migrating say of flags.
@Suite("Who comes from another library for flags", .timeLimit(.minutes(10)))
struct FlagMigrationTests {
  private let services = Injector("services")
  private let shopper = Buyer()

  @Test("declares a flag once, with its type and its default")
  func openFeature() {
    let count = services.flag(.resultsPerPage, in: shopper)
    #expect(count == 20)
  }

  @Test("feeds a sequence of documents, the one that the program is delivered with first")
  func remoteConfig() async throws {
    let (bundled, downloaded) = (try numbered(1).json(), try numbered(2).json())
    let (documents, downloads) = AsyncStream<FlagDocument>.makeStream()
    downloads.yield(try FlagDocument(bundled))
    let following = try await services.follow(documents)
    downloads.yield(try FlagDocument(downloaded))
    try await until { [services] in (try? numbered(2)) == services[Flags.self] }
    following.cancel()
  }

  @Test("targets single keys, segments and shares from top to bottom")
  func launchDarkly() throws {
    let document = try FlagDocument(
      #"""
      {"$evaluators": {"beta-testers": {"==": [{"var": "country"}, "AT"]}},
      "flags": {"x": {"state": "ENABLED", "variants": {"on": true, "off": false}, "targeting":
      {
        "if": [
          { "in": [{ "var": "targetingKey" }, ["p-17"]] }, "on",
          { "$ref": "beta-testers" }, "on",
          { "fractional": [["on", 25], ["off", 75]] }
        ]
      }
      }}}
      """#)
    #expect(document.problems.isEmpty)
    #expect(document.evaluate("x", in: shopper).variant == "on")
    #expect(document.evaluate("x", in: Buyer(id: "p-1", country: "AT")).variant == "on")
    let shares = (0..<1000).map { document.evaluate("x", in: Buyer(id: "q-\($0)")).variant }
    #expect((200...300).contains(shares.count { $0 == "on" }))
  }
}
