import Plug
import PlugTesting
import Testing

@Suite("Overrides", .isolated)
struct OverridesTests {
  private let services: Injector

  init() throws {
    services = Injector("services")
    Shop.setUp(services)
    try services.seal()
  }

  @Test("An override replaces all candidates, in every context")
  func candidates() throws {
    try services.override(as: (any Search).self, injectable: .singleton(NamedSearch(name: "fake")))
    #expect(try services.searchName(Shopper(features: ["semantic", "beta"])) == "fake")
    #expect(try services.getAll((any Search).self, in: Shopper()).map(\.name) == ["fake"])
  }

  @Test("The last override of a service counts, whether it has been used or not")
  func again() throws {
    try services.override(as: (any Payments).self, injectable: .singleton(FakePayments("first")))
    try services.override(as: (any Payments).self, injectable: .singleton(FakePayments("second")))
    #expect(services.paymentsName == "second")
    _ = try services.get(Basket.self)
    try services.override(as: (any Payments).self, injectable: .lazySingleton { FakePayments("third") })
    #expect(services.paymentsName == "third")
    #expect(try services.get(Basket.self).payments.name == "second")
  }

  @Test("Two overrides with and without a tag are two")
  func tags() throws {
    try services.override(as: (any Payments).self, injectable: .singleton(FakePayments("plain")))
    try services.override(as: (any Payments).self, tag: "a", injectable: .singleton(FakePayments("tagged")))
    #expect(services.paymentsName == "plain")
    #expect(try services.get((any Payments).self, tag: "a").name == "tagged")
    #expect(throws: InjectorError.self) { try services.get((any Payments).self, tag: "b") }
  }

  @Test("An override is closed as any other, and one that cannot be is refused")
  func closing() throws {
    #expect(throws: InjectorError.self) {
      try services.override(as: (any Payments).self, injectable: .factory { FakePayments() }.onClose { _ in })
    }
    #expect(services.paymentsName == "live")
  }

}

@Suite("Overrides without isolation")
struct UnisolatedOverridesTests {
  private let services = Injector("unisolated")

  @Test("An override is refused")
  func override() throws {
    let error = #expect(throws: InjectorError.self) {
      try services.override(as: (any Payments).self, injectable: .singleton(FakePayments()))
    }
    #expect(
      error?.description == """
        The override of Payments was refused: this code does not run in an isolated test.
          service:        Payments
          injector:       unisolated
        To fix this:
          - Isolate the test: @Test(.isolated), or withIsolatedInjectors { … } around it.
        """)
    #expect(!services.isRegistered(type: (any Payments).self))
  }

}
