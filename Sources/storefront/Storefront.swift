import Plug
import PlugFeatures

/// A shop that shows everybody what suits them.
struct Storefront: Sendable {
  /// Everything that is registered; sealed.
  let services: Injector

  /// Assembles the shop, and loads what it sells.
  ///
  /// - Parameter time: The time that it goes by. What is drawn by lot is the same all day long.
  init(at time: Moment) async throws(InjectorError) {
    services = Injector("storefront")
    services[CurrentTime.self] = time
    services.randomness = .seeded(time.dayNumber)
    try services.registerStorefront()
    try services.seal()
    try await services.start(timeout: .seconds(10))
  }

  /// What the shop consists of.
  var graph: DependencyGraph { services.graph() }

  /// What everybody is told.
  func greeting(for shoppers: [Shopper]) throws(InjectorError) -> Greeting {
    Greeting(
      time: services[CurrentTime.self],
      campaign: try services.get(),
      winner: try services.get(VoucherDraw.self).winner(among: shoppers)
    )
  }

  /// Why everybody is told just that.
  func campaignExplanation() throws(InjectorError) -> Explanation {
    try services.explain((any Campaign).self, in: services)
  }

  /// What a shopper is offered.
  func offer(for shopper: Shopper) throws(InjectorError) -> Offer {
    Offer(
      shopper: shopper,
      checkout: try services.get(in: shopper),
      paymentMethods: try services.getAll(in: shopper),
      searchProviders: try services.getAll(in: shopper),
      deliveryQuote: try services.get(in: shopper),
      returnQuote: try services.get(with: shopper.basket, shopper.country)
    )
  }

  /// What a shopper finds: the goods of the first provider that has any.
  func search(_ word: String, for shopper: Shopper) throws(InjectorError) -> [String] {
    for provider in try services.getAll((any SearchProvider).self, in: shopper) {
      let goods = provider.find(word)
      if !goods.isEmpty { return goods }
    }
    return []
  }

  /// What has been searched for.
  func searchLog() throws(InjectorError) -> [String] {
    try services.get(SearchLog.self).lines
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
