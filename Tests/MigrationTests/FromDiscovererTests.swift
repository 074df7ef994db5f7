import Plug
import PlugKeys
import Testing

// What Docs/Migrating/From-Discoverer.md shows, in the same words.

private protocol Cart: AnyObject, Sendable {
  var name: String { get }
}

private final class MemoryCart: Cart {
  let name = "memory"
}

private final class DiskCart: Cart {
  let name = "disk"

  init() throws {
    throw DiskMissing()
  }
}

private struct DiskMissing: Error, Equatable {}

private struct Checkout: Sendable {
  let cart: any Cart
}

private struct Prices: Sendable { init(_ taxes: Taxes) {} }
private struct Taxes: Sendable { init(_ prices: Prices) {} }

private enum Environment {
  static let orders = Injector()
}

nonisolated extension Injector.Name {
  fileprivate static let orders: Self = "orders"
}

private struct DefaultView {
  @Injected var cart: any Cart
}

private struct EnvironmentView {
  @Injected(injector: Environment.orders) var cart: any Cart
}

private struct NamedView {
  @Injected(.orders) var cart: any Cart
}

private struct DefaultRegistration {
  @Registered var cart = Injection<any Cart>.singleton(MemoryCart())
}

private let registrationLine = #line + 3

private struct EnvironmentRegistration {
  @Registered(inInjector: Environment.orders) var cart = Injection<any Cart>.factory({ MemoryCart() })
}

private struct NamedRegistration {
  @Registered(in: .orders) var cart = Injection<any Cart>.factory { MemoryCart() }
}

private struct Basket {
  var cart: any Cart { Injector[.orders].resolve() }
}

@Suite("The page for users of Discoverer", .serialized)
struct FromDiscovererTests {
  @Test("The kinds of injection give one instance or a new one each time, in both ways to write them")
  func injections() throws {
    let injections: [(injection: Injection<any Cart>, isShared: Bool)] = [
      (Injection<any Cart>.singleton(MemoryCart()), true),
      (Injection<any Cart>.lazySingleton(nil, { MemoryCart() }), true),
      (Injection<any Cart>.lazySingleton { MemoryCart() }, true),
      (Injection<any Cart>.factory({ MemoryCart() }), false),
      (Injection<any Cart>.factory { MemoryCart() }, false),
      (Injectable<any Cart>.singleton(MemoryCart()), true),
    ]
    for (injection, isShared) in injections {
      let orders = Injector()
      try orders.register((any Cart).self, injection)
      #expect(try (orders.get((any Cart).self) === orders.get((any Cart).self)) == isShared)
    }
  }

  @Test("An injector registers, gives, says whether something is registered, and unregisters")
  func injector() throws {
    let orders = Injector()
    #expect(orders[(any Cart).self] == nil && !orders.isRegistered((any Cart).self))
    try orders.register((any Cart).self, .singleton(MemoryCart()))
    #expect(orders.isRegistered((any Cart).self))
    let cart: any Cart = try orders.get()
    #expect(try cart === orders.get((any Cart).self))
    #expect(cart === orders[(any Cart).self])
    try orders.unregister((any Cart).self)
    #expect(orders[(any Cart).self] == nil && !orders.isRegistered((any Cart).self))
    try orders.register((any Cart).self, .singleton(MemoryCart()))
      .register(Checkout.self, .factory { injector in try Checkout(cart: injector.get()) })
    #expect(try orders.get(Checkout.self).cart === orders.get((any Cart).self))
  }

  @Test("A second registration is refused, unless the injector allows rewriting")
  func rewriting() throws {
    let orders = Injector()
    try orders.register((any Cart).self, .singleton(MemoryCart()))
    let first = try orders.get((any Cart).self)
    do {
      try orders.register((any Cart).self, .singleton(MemoryCart()))
      Issue.record("The second registration should have been refused.")
    } catch InjectorError.alreadyRegistered {
    }
    #expect(try orders.get((any Cart).self) === first)

    let rewritable = Injector(allowRewrite: true)
    let last = MemoryCart()
    try rewritable.register((any Cart).self, .singleton(MemoryCart()))
    try rewritable.register((any Cart).self, .singleton(last))
    #expect(try rewritable.get((any Cart).self) === last)
  }

