import Configuration
import HTTPTypes
import OrderServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct SettingsTests {
  private static let cardOnly = Answer(
    200,
    """
    Payment in Shopper: 3 of 4 apply, selected: card-only
      point payment: open
        invoice: ruled out
          - all
            - tier in [gold, platinum]: standard
            ? country in ["AT", "DE"]: nil (country has no value)
        wallet: available as number 2
          + appVersion >= 2.4.0: 2.4.0
        card: available as number 3
      card-only: selected, priority 10
        + setting payment.card-only == true

    """)

  private static let anyPayment = Answer(
    200,
    """
    Payment in Shopper: 2 of 4 apply, selected: wallet
      point payment: open
        invoice: ruled out
          - all
            - tier in [gold, platinum]: standard
            ? country in ["AT", "DE"]: nil (country has no value)
        wallet: selected
          + appVersion >= 2.4.0: 2.4.0
        card: available as number 2
      card-only: ruled out, priority 10
        - setting payment.card-only == true

    """)

  @Test func `A rule reads a setting, and its reload is in force without a restart`() async throws {
    let provider = MutableInMemoryProvider(initialValues: ["payment.card-only": true])
    let settings = ConfigReader(provider: provider)
    let shop = try TestShop(settings: settings)
    let service = SettingsService(injector: shop.services, configuration: settings)
    try await shop.serving(with: [service]) { client async throws in
      let headers = HTTPFields.shopper(version: "2.4.0")
      #expect(try await client.get("/explain/payment", as: headers) == Self.cardOnly)
      provider.setValue(false, forKey: "payment.card-only")
      while try await client.get("/explain/payment", as: headers) != Self.anyPayment {}
    }
    #expect(shop.logs.entries.map(\.message) == [])
  }
}
