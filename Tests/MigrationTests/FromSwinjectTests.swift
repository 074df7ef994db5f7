import Plug
import PlugKeys
import PlugOperations
import Synchronization
import Testing

private protocol Payments: Sendable { var name: String { get } }
private protocol Refunds: Sendable { var name: String { get } }
private final class CardPayments: Payments, Refunds { let name = "card" }
private final class GiftPayments: Payments { let name = "gift" }

private final class Cart: Sendable {}
private final class Catalogue: Sendable {}
private final class ImageCache: Sendable {}
private final class Account: Sendable {}
private struct Price: Sendable {}
@MainActor private final class Banner {}

private struct Checkout: Sendable { let payments: any Payments }
private struct Greeting: Sendable { let account: Account }
private struct Offers: Sendable { init(_ discounts: Discounts) {} }
private struct Discounts: Sendable { init(_ offers: Offers) {} }

private final class Basket: Sendable {}
private struct Order: Sendable {
  let basket: Basket
  let summary: Basket
}

private struct Receipts: Sendable {
  let payments: any Payments
  func receipt(number: Int) -> String { "\(payments.name) \(number)" }
}

/// Each of the two refers to the other.
private final class Shop: Sendable {
  let counter: Counter

  init(counter: Counter) {
    self.counter = counter
  }
}

private final class Counter: Sendable {
  private struct State {
    weak var shop: Shop?
  }

  private let state = Mutex(State())

  var shop: Shop? { state.withLock { $0.shop } }

  func enter(_ shop: Shop) {
    state.withLock { $0.shop = shop }
  }
}

/// Needs nothing in its initializer, as a controller that a storyboard makes.
@MainActor
private final class CartController {
  @Injected(.store) var cart: Cart
}

nonisolated extension Injector.Name {
  fileprivate static let store: Self = "book store"
}

nonisolated extension Injector.Tag {
  fileprivate static let gift: Self = "gift"
}

extension InjectorError {
  fileprivate var headline: String { String(description.prefix { $0 != "\n" }) }
}

@Suite("Coming from Swinject", .serialized)
struct FromSwinjectTests {
  private let injector = Injector()

  @Test("register takes the service, its lifetime and a closure with the injector, or an initializer")
  func registering() throws {
    try injector.register((any Payments).self, .graph { CardPayments() })
    try injector.register(.graph { try Checkout(payments: $0.get()) })
    try injector.register(.graph(wiring: Receipts.init))
    #expect(try injector.get(Checkout.self).payments.name == "card")
    #expect(try injector.get(Receipts.self).payments.name == "card")
  }

  @Test("a name is a tag")
  func names() throws {
    try injector.register((any Payments).self, .graph { CardPayments() })
    try injector.register((any Payments).self, tag: .gift, .graph { GiftPayments() })
    #expect(try injector.get((any Payments).self, tag: .gift).name == "gift")
    #expect(try injector.get((any Payments).self).name == "card")
  }

  @Test("resolve is a subscript that may give nil, a get that throws, or a resolve that ends the program")
  func resolving() throws {
    #expect(injector[(any Payments).self]?.name == nil)
    #expect(!injector.isRegistered((any Payments).self))
    try injector.register((any Payments).self, .graph { CardPayments() })
    let payments: any Payments = injector.resolve()
    #expect(try injector[(any Payments).self]?.name == "card" && injector.get((any Payments).self).name == "card")
    #expect(payments.name == "card" && injector.isRegistered((any Payments).self))
  }

