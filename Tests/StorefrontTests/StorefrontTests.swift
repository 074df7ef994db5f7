import Plug
import Testing

@testable import storefront

@Suite("Storefront")
struct StorefrontTests {
  @Test("What is registered is sealed")
  func sealed() throws {
    let services = try Storefront().services
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
  func everybodyIsServed(_ shopper: Shopper) throws {
    let offer = try Storefront().offer(for: shopper)
    #expect(!offer.checkout.pages.isEmpty)
    #expect(!offer.paymentMethods.isEmpty)
    #expect(!offer.searchProviders.isEmpty)
    #expect(offer.deliveryQuote.cents(for: shopper) >= 0)
  }

  @Test("Every candidate is chosen by some built-in shopper and not by another, unless it has no rule")
  func everyRuleMatters() throws {
    let storefront = try Storefront()
    let explanations = try ShopperFile.embedded.shoppers().map { try storefront.explanations(for: $0) }
    let available = explanations.map { Set($0.flatMap(\.available)) }
    let all = available.reduce(into: Set()) { $0.formUnion($1) }
    let always = available.reduce(all) { $0.intersection($1) }
    #expect(
      all == [
        "card", "cash", "catalogue", "default", "drone", "free", "freight", "gift-card", "invoice", "one-click",
        "parcel", "photo", "semantic", "voice", "wallet", "web",
      ])
    #expect(always == ["card", "catalogue", "default", "parcel"])
  }

  @Test("The explanations are about what is offered")
  func explanationsAgree() throws {
    let storefront = try Storefront()
    for shopper in try ShopperFile.embedded.shoppers() {
      let offer = try storefront.offer(for: shopper)
      let explanations = try storefront.explanations(for: shopper)
      #expect(explanations.map(\.subject) == ["Checkout", "PaymentMethod", "SearchProvider", "DeliveryQuote"])
      #expect(explanations[1].available.count == offer.paymentMethods.count)
      #expect(explanations[2].available == offer.searchProviders.map(\.name))
    }
  }

  @Test("Freight comes before everything that is cheaper")
  func freight() throws {
    let shopper = try Samples.shopper(tier: .premium, totalInCents: 1_000_00, weightInGrams: 30_000)
    let quote = try Storefront().offer(for: shopper).deliveryQuote
    #expect(quote is FreightQuote)
    #expect(quote.cents(for: shopper) == 4_90 + 29 * 50 + 25_00)
  }
}
