import PlugFlags
import PlugFlagsTesting
import PlugTesting
import Testing

@testable import storefront

@Suite("The built-in flags")
struct FlagDocumentStorefrontTests {
  @Test("contain no mistakes, and nothing that is hardly meant")
  func lint() throws {
    let document = try FlagDocument.embedded()
    #expect(document.problems == [])
    #expect(document.findings == [])
    #expect(document.keys == ["checkout", "drone", "gift-cards", "search-results"])
  }

  @Test("are those that the shop names")
  func names() async throws {
    expectFlagsKnown(try .embedded(), in: try await Storefront(at: Samples.time).services, keys: .searchResults)
  }

  @Test("see a shopper's attributes by the names that these have in the file of the shoppers")
  func attributes() throws {
    let shopper = try Samples.shopper(tier: .premium, features: ["wallet", "beta"])
    #expect(shopper.targetingKey == "one")
    #expect(
      shopper.attributes == [
        "country": "DE", "tier": "premium", "appVersion": "3.2.0", "features": ["beta", "wallet"],
        "basket": ["totalInCents": 1000, "weightInGrams": 500],
      ])
    #expect(try Samples.shopper(tier: nil).attribute("tier") == nil)
  }

  @Test(
    "decide by what shoppers are",
    arguments: [
      ("drone", "3.0.0", "on"), ("drone", "3.0.0-rc.1", "off"), ("gift-cards", "3.0.0", "accepted"),
      ("gift-cards", "2.8.4", "suspended"), ("gift-cards", "3.0.0-rc.1", "suspended"),
      ("search-results", "1.9.9", "few"),
      ("search-results", "2.0.0", "all"),
    ])
  func decisions(_ key: String, _ version: String, _ variant: String) throws {
    let document = try FlagDocument.embedded()
    #expect(document.evaluate(key, in: try Samples.shopper(appVersion: version)).variant == variant)
  }
}
