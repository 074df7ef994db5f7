import App
import Model
import Plug
import PlugTesting
import Shop
import Store
import Testing

@Suite(
  .isolated { injectors in
    try injectors[.shop].override(as: (any Network).self, injectable: .singleton(FakeNetwork()))
  })
struct SessionTests {
  private func logIn(_ shopper: Shopper) async throws -> Injector {
    try await ShopApp.launch()
    let session = try ShopApp.services.get(Session.self)
    try session.logIn(shopper)
    return try #require(session.scope)
  }

  @Test("Members pay a tenth less", arguments: [(Shopper.member, 450), (Shopper.guest, 500)])
  func prices(shopper: Shopper, cents: Int) async throws {
    let model = try await logIn(shopper).productModel.get("tea")
    try await model.load()
    #expect(model.cents == cents)
  }

  @Test("A basket belongs to the shopper who is logged in")
  func baskets() async throws {
    let model = try await logIn(.guest).productModel.get("cup")
    try await model.load()
    try await model.buy()
    let basket = try await logIn(.guest).get(BasketModel.self)
    try await basket.refresh()
    let other = try await logIn(.member).get(BasketModel.self)
    try await other.refresh()
    #expect([basket.total, other.total] == [1200, 0])
  }

  @Test("The model of a page is made from its product, and replaced in a test")
  func overridden() async throws {
    let scope = try await logIn(.guest)
    #expect(scope.productModel("tea") !== scope.productModel("tea"))
    try scope.productModel.override { id, injector in
      ProductModel(
        id: "fake \(id)", catalogue: try injector.get(), basket: try injector.get(), prices: try injector.get())
    }
    #expect(scope.productModel("tea").id == "fake tea")
  }

  @Test("What is set in a session ends with it")
  func logout() async throws {
    let session = try ShopApp.services.get(Session.self)
    let scope = try await logIn(.guest)
    scope[Currency.self] = "USD"
    #expect([scope[Currency.self], ShopApp.services[Currency.self]] == ["USD", "EUR"])
    await session.logOut()
    #expect(session.scope == nil && scope.isClosed)
  }
}
