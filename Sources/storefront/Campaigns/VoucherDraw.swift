import PlugFeatures

/// The daily draw: one shopper wins a voucher.
struct VoucherDraw: Sendable {
  let randomness: Randomness

  func winner(among shoppers: [Shopper]) -> Shopper? {
    var randomness = randomness
    return shoppers.randomElement(using: &randomness)
  }
}
