import Plug
import PlugKeys
import Synchronization
import Testing

// How long instances live, as fiery-crucible.md promises it. Each test names what the text promises.

private final class Session: Sendable {}

private final class Page: Sendable {
  let session: Session

  init(session: Session) {
    self.session = session
  }
}

private final class Label: Sendable {}

private final class Row: Sendable {
  let title: Label
  let price: Label

  init(title: Label, price: Label) {
    self.title = title
    self.price = price
  }
}

private final class Cart: Sendable {}

private final class Total: Sendable {
  let cart: Cart

  init(of cart: Cart) {
    self.cart = cart
  }
}

private final class Checkout: Sendable {
  let cart: Cart
  let total: Total
  let discount: Total

  init(cart: Cart, total: Total, discount: Total) {
    self.cart = cart
    self.total = total
    self.discount = discount
  }
}

extension Injector {
  fileprivate var session: Provider<Session> { provide(.lazySingleton { Session() }) }
  fileprivate var page: Provider<Page> { provide(.factory { Page(session: try $0.session.get()) }) }

  fileprivate var label: Provider<Label> { provide(.factory { Label() }) }
  fileprivate var row: Provider<Row> {
    provide(.factory { Row(title: try $0.label.get(), price: try $0.label.get()) })
  }

  fileprivate var cart: Provider<Cart> { provide(.graph { Cart() }) }
  fileprivate var total: Provider<Total> { provide(.factory { Total(of: try $0.cart.get()) }) }
  fileprivate var checkout: Provider<Checkout> {
    provide(
      .factory {
        Checkout(cart: try $0.cart.get(), total: try $0.total.get(), discount: try $0.total.get())
      })
  }
}

/// Knows how many have been made before it.
private final class Theme: Sendable {
  let number: Int

  init(counting made: Counter) {
    number = made.increment()
  }
}

private final class Counter: Sendable {
  private let count = Atomic(0)

  func increment() -> Int {
    count.add(1, ordering: .relaxed).newValue
  }
}

@Suite("The lifetimes of fiery-crucible.md")
struct FieryCrucibleLifetimeTests {
  /// A factory that keeps its theme weakly.
  private func makeThemes() throws -> Injector {
    let (factory, made) = (Injector(), Counter())
    try factory.register(.weakSingleton { Theme(counting: made) })
    return factory
  }

  @Test("Shared: everyone gets one instance, asked for directly or needed by another")
  func shared() {
    let factory = Injector()
    let session = factory.session()
    #expect(factory.session() === session && factory.page().session === session)
  }

  @Test("Shared: the instance lives as long as its factory, and no longer")
  func sharedEnd() {
    weak var session: Session?
    do {
      let factory = Injector()
      session = factory.session()
      #expect(session != nil)
      withExtendedLifetime(factory) {}
    }
    #expect(session == nil)
  }

  @Test("Weak shared: all requests return one instance while it is held")
  func weakShared() throws {
    let factory = try makeThemes()
    let theme = try factory.get(Theme.self)
    #expect(try factory.get(Theme.self) === theme)
    #expect(theme.number == 1)
  }

  @Test("Weak shared: the factory is no holder, so that the instance goes with the last one, and then there is another")
  func weakSharedEnd() throws {
    let factory = try makeThemes()
    weak var theme: Theme?
    do {
      let held = try factory.get(Theme.self)
      theme = held
      #expect(theme?.number == 1)
      withExtendedLifetime(held) {}
    }
    #expect(theme == nil)
    #expect(try factory.get(Theme.self).number == 2)
  }

  @Test("Weak shared: several requests do not crash, whether the instance is held or not")
  func weakSharedAgain() throws {
    let factory = try makeThemes()
    var numbers = try (1...3).map { _ in try factory.get(Theme.self).number }
    let held = try factory.get(Theme.self)
    numbers += try (1...3).map { _ in try factory.get(Theme.self).number }
    #expect(numbers == [1, 2, 3, 4, 4, 4])
    withExtendedLifetime(held) {}
  }

  @Test("Unshared: each request makes an instance of its own")
  func unshared() {
    let factory = Injector()
    let (first, second, row) = (factory.label(), factory.label(), factory.row())
    let labels = [first, second, row.title, row.price]
    #expect(Set(labels.map(ObjectIdentifier.init)).count == 4)
  }

  @Test("Unshared: the instance is released with its caller's reference")
  func unsharedEnd() {
    let factory = Injector()
    weak var label: Label?
    do {
      let held = factory.label()
      label = held
      #expect(label != nil)
      withExtendedLifetime(held) {}
    }
    #expect(label == nil)
    withExtendedLifetime(factory) {}
  }

  @Test("Scoped: each request makes an instance of its own")
  func scoped() {
    let factory = Injector()
    let (first, second) = (factory.cart(), factory.cart())
    #expect(first !== second)
  }

  @Test("Scoped: everything that is made during a request refers to the same instance")
  func scopedRequest() {
    let checkout = Injector().checkout()
    #expect(checkout.total.cart === checkout.cart && checkout.discount.cart === checkout.cart)
    #expect(checkout.total !== checkout.discount)
  }

  @Test("Scoped: an object made after a request has ended refers to another instance")
  func scopedNext() {
    let factory = Injector()
    let (first, total, second) = (factory.checkout(), factory.total(), factory.checkout())
    #expect(first.cart !== total.cart && total.cart !== second.cart && first.cart !== second.cart)
  }

  @Test("Scoped: the instance is released with its caller's reference")
  func scopedEnd() {
    let factory = Injector()
    weak var cart: Cart?
    do {
      let checkout = factory.checkout()
      cart = checkout.cart
      #expect(cart != nil)
      withExtendedLifetime(checkout) {}
    }
    #expect(cart == nil)
    withExtendedLifetime(factory) {}
  }
}
