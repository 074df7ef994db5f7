import PlugKeys
import PlugOperations
import PlugTesting
import Testing

@testable import Plug

extension Injector {
  fileprivate var counted: Provider<Int> { provide(.lazySingleton { 0 }) }
}

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

  @Test("The last override of a service counts, whether or not an earlier one has been used")
  func again() throws {
    try services.override(as: (any Payments).self, injectable: .singleton(FakePayments("first")))
    try services.override(as: (any Payments).self, injectable: .singleton(FakePayments("second")))
    #expect(services.paymentsName == "second")
    _ = try services.get(Basket.self)
    try services.override(as: (any Payments).self, injectable: .lazySingleton { FakePayments("third") })
    #expect(services.paymentsName == "third")
    #expect(try services.get(Basket.self).payments.name == "second")
  }

  @Test(
    "A provider can be reset after an override, in every kind of injector", arguments: Site.allCases,
    [false, true])
  private func provider(site: Site, isUsed: Bool) throws {
    let injector = site == .ofProgram ? services : Injector()
    if site == .usedBefore { _ = injector.counted() }
    if site == .sealed || site == .usedBefore { try injector.seal() }
    #expect(injector.counted() == 0)
    try injector.counted.override(.lazySingleton { 1 })
    if isUsed { #expect(injector.counted() == 1) }
    try injector.counted.reset()
    #expect(injector.counted() == 0)
  }

  private enum Site: CaseIterable { case ofProgram, open, sealed, usedBefore }

  @Test("A provider whose override a scope has sealed cannot be reset, and keeps the override")
  func sealedScope() throws {
    let scope = Injector().makeScope()
    try scope.counted.override(.lazySingleton { 1 })
    try scope.seal()
    let error = #expect(throws: InjectorError.self) { try scope.counted.reset() }
    guard case .sealed? = error else {
      Issue.record("It threw \(String(describing: error)).")
      return
    }
    #expect(scope.counted() == 1)
  }

  @Test("A service that the test has not requested yet has a graph")
  func graph() throws {
    #expect(try services.graph(of: (any Payments).self).description.hasPrefix("Payments"))
  }

  @Test("A contribution can be disabled, and the others remain")
  func contribution() throws {
    let services = Injector("contributions")
    try services.contribute(String.self, .lazySingleton { "mail" }, id: "mail")
    try services.contribute(String.self, .lazySingleton { "report" }, id: "report")
    try services.disable("mail", at: "String")
    #expect(try services.getAll(String.self) == ["report"])
  }

  @Test("Overrides with and without a tag are independent")
  func tags() throws {
    try services.override(as: (any Payments).self, injectable: .singleton(FakePayments("plain")))
    try services.override(as: (any Payments).self, tag: "a", injectable: .singleton(FakePayments("tagged")))
    #expect(services.paymentsName == "plain")
    #expect(try services.get((any Payments).self, tag: "a").name == "tagged")
    #expect(throws: InjectorError.self) { try services.get((any Payments).self, tag: "b") }
  }

  @Test("An override with onClose is refused if its instances are not kept")
  func closing() throws {
    #expect(throws: InjectorError.self) {
      try services.override(as: (any Payments).self, injectable: .factory { FakePayments() }.onClose { _ in })
    }
    #expect(services.paymentsName == "live")
  }

  @Test("A forced candidate wins in every context, and the explanation says so")
  func force() throws {
    try services.force("semantic", at: "search")
    #expect(try services.searchName(Shopper()) == "semantic")
    #expect(try services.getAll((any Search).self, in: Shopper()).map(\.name) == ["semantic", "catalogue"])
    #expect(
      try services.explain((any Search).self, in: Shopper()).description == """
        Search in Shopper: 2 of 3 apply, selected: semantic
          point search: open
            semantic: selected, forced because the test says so
            point beta: ruled out
              - feature "beta": []
              voice: not evaluated, priority 10
            catalogue: available as number 2
        """)
  }

  @Test("A candidate of a nested point can be forced by the id of any enclosing point, or by the service")
  func nested() throws {
    for point in ["beta", "search", "Search"] {
      try withIsolatedInjectors {
        try services.force("voice", at: point)
        #expect(try services.searchName(Shopper()) == "voice")
      }
    }
    #expect(try services.searchName(Shopper()) == "catalogue")
  }

  @Test("A disabled candidate applies in no context")
  func disable() throws {
    try services.disable("catalogue", at: "search")
    #expect(throws: InjectorError.self) { try services.searchName(Shopper()) }
    #expect(try services.searchName(Shopper(features: ["semantic"])) == "semantic")
    try services.disable("semantic", at: "Search")
    #expect(throws: InjectorError.self) { try services.searchName(Shopper(features: ["semantic"])) }
  }

  @Test("The registration without a rule can be forced and disabled under the id default")
  func fallback() throws {
    let injector = Injector()
    try injector.register(as: (any Search).self, injectable: .singleton(NamedSearch(name: "plain")))
    try injector.contribute(
      (any Search).self, .singleton(NamedSearch(name: "mine")), when: Rule<Shopper>.feature("mine"),
      id: "mine")
    try withIsolatedInjectors {
      try injector.force("default", at: "Search")
      #expect(try injector.searchName(Shopper(features: ["mine"])) == "plain")
    }
    try injector.disable("default", at: "Search")
    #expect(try injector.searchName(Shopper(features: ["mine"])) == "mine")
    #expect(throws: InjectorError.self) { try injector.searchName(Shopper()) }
  }

  @Test("The last forced candidate wins, and a candidate can be forced and disabled repeatedly")
  func composition() throws {
    try services.force("voice", at: "beta")
    try services.force("voice", at: "beta")
    #expect(try services.searchName(Shopper()) == "voice")
    try services.force("semantic", at: "search")
    #expect(try services.searchName(Shopper()) == "semantic")
    try withIsolatedInjectors {
      try services.force("catalogue", at: "search")
      #expect(try services.searchName(Shopper(features: ["semantic"])) == "catalogue")
      try services.disable("catalogue", at: "search")
      #expect(try services.searchName(Shopper(features: ["semantic"])) == "semantic")
    }
    try services.disable("semantic", at: "search")
    #expect(try services.searchName(Shopper(features: ["semantic", "beta"])) == "voice")
    #expect(try services.searchName(Shopper(features: ["semantic"])) == "catalogue")
  }

  @Test("The default of a service can be forced after it was disabled, and another candidate after the default")
  func defaults() throws {
    let injector = Injector()
    try injector.register(as: (any Search).self, injectable: .lazySingleton { NamedSearch(name: "plain") })
    try injector.force("default", at: "Search")
    try injector.contribute(
      (any Search).self, .singleton(NamedSearch(name: "mine")), when: Rule<Shopper>.feature("mine"),
      id: "mine")
    let mine = Shopper(features: ["mine"])
    try injector.disable("default", at: "Search")
    try injector.force("default", at: "Search")
    #expect(try injector.searchName(mine) == "plain")
    try injector.force("mine", at: "Search")
    #expect(try injector.getAll((any Search).self, in: Shopper()).map(\.name) == ["mine", "plain"])
    try withIsolatedInjectors {
      try injector.force("default", at: "Search")
      #expect(try injector.searchName(mine) == "plain")
    }
  }

  @Test("An override of a closed injector is refused")
  func closed() throws {
    let injector = Injector()
    withIsolatedInjectors {
      injector.closeNow()
      #expect(throws: InjectorError.self) { try injector.override(as: Shopper.self, injectable: .singleton(Shopper())) }
      #expect(throws: InjectorError.self) { try injector.override(Theme.self, with: "red") }
      #expect(throws: InjectorError.self) { try injector.override(Clock.self, with: Clock(now: 2)) }
      _ = withIsolatedInjectors {
        #expect(throws: InjectorError.self) {
          try injector.override(as: Shopper.self, injectable: .singleton(Shopper()))
        }
      }
    }
  }

  @Test("A scope forces an inherited candidate in the parent that registers it")
  func scopes() throws {
    let scope = services.makeScope("request")
    try scope.force("semantic", at: "search")
    #expect(try services.searchName(Shopper()) == "semantic")
  }

  @Test("Properties and features of a sealed injector can be overridden")
  func keys() throws {
    try services.override(Theme.self, with: "red")
    try services.override(Clock.self, with: Clock(now: 7))
    #expect(services[Theme.self] == "red")
    #expect(services[Clock.self].now == 7)
  }

  @Test("Forcing an unknown candidate is an error that suggests the nearest one")
  func missing() throws {
    let error = #expect(throws: InjectorError.self) { try services.force("semantc", at: "search") }
    let location = try #require(error?.facts.findings?.suggestion?.registeredAt)
    #expect(
      error?.description == """
        "semantc" at "search" cannot be forced or disabled: there is no such candidate.
          candidate:      semantc
          point:          search
          injector:       services
          nearest:        semantic at search, registered at \(location)
        To fix this:
          - Pass a candidate's id, and the id of a point around it or the name of its service: explain prints them.
        """)
  }
}

@Suite("Overrides without isolation")
struct UnisolatedOverridesTests {
  private let services = Injector("unisolated")

  @Test("An override of a service is refused")
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
    #expect(!services.isRegistered((any Payments).self))
  }

  @Test("Choices of candidates, and overrides of properties and features, are refused")
  func others() throws {
    let error = #expect(throws: InjectorError.self) { try services.disable("semantic", at: "search") }
    #expect(
      error?.description == """
        The choice of "semantic" at "search" was refused: this code does not run in an isolated test.
          candidate:      semantic
          point:          search
          injector:       unisolated
        To fix this:
          - Isolate the test: @Test(.isolated), or withIsolatedInjectors { … } around it.
        """)
    #expect(throws: InjectorError.self) { try services.override(Theme.self, with: "red") }
    #expect(throws: InjectorError.self) { try services.override(Clock.self, with: Clock(now: 2)) }
    #expect(services[Theme.self] == "light")
    #expect(services[Clock.self].now == 1)
  }
}