  @Test("A service that is missing is caught as before, and the error can be asked for facts")
  func errors() throws {
    let orders = Injector()
    do {
      _ = try orders.get((any Cart).self)
      Issue.record("get should have thrown.")
    } catch InjectorError.notRegistered {
    }
    do {
      try orders.unregister((any Cart).self)
      Issue.record("unregister should have thrown.")
    } catch InjectorError.notRegistered(let facts) {
      #expect(facts.service == "Cart" && facts.injector == nil)
    }
  }

  @Test("Wrappers without arguments use the default injector")
  func defaultInjector() throws {
    let owner = DefaultRegistration()
    let view = DefaultView()
    #expect(view.cart === Injector.default[(any Cart).self])
    withExtendedLifetime(owner) {}
  }

  @Test("Wrappers use the injector that they are given, as a constant or by its name")
  func environments() throws {
    let owners = (EnvironmentRegistration(), NamedRegistration())
    #expect(Environment.orders[(any Cart).self]?.name == "memory" && Injector[.orders][(any Cart).self] != nil)
    #expect(EnvironmentView().cart.name == "memory" && NamedView().cart.name == "memory")
    withExtendedLifetime(owners) {}
  }

  @Test("An injected property keeps what the first read got, and a computed one asks each time")
  func reads() throws {
    let owner = NamedRegistration()
    let view = NamedView()
    let copy = view
    #expect(view.cart === view.cart && copy.cart === view.cart)
    let basket = Basket()
    #expect(basket.cart !== basket.cart)
    withExtendedLifetime(owner) {}
  }

  @Test("A registered property ends its own registration, and no other")
  func leases() throws {
    do {
      let owner = EnvironmentRegistration()
      #expect(Environment.orders.isRegistered((any Cart).self))
      withExtendedLifetime(owner) {}
    }
    #expect(!Environment.orders.isRegistered((any Cart).self))

    let other = MemoryCart()
    do {
      let owner = EnvironmentRegistration()
      try Environment.orders.unregister((any Cart).self)
      try Environment.orders.register((any Cart).self, .singleton(other))
      withExtendedLifetime(owner) {}
    }
    #expect(try Environment.orders.get((any Cart).self) === other)
    try Environment.orders.unregister((any Cart).self)
  }

  @Test("try? is nil for a service that is missing, and for one that cannot be made")
  func anyFailure() throws {
    let orders = Injector()
    func find() -> (any Cart)? {
      let cart = try? orders.get((any Cart).self)
      return cart
    }
    #expect(find() == nil)
    try orders.register((any Cart).self, .factory { try DiskCart() })
    #expect(find() == nil)
    do {
      _ = try orders.get((any Cart).self)
      Issue.record("get should have thrown.")
    } catch InjectorError.constructionFailed(_, let underlying) {
      #expect(underlying as? DiskMissing == DiskMissing())
    }
    try orders.unregister((any Cart).self)
    try orders.register((any Cart).self, .singleton(MemoryCart()))
    #expect(find()?.name == "memory")
  }

  @Test("A factory is handed the injector that was asked")
  func dependencies() throws {
    let orders = Injector()
    try orders.register((any Cart).self, .singleton(MemoryCart()))
    try orders.register(
      Checkout.self,
      .factory { injector in
        try Checkout(cart: injector.get())
      })
    #expect(try orders.get(Checkout.self).cart === orders.get((any Cart).self))
  }

  @Test("Services that need each other are an error with the path")
  func circle() throws {
    let orders = Injector()
    try orders.register(wiring: Prices.init)
    try orders.register(wiring: Taxes.init)
    do {
      _ = try orders.get(Prices.self)
      Issue.record("get should have thrown.")
    } catch InjectorError.circularDependency(_, let path) {
      #expect(path == ["Prices", "Taxes", "Prices"])
    }
  }

  @Test("One lazy injection in two injectors makes an instance for each, and a lazy value stands by itself")
  func owners() throws {
    let injection = Injection<any Cart>.lazySingleton { MemoryCart() }
    let (orders, returns) = (Injector(), Injector())
    try orders.register(injection)
    try returns.register(injection)
    #expect(try orders.get((any Cart).self) === orders.get((any Cart).self))
    #expect(try orders.get((any Cart).self) !== returns.get((any Cart).self))
    let cart = Lazy { MemoryCart() }.instance
    #expect(cart.name == "memory")
  }
}