  @Test("a missing service is an error with the path to it, also a missing dependency")
  func missing() throws {
    try injector.register(.graph(wiring: Checkout.init))
    let line = #line - 1
    let error = #expect(throws: InjectorError.self) { try injector.get(Checkout.self) }
    #expect(
      error?.description == """
        get((any Payments).self) failed: nothing is registered for Payments.
          service:        Payments
          injector:       (unnamed)
          chain:          Checkout → Payments
          asked at:       \(error?.facts.requestedAt?.description ?? "")
        To fix this:
          - Register it before you ask for it: try register((any Payments).self, …).
        """)
    let report = #expect(throws: InjectorError.self) { try injector.validate() }
    #expect(
      report?.description == """
        The injector is not valid: 1 problem in 1 service.
        1. Payments is not registered, but is needed by Checkout.
           at \(#fileID):\(line)
           Register it, or remove the services that need it.
        """)
  }

  @Test("transient is factory, graph is graph, container is lazySingleton, and weak is weakSingleton")
  func lifetimes() throws {
    try injector.register(.factory { Cart() })
    try injector.register(.graph { Basket() })
    try injector.register(.factory(wiring: Order.init))
    try injector.register { Catalogue() }
    try injector.register(.weakSingleton { ImageCache() })
    #expect(try injector.get(Cart.self) !== injector.get(Cart.self))
    let (order, next) = (try injector.get(Order.self), try injector.get(Order.self))
    #expect(order.basket === order.summary && order.basket !== next.basket)
    #expect(try injector.get(Catalogue.self) === injector.get(Catalogue.self))
    weak var images: ImageCache?
    do {
      let held = try injector.get(ImageCache.self)
      images = held
      #expect(try injector.get(ImageCache.self) === held)
    }
    #expect(images == nil)
  }

  @Test("a value cannot be weak, and that is refused")
  func weakValues() {
    let error = #expect(throws: InjectorError.self) {
      try injector.register(.weakSingleton { Price() })
    }
    #expect(
      error?.headline
        == "Price cannot be a weakSingleton: Price is not a class, and only objects can be held weakly.")
  }

  @Test("a custom object scope is a scope of the injector, and resetting it is closing that")
  func sessions() throws {
    try injector.register(.scoped { Account() })
    let session = injector.makeScope("session")
    let account = try session.get(Account.self)
    #expect(try session.get(Account.self) === account)
    session.closeNow()
    #expect(try injector.makeScope("session").get(Account.self) !== account)
    let error = #expect(throws: InjectorError.self) { try session.get(Account.self) }
    #expect(error?.headline == "Account cannot be resolved or registered: the injector is closed.")
  }

  @Test("something that lives longer than a session must not keep what belongs to it")
  func captives() throws {
    try injector.register(.scoped { Account() })
    try injector.register(wiring: Greeting.init)
    let session = injector.makeScope("session")
    let error = #expect(throws: InjectorError.self) { try session.get(Greeting.self) }
    #expect(
      error?.headline == "Account would be captured by a longer-lived service: "
        + "Greeting (lazySingleton) → Account (scoped).")
  }

  @Test("initCompleted is a configuration: two may refer to each other, and each is made once")
  func circularReferences() throws {
    let made = Mutex<[String]>([])
    injector.tracer = { event in
      if case .constructed = event.kind { made.withLock { $0.append(event.service) } }
    }
    try injector.register(wiring: Shop.init)
    try injector.register(
      .lazySingleton { Counter() }.configure { counter, injector in
        counter.enter(try injector.get(Shop.self))
      })
    let shop = try injector.get(Shop.self)
    #expect(shop.counter.shop === shop)
    #expect(made.withLock { $0 } == ["Counter", "Shop"])
  }

  @Test("initializers that need each other are an error with the path")
  func circles() throws {
    try injector.register(wiring: Offers.init)
    try injector.register(wiring: Discounts.init)
    let error = #expect(throws: InjectorError.self) { try injector.get(Offers.self) }
    #expect(error?.headline == "Offers depends on itself: Offers → Discounts → Offers.")
  }

  @Test("configurations that get each other anew without end are an error with the path")
  func endlessConfigurations() throws {
    try injector.register(.factory { Cart() }.configure { _ = try $1.get(Basket.self) })
    try injector.register(.factory { Basket() }.configure { _ = try $1.get(Cart.self) })
    let error = #expect(throws: InjectorError.self) { try injector.get(Cart.self) }
    #expect(error?.headline == "Cart depends on itself: Cart → Basket → Cart.")
  }

  @Test("an argument is taken by something that makes what it is for")
  func arguments() throws {
    try injector.register((any Payments).self, .lazySingleton { CardPayments() })
    try injector.register(.factory(wiring: Receipts.init))
    #expect(try injector.get(Receipts.self).receipt(number: 42) == "card 42")
  }

  @Test("a forwarded type is a registration that gets the other one")
  func forwarding() throws {
    try injector.register { CardPayments() }
    try injector.register((any Refunds).self, .factory { try $0.get(CardPayments.self) })
    #expect(try injector.get((any Refunds).self) as? CardPayments === injector.get(CardPayments.self))
  }

  @Test("Lazy is @Injected, which gets its value at the first read, also in a controller of a storyboard")
  @MainActor
  func controllers() throws {
    let store = Injector(.store)
    let controller = CartController()
    try store.register { Cart() }
    #expect(try controller.cart === store.get(Cart.self))
  }

  @Test("a second registration is refused, unless the injector allows rewriting or the first is removed")
  func rewriting() throws {
    try injector.register((any Payments).self, .graph { CardPayments() })
    let error = #expect(throws: InjectorError.self) {
      try injector.register((any Payments).self, .graph { GiftPayments() })
    }
    #expect(
      error?.headline == "register((any Payments).self) was refused: Payments is already registered.")
    try injector.unregister((any Payments).self)
    try injector.register((any Payments).self, .graph { GiftPayments() })
    #expect(try injector.get((any Payments).self).name == "gift")

    let replacing = Injector(allowRewrite: true)
    try replacing.register((any Payments).self, .graph { CardPayments() })
    try replacing.register((any Payments).self, .graph { GiftPayments() })
    #expect(try replacing.get((any Payments).self).name == "gift")
  }

  @Test("a main-actor factory is a main-actor closure")
  @MainActor
  func mainActor() throws {
    try injector.register(.graph { @MainActor in Banner() })
    #expect(try injector.get(Banner.self) !== injector.get(Banner.self))
  }

  @Test("no synchronized view is needed: tasks get one instance")
  func threads() async throws {
    try injector.register { Catalogue() }
    let instances = try await withThrowingTaskGroup(of: Catalogue.self) { group in
      for _ in 0..<8 { group.addTask { [injector] in try injector.get(Catalogue.self) } }
      return try await group.reduce(into: [Catalogue]()) { $0.append($1) }
    }
    #expect(instances.count == 8 && Set(instances.map(ObjectIdentifier.init)).count == 1)
  }
}
