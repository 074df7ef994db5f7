import Plug

/// A shop that shows everybody what suits them.
struct Storefront: Sendable {
  /// Everything that is registered; sealed.
  let services: Injector

  /// Assembles the shop.
  init() throws(InjectorError) {
    services = Injector("storefront")
    try services.registerStorefront()
    try services.seal()
  }

  /// What the shop consists of.
  var graph: DependencyGraph { services.graph() }

  /// What a shopper is offered.
  func offer(for shopper: Shopper) throws(InjectorError) -> Offer {
    Offer(
      shopper: shopper,
      checkout: try services.get(in: shopper),
      paymentMethods: try services.getAll(in: shopper),
      searchProviders: try services.getAll(in: shopper),
      deliveryQuote: try services.get(in: shopper)
    )
  }

  /// Why a shopper is offered just that.
  func explanations(for shopper: Shopper) throws(InjectorError) -> [Explanation] {
    [
      try services.explain((any Checkout).self, in: shopper),
      try services.explain((any PaymentMethod).self, in: shopper),
      try services.explain((any SearchProvider).self, in: shopper),
      try services.explain((any DeliveryQuote).self, in: shopper),
    ]
  }
}
