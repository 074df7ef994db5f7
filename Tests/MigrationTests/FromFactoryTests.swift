import Plug
import PlugKeys
import PlugOperations
import Synchronization
import Testing

private protocol Payments: Sendable { var name: String { get } }
private struct CardPayments: Payments { let name = "card" }
private struct MockPayments: Payments { let name = "mock" }
private final class Cart: Sendable {}
private final class Catalogue: Sendable {}
private final class ImageCache: Sendable {}
private final class Basket: Sendable {}
private final class Account: Sendable {}
@MainActor private final class CartModel {}

private struct Checkout: Sendable { let payments: any Payments }
private struct Greeting: Sendable { let account: Account }
private struct Offers: Sendable { init(_ prices: Prices) {} }
private struct Prices: Sendable { init(_ offers: Offers) {} }

private struct Order: Sendable {
  let basket: Basket
  let summary: Basket
}

/// Injects what `Order` is handed.
private struct LateOrder: Sendable {
  @Injected(\.basket, in: .shop) var basket
  @Injected(\.basket, in: .shop) var summary
}

private struct Receipts: Sendable {
  let payments: any Payments
  func receipt(for number: Int) -> String { "\(payments.name) \(number)" }
}

private final class Journal: Sendable {
  private let log = Mutex<[String]>([])

  var lines: [String] { log.withLock { $0 } }
  func add(_ line: String) { log.withLock { $0.append(line) } }
}

private protocol AccountLoading: Sendable { var owner: String { get } }
private struct Accounts: AccountLoading { let owner = "ada" }
private struct AccountPage: Sendable { let accounts: any AccountLoading }

private enum Arguments: Property {
  static var defaultValue: [String] { CommandLine.arguments }
}

nonisolated extension Injector.Name {
  fileprivate static let shop: Self = "corner shop"
}

nonisolated extension Injector {
  fileprivate var cart: Provider<Cart> { provide(.factory { Cart() }) }
  fileprivate var payments: Provider<any Payments> { provide(.lazySingleton { CardPayments() }) }
  fileprivate var checkout: Provider<Checkout> { provide(.factory { try Checkout(payments: $0.payments.get()) }) }
  fileprivate var till: Provider<Checkout> { provide(.lazySingleton { try Checkout(payments: $0.payments.get()) }) }
  fileprivate var catalogue: Provider<Catalogue> { provide(.lazySingleton { Catalogue() }) }
  fileprivate var images: Provider<ImageCache> { provide(.weakSingleton { ImageCache() }) }
  fileprivate var basket: Provider<Basket> { provide(.graph { Basket() }) }
  fileprivate var order: Provider<Order> {
    provide(
      .factory {
        try Order(basket: $0.basket.get(), summary: $0.basket.get())
      })
  }
  fileprivate var lateOrder: Provider<LateOrder> { provide(.factory { LateOrder() }) }
  fileprivate var account: Provider<Account> { provide(.scoped { Account() }) }
  fileprivate var greeting: Provider<Greeting> { provide(.lazySingleton { try Greeting(account: $0.account.get()) }) }
  fileprivate var receipts: Provider<Receipts> { provide(.factory { try Receipts(payments: $0.payments.get()) }) }
  fileprivate var journal: Provider<Journal> {
    provide(.lazySingleton { Journal() }.configure { journal, _ in journal.add("opened") })
  }
  fileprivate var cartModel: MainActorProvider<CartModel> { provide(.factory { @MainActor in CartModel() }) }
  fileprivate var offers: Provider<Offers> { provide(.lazySingleton { try Offers($0.prices.get()) }) }
  fileprivate var prices: Provider<Prices> { provide(.lazySingleton { try Prices($0.offers.get()) }) }
}

extension InjectorError {
  fileprivate var headline: String { String(description.prefix { $0 != "\n" }) }
}

@Suite("Coming from Factory", .serialized)
struct FromFactoryTests {
  private let injector = Injector()

