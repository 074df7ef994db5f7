/// The offer for one shopper.
struct Offer: Sendable {
  let shopper: Shopper
  let checkout: any Checkout

  /// The payment methods that apply; the first one is preselected.
  let paymentMethods: [any PaymentMethod]

  /// The search providers that apply, in the order in which they are searched.
  let searchProviders: [any SearchProvider]

  let deliveryQuote: any DeliveryQuote
  let returnQuote: ReturnQuote
}
