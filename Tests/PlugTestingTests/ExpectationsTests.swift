import Plug
import PlugKeys
import PlugTesting
import TestSupport
import Testing

private struct NeedsShopper {
  init(shopper: Shopper) {}
}

private final class OtherRegistry: Registry {
  static func createMockShared() -> OtherRegistry { OtherRegistry() }
}

@Suite("Expectations", .isolated)
struct ExpectationsTests {
  @Test("An injector whose services fit together is valid")
  func valid() async throws {
    let injector = try Injector.shop()
    #expect(await issues { expectValid(injector) } == [])
  }

  @Test("An injector whose services do not fit together is an issue with the whole report")
  func invalid() async throws {
    let injector = Injector("invalid")
    try injector.register(injectable: .lazySingleton(wiring: NeedsShopper.init))
    let error = #expect(throws: InjectorError.self) { try injector.validate() }
    #expect(await issues { expectValid(injector) } == [try #require(error).description])
  }

  @Test("Registries that are assigned before their first use have no mocks")
  func assigned() async throws {
    ShopRegistry.assignDesiredImplementation(to: ShopRegistry("assigned"))
    OtherRegistry.assignDesiredImplementation(to: OtherRegistry())
    #expect(await issues { expectNoMocks(in: [ShopRegistry.self, OtherRegistry.self]) } == [])
  }

  @Test("A registry that has not been assigned is an issue")
  func unassigned() async throws {
    ShopRegistry.assignDesiredImplementation(to: ShopRegistry("assigned"))
    #expect(
      await issues { expectNoMocks(in: [ShopRegistry.self, OtherRegistry.self]) } == [
        """
        1 of 2 registries are not assigned: OtherRegistry.
        To fix this:
          - Assign each one at launch, before anything uses it: OtherRegistry.assignDesiredImplementation(to: …).
        """
      ])
  }

  @Test("A registry that was used before it was assigned is an issue")
  func mocked() async throws {
    _ = ShopRegistry.shared
    ShopRegistry.assignDesiredImplementation(to: ShopRegistry("assigned"))
    #expect(
      await issues { expectNoMocks(in: [ShopRegistry.self]) } == [
        """
        1 of 1 registries vended a mock before they were assigned: ShopRegistry.
        To fix this:
          - Assign each one at launch, before anything uses it.
        """
      ])
  }
}
