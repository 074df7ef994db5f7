import Foundation
import Plug
import PlugFeatures
import PlugKeys
import PlugTesting
import Testing

private struct Prices: Feature {
  var price: @Sendable (_ article: String) -> Int
  static func load(in injector: Injector) -> Prices { .fixed(900 + injector[Tax.self]) }
  static func fixed(_ amount: Int) -> Prices { Prices { _ in amount } }
}

private enum Tax: Property { static var defaultValue: Int { 90 } }

private protocol Payments: Sendable { var name: String { get } }
private struct CardPayments: Payments { let name = "card" }
private struct MockPayments: Payments { let name = "mock" }

private struct Cart: Sendable {
  let injector: Injector
  var total: Int { injector.prices.price("tea") + injector.prices.price("cup") }
}

/// Asks the environment, wherever it is made.
private struct Page: Sendable {
  @Injected(\.payments, in: .stall) var payments
}

/// Keeps the values that it was made from.
private struct Till: Sendable { let prices: Prices }
private struct Shelf: Sendable { let prices: Prices }

private final class CoreRegistry: Registry {
  let payments: any Payments
  init(payments: any Payments) { self.payments = payments }
  static func createMockShared() -> CoreRegistry { CoreRegistry(payments: MockPayments()) }
}

private enum ShopClock: Feature {
  static func load(in injector: Injector) -> any Clock<Duration> {
    ContinuousClock()
  }
}

private struct NoPaper: Error, CustomStringConvertible {
  let description = "no paper"
}

private enum Shop {
  static let injector = Injector()
}

private enum Printer: Feature {
  static func load(in injector: Injector) throws -> String {
    guard injector[Paper.self] else { throw NoPaper() }
    return "printer"
  }
}

private enum Paper: Property { static var defaultValue: Bool { false } }

private enum Hen: Feature {
  static func load(in injector: Injector) throws -> Int { try injector.get(Egg.self) }
}

private enum Egg: Feature {
  static func load(in injector: Injector) throws -> Int { try injector.get(Hen.self) }
}

nonisolated extension Injector.Name {
  fileprivate static let stall: Self = "market stall"
}

nonisolated extension Injector {
  fileprivate var prices: Prices {
    get { self[Prices.self] }
    set { self[Prices.self] = newValue }
  }
  fileprivate var payments: Provider<any Payments> { provide(.lazySingleton { CardPayments() }) }
}

extension InjectorError {
  fileprivate var headline: String { String(description.prefix { $0 != "\n" }) }
}

@Suite("Coming from swift-dependencies")
struct FromSwiftDependenciesTests {
  private let injector = Injector()

  @Test("a dependency key is a feature that loads itself, from others if need be")
  func features() {
    #expect(injector.prices.price("tea") == 990)
    #expect(injector[Prices.self].price("tea") == 990)
    let shop = Injector()
    shop[Tax.self] = 45
    #expect(shop[Prices.self].price("tea") == 945)
  }

  @Test("a key for a protocol is a provider, and @Dependency of it is @Injected")
  func providers() throws {
    @Injected(\.payments, injector: injector) var payments
    #expect(payments.name == "card" && injector.payments().name == "card")
    try injector.payments.override(.singleton(MockPayments()))
    #expect(payments.name == "card" && injector.payments().name == "mock")
  }

  @Test("a test value is assigned, and a reset brings the live one back")
  func testValues() {
    injector[Prices.self] = .fixed(100)
    #expect(injector.prices.price("tea") == 100)
    injector.reset(Prices.self)
    #expect(injector.prices.price("tea") == 990)
    injector.prices = .fixed(50)
    #expect(injector.prices.price("tea") == 50)
  }

  @Test("an unimplemented value is an issue when it is used, and throws")
  func unimplemented() throws {
    try injector.payments.override(.unimplemented("payments"))
    withKnownIssue {
      #expect(throws: InjectorError.self) { try injector.payments.get() }
    }
  }

  @Test("a trait assigns a value for a test", .isolated { _ in Shop.injector.prices = .fixed(100) })
  func trait() {
    #expect(Shop.injector.prices.price("tea") == 100)
    #expect(TestIsolation.current.run { Shop.injector.prices.price("tea") } == 100)
  }

  @Test("a key whose live value is in another module is a registry, mocked until the app assigns it")
  func registries() throws {
    #expect(CoreRegistry.createMockShared().payments.name == "mock" && !CoreRegistry.isAssigned)
    #expect(throws: UnassignedRegistries.self) { try Registries.checkAssigned([CoreRegistry.self]) }
    CoreRegistry.assignDesiredImplementation(to: CoreRegistry(payments: CardPayments()))
    #expect(CoreRegistry.shared.payments.name == "card")
    try Registries.checkAssigned([CoreRegistry.self])
  }

