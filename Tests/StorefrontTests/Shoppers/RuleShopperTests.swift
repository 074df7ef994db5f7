import Plug
import Testing

@testable import storefront

@Suite("The rules about shoppers")
struct RuleShopperTests {
  @Test(
    "Premium is indeterminate for guests, and so is its negation",
    arguments: [(Tier?.some(.premium), RuleTrace.Outcome.satisfied), (.standard, .unsatisfied), (nil, .indeterminate)])
  func premium(_ tier: Tier?, _ outcome: RuleTrace.Outcome) throws {
    let shopper = try Samples.shopper(tier: tier)
    #expect(Rule.premium.evaluate(in: shopper) == outcome)
    #expect(((!Rule.premium).evaluate(in: shopper) == .indeterminate) == (outcome == .indeterminate))
  }

  @Test(
    "Beta testers have the feature or run a pre-release",
    arguments: [
      ("3.2.0", "beta", RuleTrace.Outcome.satisfied), ("3.3.0-beta.1", "wallet", .satisfied),
      ("3.2.0", "wallet", .unsatisfied),
    ])
  func betaTester(_ version: String, _ feature: String, _ outcome: RuleTrace.Outcome) throws {
    #expect(Rule.betaTester.evaluate(in: try Samples.shopper(appVersion: version, features: [feature])) == outcome)
  }

  @Test(
    "The redesign begins with the release of 3.0.0, and 2.0.0 is the first that is supported",
    arguments: [
      ("1.99.0", false, false), ("2.0.0-rc.1", false, false), ("2.0.0", true, false), ("3.0.0-rc.1", true, false),
      ("3.0.0", true, true), ("10.0.0", true, true),
    ])
  func versions(_ version: String, _ isSupported: Bool, _ isRedesigned: Bool) throws {
    let shopper = try Samples.shopper(appVersion: version)
    #expect((Rule.supported.evaluate(in: shopper) == .satisfied) == isSupported)
    #expect((Rule.redesigned.evaluate(in: shopper) == .satisfied) == isRedesigned)
  }

  @Test("Goods reach only some countries without customs", arguments: [("DE", true), ("PL", true), ("NO", false)])
  func customs(_ country: String, _ isInside: Bool) throws {
    let outcome = Rule.withoutCustoms.evaluate(in: try Samples.shopper(country: country))
    #expect((outcome == .satisfied) == isInside)
  }
}
