import App
import Model
import Plug
import PlugKeys
import PlugTesting
import Shop
import Store
import Testing

@Suite(
  .isolated { injectors in
    try injectors[.shop].override(
      (any Network).self, .singleton(FakeNetwork()))
    try await ShopApp.launch()
  })
struct SessionTests {
  let session: Session

  init() throws {
    session = try ShopApp.services.get()
  }

  @Test("Members pay a tenth less", arguments: [(Shopper.member, 450), (.guest, 500)])
  func prices(shopper: Shopper, cents: Int) async throws {
    let model = try session.logIn(shopper).page("tea")
    try await model.load()
    #expect(model.cents == cents)
  }

  @Test("A basket belongs to the shopper who is logged in")
  func baskets() async throws {
    let model = try session.logIn(.guest).page("cup")
    try await model.load()
    try await model.buy()
    await session.logOut()
    let own = try session.logIn(.guest).get(BasketModel.self)
    try await own.refresh()
    let other = try session.logIn(.member).get(BasketModel.self)
    try await other.refresh()
    #expect([own.total, other.total] == [1200, 0])
  }

  @Test("Each page has a model of its own, which a test replaces")
  func pages() throws {
    let scope = try session.logIn(.guest)
    #expect(scope.page("tea") !== scope.page("tea"))
    try scope.page.provider.override { @MainActor id, injector in
      ProductModel(
        id: "fake \(id)", catalogue: try injector.get(),
        basket: try injector.get(), prices: try injector.get())
    }
    #expect(scope.page("tea").id == "fake tea")
  }

  @Test("A value set in a session ends with it")
  func logout() async throws {
    let scope = try session.logIn(.guest)
    scope[Currency.self] = "USD"
    #expect([scope[Currency.self], ShopApp.services[Currency.self]] == ["USD", "EUR"])
    await session.logOut()
    #expect(session.scope == nil && scope.isClosed)
  }
}
