import Plug
import PlugTesting
import Testing

@Test(.isolated) func anEmptyBasketIsFree() throws {
  try Shop.services.override((any Prices).self) { FixedPrices(3) }
  #expect(try Shop.services.get(Basket.self).total == 0)
}

@Test(.isolated) func nothingIsMissing() async {
  await expectComplete(
    Shop.services, in: [Shopper.guest, Shopper.member], with: [UserID(1)])
}

@Test("A test has what it overrides, and nothing of other tests", .isolated)
func overriding() throws {
  var basket = try Shop.services.get(Basket.self)
  try Shop.services.override((any Prices).self, .singleton(FixedPrices(3)))
  try Shop.services.override(.lazySingleton { Basket(prices: try $0.get()) })
  var other = try Shop.services.get(Basket.self)
  basket.items = ["tea"]
  other.items = ["tea"]
  #expect(basket.total == 990 && other.total == 3)
}

private protocol Prices: Sendable { func price(of item: String) -> Int }
private struct LivePrices: Prices {
  func price(of item: String) -> Int { 990 }
}

private struct FixedPrices: Prices {
  let price: Int

  init(_ price: Int) {
    self.price = price
  }

  func price(of item: String) -> Int { price }
}

private struct Basket: Sendable {
  let prices: any Prices
  var items: [String] = []

  var total: Int { items.reduce(0) { $0 + prices.price(of: $1) } }
}

private struct Shopper: FeatureContext {
  static let guest = Shopper(enabledFeatures: [])
  static let member = Shopper(enabledFeatures: ["member"])

  let enabledFeatures: Set<String>
}

private struct UserID: Hashable {
  let number: Int

  init(_ number: Int) {
    self.number = number
  }
}

private struct Detail: Sendable { let id: UserID }

private protocol Greeting: Sendable {}
private struct Welcome: Greeting {}
private struct WelcomeBack: Greeting {}

private enum Shop {
  static let services: Injector = {
    let services = Injector("shop of the guide")
    do {
      try services.register((any Prices).self) { LivePrices() }
      try services.register { Basket(prices: try $0.get()) }
      try services.register(Detail.self, taking: UserID.self) { id, _ in Detail(id: id) }
      try services.register(
        PluginPoint<any Greeting, Shopper>("greeting") {
          Candidate("back") { WelcomeBack() }.when(.feature("member"))
          Candidate("welcome") { Welcome() }
        })
      try services.seal()
    } catch {
      fatalError("\(error)")
    }
    return services
  }()
}
