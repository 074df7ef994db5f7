/// A parcel, at the price of the tariff.
struct ParcelQuote: DeliveryQuote {
  let carrier = "parcel"
  let tariff: Tariff

  func cents(for shopper: Shopper) -> Int { tariff.cents(for: shopper.basket, to: shopper.country) }
}

/// A parcel that the shop pays for.
struct FreeQuote: DeliveryQuote {
  let carrier = "parcel"

  func cents(for shopper: Shopper) -> Int { 0 }
}

/// A truck, for goods that do not fit a parcel, at the price of the tariff plus loading.
struct FreightQuote: DeliveryQuote {
  let carrier = "freight"
  let tariff: Tariff

  func cents(for shopper: Shopper) -> Int { tariff.cents(for: shopper.basket, to: shopper.country) + 25_00 }
}

/// A drone, which delivers within an hour, at a fixed price.
struct DroneQuote: DeliveryQuote {
  let carrier = "drone"

  func cents(for shopper: Shopper) -> Int { 9_90 }
}
