/// The price of returning goods.
struct ReturnQuote: Sendable {
  /// The price, in euro cents.
  let cents: Int

  /// Quotes a return: free in the warehouse's country, and the price of a delivery elsewhere.
  init(of basket: Basket, from country: String, tariff: Tariff) {
    cents = tariff.zones.zone(of: country) == .domestic ? 0 : tariff.cents(for: basket, to: country)
  }
}
