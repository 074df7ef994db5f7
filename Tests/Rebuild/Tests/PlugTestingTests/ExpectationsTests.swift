import Plug
import PlugTesting
import Testing

private struct NeedsShopper {
  init(shopper: Shopper) {}
}

@Suite("Expectations", .isolated)
struct ExpectationsTests {
  @Test("An injector that fits together is valid")
  func valid() async throws {
    let injector = try Injector.shop()
    #expect(await issues { expectValid(injector) } == [])
  }

  @Test("One that does not is an issue with the whole report")
  func invalid() async throws {
    let injector = Injector("invalid")
    try injector.register(injectable: .lazySingleton(wiring: NeedsShopper.init))
    let error = #expect(throws: InjectorError.self) { try injector.validate() }
    #expect(await issues { expectValid(injector) } == [try #require(error).description])
  }
}
