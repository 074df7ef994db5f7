import Plug
import PlugFeatures
import PlugFlags
import PlugKeys

extension Injector {
  /// Registers all services of the storefront.
  func registerStorefront() throws(InjectorError) {
    try registerPrices()
    try registerCampaigns()
    try registerCheckouts()
    try registerPaymentMethods()
    try registerSearchProviders()
    try registerDeliveryQuotes()

    try registerOneClick()
    try registerGiftCards()
  }

  private func registerPrices() throws(InjectorError) {
    try register((any PriceFormat).self, .singleton(EuroFormat()))
    try register((any ZoneMap).self) { WarehouseZoneMap(warehouse: "DE") }
    try register(.lazySingleton(wiring: Tariff.init))
  }

  private func registerCampaigns() throws(InjectorError) {
    try register(
      PluginPoint<any Campaign, Injector>("campaign") {
        Candidate("christmas", priority: 10) { ChristmasCampaign() }
          .when(.property(CurrentTime.self, .equals(\.month, 12) && .within(\.day, 18...24)))
        Candidate("evening") { EveningCampaign() }
          .when(.property(CurrentTime.self, .atLeast(\.hour, 18)))
        Candidate("everyday") { EverydayCampaign() }
      })
    try register { VoucherDraw(randomness: $0.randomness) }
  }

  private func registerCheckouts() throws(InjectorError) {
    try register(
      PluginPoint<any Checkout, Shopper>("checkout") {
        PluginPoint("app", when: .supported) {
          // An experiment, whose shares are in the flag document.
          PluginPoint("layout", decidedBy: "checkout") {
            Candidate("stepwise") { StepwiseCheckout() }.summary("A page for each step.")
            Candidate("single-page") { SinglePageCheckout() }.summary("Everything on one page.")
          }
        }
        // Used for all shoppers if a document does not decide the layout.
        Candidate("web") { WebCheckout() }.summary("The checkout of the web site.")
      })
  }

  private func registerPaymentMethods() throws(InjectorError) {
    try register(
      PluginPoint<any PaymentMethod, Shopper>("payment") {
        Candidate("card") { CardPayment() }.summary("Any credit card.")
        Candidate("invoice") { InvoicePayment() }
          .summary("Payment after delivery.")
          .when(.premium && .within(\.basket.totalInCents, 20_00...1_000_00))
        Candidate("cash") { CashPayment() }
          .summary("Payment to the carrier.")
          .when(.oneOf(\.country, ["IT", "PL"]) && !.atLeast(\.basket.totalInCents, 300_00))
        PluginPoint("device", when: .redesigned) {
          // On a device with a wallet, most people want to use it.
          Candidate("wallet", priority: 10) { WalletPayment() }.when(.feature("wallet"))
            .summary("The wallet of the device.")
        }
      })
  }

  private func registerSearchProviders() throws(InjectorError) {
    try register(.lazySingleton { try await Catalogue.load() })
    try register(.singleton(SearchLog()))
    try decorate((any SearchProvider).self, id: "logging") { inner, injector in
      LoggingSearch(inner: inner, log: try injector.get())
    }
    try register(
      PluginPoint<any SearchProvider, Shopper>("search") {
        Candidate("catalogue", .lazySingleton(wiring: CatalogueSearch.init)).summary("Finds words in names.")
        Candidate("semantic", .lazySingleton(wiring: SemanticSearch.init), priority: 5)
          .summary("Finds what is meant.")
          .when(.rollout(SemanticShare.self, of: "semantic", by: \.id) && !.equals(\.country, "FR"))
        PluginPoint("beta", when: .betaTester) {
          Candidate("photo") { PhotoSearch() }.summary("Finds what a photo shows.")
          // A recording belongs to one search, so each request makes a new provider.
          Candidate("voice", .factory(wiring: VoiceSearch.init), priority: 10).when(.redesigned)
            .summary("Finds what is said.")
        }
      })
  }

  private func registerDeliveryQuotes() throws(InjectorError) {
    try register(
      PluginPoint<any DeliveryQuote, Shopper>("delivery") {
        Candidate("freight", .lazySingleton(wiring: FreightQuote.init), priority: 10)
          .summary("A lorry for what is heavy.")
          .when(.atLeast(\.basket.weightInGrams, 30_000))
        Candidate("drone") { DroneQuote() }
          .summary("Small parcels by air.")
          .when(.feature("drone") && .flag("drone") && .within(\.basket.weightInGrams, ..<2_000))
        Candidate("free") { FreeQuote() }
          .summary("Free of charge.")
          .when(.withoutCustoms && (.premium || .atLeast(\.basket.totalInCents, 100_00)))
        Candidate("parcel", .lazySingleton(wiring: ParcelQuote.init)).summary("By weight and zone.")
      })
    try register(taking: Basket.self, String.self) { basket, country, injector in
      ReturnQuote(of: basket, from: country, tariff: try injector.get())
    }
  }
}
