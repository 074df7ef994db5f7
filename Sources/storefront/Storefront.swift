import Plug
import PlugFeatures

/// A shop that adapts to each shopper.
struct Storefront: Sendable {
  /// All registrations of the shop, sealed.
  let services: Injector

  /// Assembles the shop, and loads the catalogue.
  ///
  /// - Parameter time: The shop's current time. The voucher draw has the same result all day.
  init(at time: Moment) async throws(InjectorError) {
    services = Injector("storefront")
    services[CurrentTime.self] = time
    services.randomness = .seeded(time.dayNumber)
    try services.registerStorefront()
    try services.seal()
    try await services.start(timeout: .seconds(10))
  }

  /// Changes to how many of all shoppers the semantic search is rolled out, in percent, from the next search on.
  func rollOutSemanticSearch(to share: Double) {
    services[SemanticShare.self] = share
  }

  /// The services of the shop and their dependencies.
  var graph: DependencyGraph { services.graph() }

  /// The greeting for all shoppers.
  func greeting(for shoppers: [Shopper]) throws(InjectorError) -> Greeting {
    Greeting(
      time: services[CurrentTime.self],
      campaign: try services.get(),
      winner: try services.get(VoucherDraw.self).winner(among: shoppers)
    )
  }

  /// The reasons for the current campaign.
  func campaignExplanation() throws(InjectorError) -> Explanation {
    try services.explain((any Campaign).self, in: services)
  }

  /// What one shopper is offered.
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

  /// The search results of a shopper: the goods of the first provider that finds any.
  func search(_ word: String, for shopper: Shopper) throws(InjectorError) -> [String] {
    for provider in try services.getAll((any SearchProvider).self, in: shopper) {
      let goods = provider.find(word)
      if !goods.isEmpty { return goods }
    }
    return []
  }

  /// The searches so far.
  func searchLog() throws(InjectorError) -> [String] {
    try services.get(SearchLog.self).lines
  }

  /// The reasons for one shopper's offer.
  func explanations(for shopper: Shopper) throws(InjectorError) -> [Explanation] {
    [
      try services.explain((any Checkout).self, in: shopper),
      try services.explain((any PaymentMethod).self, in: shopper),
      try services.explain((any SearchProvider).self, in: shopper),
      try services.explain((any DeliveryQuote).self, in: shopper),
    ]
  }
}
