import Foundation
import Plug
import PlugFeatures
import PlugKeys
import Testing

@testable import storefront

@Suite("Storefront")
struct StorefrontTests {
  @Test("The registrations are sealed")
  func sealed() async throws {
    let services = try await Storefront(at: Samples.time).services
    #expect(services.isSealed)
    let error = #expect(throws: InjectorError.self) {
      try services.register(as: (any Checkout).self) { StepwiseCheckout() }
    }
    guard case .sealed(let facts) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(facts.service == "Checkout")
    #expect(facts.injector == "storefront")
  }

  @Test("Every built-in shopper can check out, pay and search", arguments: try ShopperFile.embedded.shoppers())
  func everybodyIsServed(_ shopper: Shopper) async throws {
    let offer = try await Storefront(at: Samples.time).offer(for: shopper)
    #expect(!offer.checkout.pages.isEmpty)
    #expect(!offer.paymentMethods.isEmpty)
    #expect(!offer.searchProviders.isEmpty)
    #expect(offer.deliveryQuote.cents(for: shopper) >= 0)
  }

  @Test("Every candidate is chosen by some built-in shopper and not by another, unless it has no rule")
  func everyRuleMatters() async throws {
    let storefront = try await Storefront(at: Samples.time)
    let explanations = try ShopperFile.embedded.shoppers().map { try storefront.explanations(for: $0) }
    let available = explanations.map { Set($0.flatMap(\.available)) }
    let all = available.reduce(into: Set()) { $0.formUnion($1) }
    let always = available.reduce(all) { $0.intersection($1) }
    #expect(
      all == [
        "card", "cash", "catalogue", "drone", "free", "freight", "gift-card", "invoice", "one-click", "parcel",
        "photo", "semantic", "single-page", "stepwise", "voice", "wallet", "web",
      ])
    #expect(always == ["card", "catalogue", "parcel", "web"])
  }

  @Test("The explanations are about the offers")
  func explanationsAgree() async throws {
    let storefront = try await Storefront(at: Samples.time)
    for shopper in try ShopperFile.embedded.shoppers() {
      let offer = try storefront.offer(for: shopper)
      let explanations = try storefront.explanations(for: shopper)
      #expect(explanations.map(\.subject) == ["Checkout", "PaymentMethod", "SearchProvider", "DeliveryQuote"])
      #expect(explanations[1].available.count == offer.paymentMethods.count)
      #expect(explanations[2].available == offer.searchProviders.map(\.name))
    }
  }

  @Test(
    "The time chooses the campaign",
    arguments: [
      ("2026-12-17T12:00", "everyday"), ("2026-12-18T00:00", "christmas"), ("2026-12-24T23:59", "christmas"),
      ("2026-12-25T12:00", "everyday"), ("2026-11-24T18:00", "evening"), ("2026-11-24T17:59", "everyday"),
    ])
  func campaign(_ time: String, _ expected: String) async throws {
    let storefront = try await Storefront(at: #require(Moment(time)))
    #expect(try storefront.campaignExplanation().selected == expected)
  }

  @Test("The voucher is drawn with the shop's randomness: one winner all day long, and any winner in a test")
  func voucher() async throws {
    let everybody = try ShopperFile.embedded.shoppers()
    var winners: [String?] = []
    for time in ["2026-12-24T00:00", "2026-12-24T23:59", "2026-12-25T00:00"] {
      winners.append(try await Storefront(at: #require(Moment(time))).greeting(for: everybody).winner?.id)
    }
    #expect(winners == ["jun", "jun", "dag"])
    let services = Injector()
    services.randomness = .constant(0)
    #expect(VoucherDraw(randomness: services.randomness).winner(among: everybody)?.id == "ada")
  }

  @Test("The selections of the campaign follow the time, exactly as a reference computes over 1,000 random changes")
  func selections() async throws {
    var randomness = Randomness.seeded(1)
    let storefront = try await Storefront(at: Samples.time)
    let selections = storefront.services.selections(of: (any Campaign).self)
    var expected = ["everyday"]
    for _ in 0..<1_000 {
      // One in two is in the ten days from the 16th of December on.
      let (start, days) = Bool.random(using: &randomness) ? (1_797_379_200, 10.0) : (1_795_132_800, 365.0)
      let seconds = Double.random(in: 0..<days * 86_400, using: &randomness)
      let time = Moment(Date(timeIntervalSince1970: Double(start) + seconds))
      storefront.services[CurrentTime.self] = time
      let isChristmas = time.month == 12 && (18...24).contains(time.day)
      let winner = isChristmas ? "christmas" : time.hour >= 18 ? "evening" : "everyday"
      if winner != expected.last { expected.append(winner) }
    }
    await storefront.services.close()
    #expect(try await selections.reduce(into: []) { $0.append($1 ?? "none") } == expected)
    #expect(Set(expected).count == 3)
  }

  @Test("Freight comes before everything that is cheaper")
  func freight() async throws {
    let shopper = try Samples.shopper(tier: .premium, totalInCents: 1_000_00, weightInGrams: 30_000)
    let quote = try await Storefront(at: Samples.time).offer(for: shopper).deliveryQuote
    #expect(quote is FreightQuote)
    #expect(quote.cents(for: shopper) == 4_90 + 29 * 50 + 25_00)
  }
}
