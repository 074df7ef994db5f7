import App
import Model
import Plug
import PlugTesting
import Shop
import Testing

@Suite(.isolated)
struct LaunchTests {
  @Test("Everything can be made for the user who is logged in")
  func complete() async throws {
    try await ShopApp.launch()
    let session = try ShopApp.services.get(Session.self).logIn(.member)
    _ = session.page("tea")
    await expectComplete(
      session, in: [Shopper.member, Shopper.guest], with: ["tea"])
  }

  @Test("A basket waits for the launch, which opens the database")
  func launch() async throws {
    let session = try ShopApp.services.get(Session.self).logIn(.guest)
    let error = #expect(throws: InjectorError.self) { try session.get((any Basket).self) }
    #expect(error?.facts.chain == ["Basket", "Database"])
    try await ShopApp.launch()
    #expect(try await session.get((any Basket).self).products() == [])
  }
}