  @Test("withDependencies is a scope with values of its own, which is handed on")
  func overriding() {
    let sale = injector.makeScope("sale")
    sale[Prices.self] = .fixed(100)
    #expect(Cart(injector: sale).total == 200 && Cart(injector: injector).total == 1980)
    sale.closeNow()
  }

  @Test("values go with the injector and not with the task")
  func tasks() async {
    let sale = injector.makeScope("sale")
    sale[Prices.self] = .fixed(100)
    let total = await Task.detached { Cart(injector: sale).total }.value
    #expect(total == 200)
  }

  @Test("what the injector keeps does not see the values of a scope")
  func keptByTheParent() throws {
    try injector.register(
      .lazySingleton { Till(prices: $0.prices) })
    try injector.register(.scoped { Shelf(prices: $0.prices) })
    let sale = injector.makeScope("sale")
    sale[Prices.self] = .fixed(100)
    #expect(try sale.get(Till.self).prices.price("tea") == 990)
    #expect(try sale.get(Shelf.self).prices.price("tea") == 100)
  }

  @Test("an instance keeps what it was made from, and an observation tells that there is something new")
  func observing() async throws {
    try injector.register(
      .lazySingleton { Till(prices: $0.prices) })
    let till = try injector.get(Till.self)
    await confirmation { confirm in
      let observation = injector.observe(Prices.self) { prices in
        #expect(prices.price("tea") == 100)
        confirm()
      }
      injector[Prices.self] = .fixed(100)
      observation.cancel()
    }
    #expect(till.prices.price("tea") == 990 && injector.prices.price("tea") == 100)
  }

  @Test("an injected property asks its environment, not the scope in which its owner is made")
  func environments() throws {
    let stall = Injector(.stall)
    try stall.register(.factory { Page() })
    let trial = stall.makeScope("trial")
    try trial.payments.override(.singleton(MockPayments()))
    #expect(try trial.get(Page.self).payments.name == "card")
    #expect(trial.payments().name == "mock")
  }

  @Test("prepareDependencies is an override at launch; once sealed, only properties can be set")
  func preparing() throws {
    try injector.payments.override(.singleton(MockPayments()))
    injector[Prices.self] = .fixed(100)
    try injector.seal()
    #expect(injector.payments().name == "mock" && injector.prices.price("tea") == 100)
    let error = #expect(throws: InjectorError.self) { try injector.payments.reset() }
    #expect(error?.headline == "The registrations of \\.payments cannot change: the injector is sealed.")
    injector[Tax.self] = 45
    #expect(injector[Tax.self] == 45)
  }

  @Test("assigning a feature of a sealed injector ends the program with the diagnosis")
  func sealed() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try assignInSealedInjector()
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(
      output.split(separator: "\n").prefix(2) == [
        "\(#fileID):\(assignmentLine): Fatal error: Injector(\"services\")[Prices.self] cannot be set.",
        "The registrations of Prices cannot change: the injector is sealed.",
      ])
  }

  @Test("date, uuid and random numbers come with PlugFeatures, and a clock is a feature of a few lines")
  func builtIns() {
    injector.timestamp = .constant(0)
    #expect(injector.timestamp.date == Date(timeIntervalSince1970: 0))
    let id = UUID()
    injector.uuids = .constant(id)
    #expect(injector.uuids.next() == id)
    injector.uuids = .sequential()
    #expect(injector.uuids.next().uuidString == "00000000-0000-0000-0000-000000000001")
    injector.randomness = .seeded(42)
    var generator = injector.randomness
    let roll = Int.random(in: 1...6, using: &generator)
    injector.randomness = .seeded(42)
    generator = injector.randomness
    #expect(Int.random(in: 1...6, using: &generator) == roll)
    #expect(injector[ShopClock.self] is ContinuousClock)
    injector[ShopClock.self] = SuspendingClock()
    #expect(injector[ShopClock.self] is SuspendingClock)
  }

  @Test("a value that cannot be loaded is an error, and is loaded again at the next request")
  func failing() throws {
    let error = #expect(throws: InjectorError.self) { try injector.get(Printer.self) }
    #expect(error?.headline == "Printer could not be made: no paper")
    injector[Paper.self] = true
    #expect(try injector.get(Printer.self) == "printer")
  }

  @Test("values that need each other are an error with the path")
  func circles() {
    let error = #expect(throws: InjectorError.self) { try injector.get(Hen.self) }
    #expect(error?.headline == "Hen depends on itself: Hen → Egg → Hen.")
  }

  @Test("a value is loaded once for each injector, and a scope shares it")
  func caching() {
    let scope = injector.makeScope("scope")
    injector[Tax.self] = 45
    #expect(scope.prices.price("tea") == 945 && Injector().prices.price("tea") == 990)
  }
}

// What runs in an exit test stands outside of it, because the macro moves lines.
private func assignInSealedInjector() throws {
  let injector = Injector("services")
  try injector.seal()
  injector[Prices.self] = .fixed(100)
}

private let assignmentLine = #line - 3
