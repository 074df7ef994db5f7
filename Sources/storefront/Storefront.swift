import Plug
import PlugFeatures
import PlugFlags
import PlugKeys
import PlugOperations

/// A shop that adapts to each shopper.
struct Storefront: Sendable {
  /// All registrations of the shop, sealed.
  let services: Injector

  /// Assembles the shop with the built-in flags, and loads the catalogue.
  ///
  /// - Parameter time: The shop's current time. The voucher draw has the same result all day.
  init(at time: Moment) async throws {
    services = Injector("storefront")
    services[CurrentTime.self] = time
    services.randomness = .seeded(time.dayNumber)
    services[Flags.self] = try .embedded()
    try services.registerStorefront()
    try services.seal()
    try await services.start(timeout: .seconds(10))
  }

  /// A change to the shop while it is open.
  struct Change {
    /// The share of shoppers who get the semantic search, in percent.
    var share: Double?

    /// The disabled candidate.
    var disabled: CandidateName?

    /// The current flags.
    var flags: FlagDocument?

    fileprivate func apply(to services: Injector) throws {
      if let share { services[SemanticShare.self] = share }
      if let disabled { try services.disable(disabled.id, at: disabled.point, because: "--disable") }
      if let flags {
        services[Flags.self] = flags
        let mistakes = services.audit().findings.filter { $0.kind == .unknownCandidate }
        if !mistakes.isEmpty { throw FlagMistakes(description: mistakes.map(\.description).joined(separator: "\n")) }
      }
    }
  }

  /// The error for flags that name no candidate.
  private struct FlagMistakes: Error, CustomStringConvertible {
    let description: String
  }

  /// Makes a change, which takes effect with the next choice.
  func apply(_ change: Change) throws { try change.apply(to: services) }

  /// Computes the effect of a change without making it.
  func impact(of change: Change, on shoppers: [Shopper]) throws -> Impact {
    try services.impact(on: shoppers, by: \.id) { try change.apply(to: $0) }
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

  /// Returns the offer for one shopper.
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

  /// Returns the search results for a shopper: the goods of the first provider that finds any.
  func search(_ word: String, for shopper: Shopper) throws(InjectorError) -> [String] {
    for provider in try services.getAll((any SearchProvider).self, in: shopper) {
      let goods = provider.find(word)
      if !goods.isEmpty { return Array(goods.prefix(max(0, services.flag(.searchResults, in: shopper)))) }
    }
    return []
  }

  /// The log of the searches so far.
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