  @Test("the shared container is the default injector, one found by its name, or one that is handed on")
  func containers() {
    #expect(Injector.default === Injector[.default])
    let shop = Injector(.shop)
    #expect(Injector[.shop] === shop && injector !== shop)
  }

  @Test("a Factory is a Provider, and may be made from what others give")
  func providers() throws {
    #expect(try injector.cart() !== injector.cart.get())
    #expect(injector.payments().name == "card" && injector.checkout().payments.name == "card")
    #expect(try injector.payments.get().name == "card")
  }

  @Test("unique is factory, cached is lazySingleton, shared is weakSingleton, and graph is graph")
  func lifetimes() {
    #expect(injector.cart() !== injector.cart())
    #expect(injector.catalogue() === injector.catalogue())
    weak var images: ImageCache?
    do {
      let held = injector.images()
      images = held
      #expect(injector.images() === held)
    }
    #expect(images == nil)
    let (order, next) = (injector.order(), injector.order())
    #expect(order.basket === order.summary && order.basket !== next.basket)
  }

  @Test("a singleton is one for each injector, not one for the program")
  func singletons() {
    #expect(Injector().catalogue() !== injector.catalogue())
  }

  @Test("a custom scope is a scope of the injector, and resetting it is closing that")
  func sessions() throws {
    let session = injector.makeScope("session")
    let account = session.account()
    #expect(session.account() === account)
    session.closeNow()
    #expect(injector.makeScope("session").account() !== account)
    let closed = #expect(throws: InjectorError.self) { try session.account.get() }
    #expect(closed?.headline == "\\.account cannot be resolved or registered: the injector is closed.")
    let outside = #expect(throws: InjectorError.self) { try injector.account.get() }
    #expect(
      outside?.headline
        == "injector.account() failed: \\.account has one instance per scope, and this injector is not one.")
  }

  @Test("something that lives longer than a session must not keep what belongs to it")
  func captives() {
    let session = injector.makeScope("session")
    let error = #expect(throws: InjectorError.self) { try session.greeting.get() }
    #expect(
      error?.headline == "\\.account would be captured by a longer-lived service: "
        + "\\.greeting (lazySingleton) → \\.account (scoped).")
  }

  @Test("@Injected and @LazyInjected are @Injected, which gets its value at the first read and keeps it")
  func injected() throws {
    let shop = Injector(.shop)
    @Injected(\.cart) var cart
    @Injected(\.payments, in: .shop) var payments
    try shop.payments.override(.singleton(MockPayments()))
    #expect(cart === cart && payments.name == "mock")
    do {
      @Injected(\.payments, injector: injector) var payments
      #expect(payments.name == "card")
    }
    try shop.payments.reset()
    #expect(try payments.name == "mock" && $payments.get().name == "mock" && shop.payments().name == "card")
  }

  @Test("@DynamicInjected is a computed property that asks the provider")
  func dynamicInjected() throws {
    let shop = Injector(.shop)
    var payments: any Payments { Injector[.shop].payments() }
    #expect(payments.name == "card")
    try shop.payments.override(.singleton(MockPayments()))
    #expect(payments.name == "mock" && shop.payments().name == "mock")
  }

  @Test("a graph service that is injected into properties is got after the request, so that each has its own")
  func lateGraph() {
    let shop = Injector(.shop)
    let order = shop.lateOrder()
    #expect(order.basket !== order.summary && order.basket !== shop.basket())
  }

  @Test("a model for @InjectedObject is made by a provider on the main actor")
  @MainActor
  func models() {
    #expect(injector.cartModel() !== injector.cartModel())
  }

  @Test("a ParameterFactory is a provider of something that takes the parameter")
  func parameters() {
    #expect(injector.receipts().receipt(for: 42) == "card 42")
  }

  @Test("register is override, and reset is reset, after which the next instance is a new one")
  func overriding() throws {
    try injector.payments.override(.lazySingleton { MockPayments() })
    #expect(injector.checkout().payments.name == "mock")
    try injector.payments.reset()
    #expect(injector.checkout().payments.name == "card")
    let old = injector.catalogue()
    try injector.catalogue.reset()
    #expect(injector.catalogue() !== old)
  }

  @Test("push and pop are a scope, whose overrides are not seen by what the injector keeps")
  func pushing() throws {
    let trial = injector.makeScope("trial")
    try trial.payments.override(.singleton(MockPayments()))
    // The checkout is a .factory, and the till a .lazySingleton:
    #expect(trial.checkout().payments.name == "mock")
    #expect(trial.till().payments.name == "card")
    trial.closeNow()
    #expect(injector.checkout().payments.name == "card")
  }

  @Test("a context is the stage or another property that rules look at")
  func contexts() throws {
    try injector.register(
      PluginPoint<any Payments, Injector>("payments") {
        Candidate("mock") { MockPayments() }
          .when(.stage(.test, .preview))
        Candidate("argument") { MockPayments() }
          .when(.property(Arguments.self, .containsAny(\.self, ["mock0"])))
        Candidate("card") { CardPayments() }
      })
    #expect(try injector.explain((any Payments).self).selected == "mock")
    injector[Stage.self] = .production
    #expect(try injector.explain((any Payments).self).selected == "card")
    injector[Arguments.self] = ["shop", "mock0"]
    #expect(try injector.explain((any Payments).self).selected == "argument")
  }

  @Test("a decorator is a configuration, which runs once for each instance and not for each request")
  func decorators() {
    _ = injector.journal()
    #expect(injector.journal().lines == ["opened"])
  }

  @Test("a promised factory is an optional property, and validate() finds a promise that nobody has kept")
  func promises() throws {
    let shop = Injector(.shop)
    @Injected(.shop) var accounts: (any AccountLoading)?
    #expect(accounts == nil)
    func launch() throws {
      try shop.register(.factory(wiring: AccountPage.init))
      try shop.validate()
    }
    let line = #line - 3
    let error = #expect(throws: InjectorError.self) { try launch() }
    #expect(
      error?.description == """
        Injector "corner shop" is not valid: 1 problem in 1 service.
        1. AccountLoading is not registered, but is needed by AccountPage.
           at \(#fileID):\(line)
           Register it, or remove the services that need it.
        """)
    try shop.register((any AccountLoading).self, .lazySingleton { Accounts() })
    #expect(accounts?.owner == "ada")
    try shop.validate()
  }

  @Test("autoRegister is a function that is called at launch; once sealed, the injector refuses overrides")
  func launch() throws {
    func registerAll(in injector: Injector) throws {
      try injector.register((any AccountLoading).self, .lazySingleton { Accounts() })
    }
    try registerAll(in: injector)
    try injector.seal()
    #expect(try injector.get((any AccountLoading).self).owner == "ada" && injector.payments().name == "card")
    let error = #expect(throws: InjectorError.self) { try injector.payments.override(.singleton(MockPayments())) }
    #expect(error?.headline == "The registrations of \\.payments cannot change: the injector is sealed.")
  }

  @Test("a resolving container registers and resolves by type")
  func resolving() throws {
    #expect(injector[Catalogue.self] == nil)
    try injector.register { Catalogue() }
    #expect(try injector[Catalogue.self] === injector.get(Catalogue.self))
  }

  @Test("the trace is what a tracer receives")
  func tracing() {
    let journal = Journal()
    injector.tracer = { event in journal.add("\(event)") }
    _ = injector.checkout()
    #expect(
      journal.lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
        "constructed \\.payments", "resolved \\.payments", "constructed \\.checkout", "resolved \\.checkout",
      ])
  }

  @Test("a circular dependency is an error with its path; before it has been used, a provider is not known")
  func circles() throws {
    #expect(try injector.validate().serviceCount == 0)
    let error = #expect(throws: InjectorError.self) { try injector.offers.get() }
    #expect(error?.headline == "\\.offers depends on itself: \\.offers → \\.prices → \\.offers.")
    #expect(try injector.validate().opaque == ["\\.offers", "\\.prices"])
  }
}
