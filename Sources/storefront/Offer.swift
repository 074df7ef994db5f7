/// What one shopper is offered.
struct Offer: Sendable {
  let shopper: Shopper
  let checkout: any Checkout

  /// All that apply; the first is preselected.
  let paymentMethods: [any PaymentMethod]

  /// All that apply, in the order in which they are asked.
  let searchProviders: [any SearchProvider]

  let deliveryQuote: any DeliveryQuote
  let returnQuote: ReturnQuote
}
