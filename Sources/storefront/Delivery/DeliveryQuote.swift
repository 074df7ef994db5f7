/// An offer to deliver the goods.
protocol DeliveryQuote: Sendable {
  var carrier: String { get }

  /// The price, in euro cents.
  func cents(for shopper: Shopper) -> Int
}
