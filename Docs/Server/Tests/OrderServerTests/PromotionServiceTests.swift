import Configuration
import OrderServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct PromotionServiceTests {
  @Test func `The promotion follows a key of the configuration`() async throws {
    let provider = MutableInMemoryProvider(initialValues: ["promotion": "trial"])
    let shop = try TestShop()
    let service = PromotionService(injector: shop.services, configuration: ConfigReader(provider: provider))
    try await shop.serving(with: [service]) { client async throws in
      for (value, stage) in [(nil, "trial"), ("everyone", "everyone"), ("sometimes", "off")] as [(ConfigValue?, String)]
      {
        if let value { provider.setValue(value, forKey: "promotion") }
        while try await client.get("/promotion") != Answer(200, #"{"stage":"\#(stage)"}"#) {}
      }
    }
    #expect(shop.logs.entries.map(\.message) == [])
  }
}
