import PlugFeatures

/// The draw of the day: one shopper gets a voucher.
struct VoucherDraw: Sendable {
  let randomness: Randomness

  func winner(among shoppers: [Shopper]) -> Shopper? {
    var randomness = randomness
    return shoppers.randomElement(using: &randomness)
  }
}
