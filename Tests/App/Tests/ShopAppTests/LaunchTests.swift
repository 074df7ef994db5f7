import App
import Model
import Plug
import PlugTesting
import Testing

@Suite(.isolated)
struct LaunchTests {
  @Test("What the four modules register fits together, and everything in it can be made")
  func complete() async throws {
    expectValid(ShopApp.services, .complete)
    let session = try ShopApp.services.get(Session.self)
    try session.logIn(.member)
    let scope = try #require(session.scope)
    await expectComplete(scope, in: [Shopper.member, Shopper.guest])
  }

  @Test("The launch opens the database, on which baskets depend")
  func launch() async throws {
    let session = try ShopApp.services.get(Session.self)
    try session.logIn(.member)
    let scope = try #require(session.scope)
    #expect(throws: InjectorError.self) { try scope.get((any Basket).self) }
    try await ShopApp.launch()
    #expect(try await scope.get((any Basket).self).products() == [])
  }
}
