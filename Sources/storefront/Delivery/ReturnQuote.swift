/// What it costs to send goods back.
struct ReturnQuote: Sendable {
  /// The price, in euro cents.
  let cents: Int

  /// Sending back is free where the warehouse is, and costs as much as a delivery elsewhere.
  init(of basket: Basket, from country: String, tariff: Tariff) {
    cents = tariff.zones.zone(of: country) == .domestic ? 0 : tariff.cents(for: basket, to: country)
  }
}
