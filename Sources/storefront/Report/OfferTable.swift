import Plug
import PlugKeys

/// Writes offers as a table, one line each.
struct OfferTable {
  @Injected private var prices: any PriceFormat

  init(services: Injector) {
    _prices = Injected(injector: services)
  }

  func text(of offers: [Offer]) -> String {
    var table = Table(header: [
      "SHOPPER", "COUNTRY", "TIER", "APP", "CHECKOUT", "PAYMENT", "SEARCH", "DELIVERY", "RETURN",
    ])
    table.rows = offers.map(row)
    return table.description
  }

  private func row(for offer: Offer) -> [String] {
    let shopper = offer.shopper
    let quote = offer.deliveryQuote
    return [
      shopper.id,
      shopper.country,
      shopper.tier?.rawValue ?? "guest",
      shopper.appVersion.description,
      offer.checkout.name,
      offer.paymentMethods.map(\.name).joined(separator: ", "),
      offer.searchProviders.map(\.name).joined(separator: ", "),
      "\(quote.carrier), \(prices.text(cents: quote.cents(for: shopper)))",
      prices.text(cents: offer.returnQuote.cents),
    ]
  }
}
