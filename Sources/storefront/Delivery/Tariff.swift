/// The prices of a carrier by zone: for the first kilogram, and for each further kilogram or part of it.
struct Tariff: Sendable {
  let zones: any ZoneMap

  /// The price of a delivery, in euro cents.
  func cents(for basket: Basket, to country: String) -> Int {
    let furtherKilograms = max(0, basket.weightInGrams - 1) / 1_000
    let (first, further) =
      switch zones.zone(of: country) {
      case .domestic: (4_90, 50)
      case .customsUnion: (8_90, 1_20)
      case .world: (19_90, 6_00)
      }
    return first + furtherKilograms * further
  }
}
