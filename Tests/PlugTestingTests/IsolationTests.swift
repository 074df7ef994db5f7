import Plug
import PlugKeys
import PlugTesting
import Synchronization
import TestSupport
import Testing

@Suite("Isolation")
struct IsolationTests {
  @Test("An override applies inside the isolation, and not outside", arguments: [false, true])
  func override(isSealed: Bool) throws {
    let injector = try Injector.shop(isSealed: isSealed)
    let names = try withIsolatedInjectors {
      try injector.override(as: (any Payments).self, injectable: .singleton(FakePayments()))
      return [injector.paymentsName, try injector.get(Basket.self).payments.name]
    }
    #expect(names == ["fake", "fake"])
    #expect(injector.paymentsName == "live")
    #expect(try injector.get(Basket.self).payments.name == "live")
  }

  @Test("An instance is made anew inside the isolation, and is gone afterwards")
  func freshInstances() throws {
    let injector = try Injector.shop()
    let outside = try injector.get(Basket.self)
    let inside = try withIsolatedInjectors {
      let first = try injector.get(Basket.self)
      #expect(try injector.get(Basket.self) === first)
      return first
    }
    #expect(inside !== outside)
    #expect(try withIsolatedInjectors { try injector.get(Basket.self) } !== inside)
    #expect(try injector.get(Basket.self) === outside)
  }

  @Test("An instance that was handed in is the same object inside and outside the isolation")
  func handedIn() throws {
    let injector = Injector()
    let basket = Basket(payments: LivePayments())
    try injector.register(injectable: .singleton(basket))
    #expect(try withIsolatedInjectors { try injector.get(Basket.self) } === basket)
  }

  @Test("Registrations and removals inside a test take effect only there")
  func registration() throws {
    let injector = try Injector.shop()
    try withIsolatedInjectors {
      try injector.register(injectable: .singleton(Shopper("bo")))
      try injector.unregister((any Payments).self)
      #expect(try injector.get(Shopper.self).id == "bo")
      #expect(injector.paymentsName == nil)
      #expect(!injector.isRegistered((any Payments).self))
    }
    #expect(!injector.isRegistered(Shopper.self))
    #expect(injector.paymentsName == "live")
  }

  @Test("A copy of a sealed injector accepts new services, but refuses to register a service twice")
  func additions() throws {
    let (open, sealed) = (try Injector.shop(), try Injector.shop(isSealed: true))
    try withIsolatedInjectors {
      for injector in [open, sealed] {
        #expect(!injector.isSealed)
        try injector.register(injectable: .singleton(Shopper("bo")))
        #expect(throws: InjectorError.self) { try injector.register { LivePayments() as any Payments } }
        try injector.unregister((any Payments).self)
        try injector.register { FakePayments("again") as any Payments }
        #expect(try injector.get(Shopper.self).id == "bo")
        #expect(try injector.get(Basket.self).payments.name == "again")
      }
      try sealed.seal()
      #expect(throws: InjectorError.self) { try sealed.register(injectable: .singleton(FakePayments())) }
    }
    #expect(sealed.isSealed && !sealed.isRegistered(Shopper.self) && sealed.paymentsName == "live")
  }

  @Test("Services and values that the program adds later are visible, unless the test has set its own")
  func later() throws {
    let injector = try Injector.shop()
    try withIsolatedInjectors {
      #expect(!injector.isRegistered(Shopper.self) && injector[Shopper.self] == nil)
      try injector.register(tag: "own", injectable: .singleton(Shopper("own")))
      _ = inParallel({
        _ = try? injector.register(injectable: .singleton(Shopper("late")))
        _ = try? injector.register(tag: "own", injectable: .singleton(Shopper("late")))
        injector[Theme.self] = "late"
      })
      #expect(try injector.get(Shopper.self).id == "late")
      #expect(try injector.get(Shopper.self, tag: "own").id == "own")
      #expect(injector[Theme.self] == "late")
    }
  }

  @Test("The name of an injector finds the same copy as the injector itself")
  func names() throws {
    let injector = Injector("isolation.names")
    Shop.setUp(injector)
    try withIsolatedInjectors {
      try Injector["isolation.names"].override(as: (any Payments).self, injectable: .singleton(FakePayments()))
      #expect(injector.paymentsName == "fake")
      #expect(try Injector["isolation.names"].get(Basket.self) === injector.get(Basket.self))
    }
    #expect(Injector["isolation.names"].paymentsName == "live")
  }

  @Test("A name that is first used inside the isolation has no registrations outside")
  func freshNames() throws {
    try withIsolatedInjectors {
      try Injector["isolation.fresh"].register(injectable: .singleton(Shopper("bo")))
      #expect(try Injector["isolation.fresh"].get(Shopper.self).id == "bo")
      let created = Injector("isolation.created")
      try created.register(injectable: .singleton(Shopper("cleo")))
      #expect(try Injector["isolation.created"].get(Shopper.self).id == "cleo")
      #expect(withIsolatedInjectors { Injector["isolation.created"][Shopper.self]?.id } == "cleo")
      withExtendedLifetime(created) {}
    }
    #expect(Injector["isolation.fresh"][Shopper.self]?.id == nil)
    #expect(Injector["isolation.created"][Shopper.self]?.id == nil)
  }

  @Test("The default injector is copied too")
  func theDefault() throws {
    try withIsolatedInjectors {
      try Injector.default.register(injectable: .singleton(FakePayments("of the default")))
      #expect(try Injector[.default].get(FakePayments.self).name == "of the default")
    }
    #expect(!Injector.default.isRegistered(FakePayments.self))
  }

  @Test("A property from outside reads the copy inside the test, and its own instance again afterwards")
  func wrappers() throws {
    struct Screen {
      @Injected var payments: any Payments
      @Injected(\.basket) var basket

      init(_ injector: Injector) {
        _payments = Injected(injector: injector)
        _basket = Injected(\.basket, injector: injector)
      }
    }
    let injector = try Injector.shop()
    let (read, unread) = (Screen(injector), Screen(injector))
    #expect(read.payments.name == "live")
    let basket = read.basket
    try withIsolatedInjectors {
      try injector.override(as: (any Payments).self, injectable: .singleton(FakePayments()))
      #expect([read.payments.name, unread.payments.name] == ["fake", "fake"])
      #expect(read.basket !== basket)
      #expect(read.basket === unread.basket)
    }
    #expect([read.payments.name, unread.payments.name] == ["live", "live"])
    #expect(read.basket === basket)
  }

  @Test("A property with @Registered registers its service in the copy")
  func registeredProperties() throws {
    struct Configuration {
      @Registered var shopper: Injection<Shopper>

      init(_ injector: Injector) {
        _shopper = Registered(wrappedValue: .singleton(Shopper("bo")), inInjector: injector)
      }
    }
    let injector = Injector()
    try withIsolatedInjectors {
      let configuration = Configuration(injector)
      let id = try injector.get(Shopper.self).id
      #expect(id == "bo")
      withExtendedLifetime(configuration) {}
    }
    #expect(!injector.isRegistered(Shopper.self))
  }

  @Test("A provider gives the instances of the copy, with or without an override", arguments: [false, true])
  func providers(isSealed: Bool) throws {
    let injector = try Injector.shop(isSealed: isSealed)
    let outside = injector.basket()
    try withIsolatedInjectors {
      let inside = injector.basket()
      #expect(inside !== outside)
      try injector.basket.override(.singleton(Basket(payments: FakePayments("of the provider"))))
      #expect(injector.basket().payments.name == "of the provider")
      try injector.basket.reset()
      #expect(injector.basket().payments.name == "live")
    }
    #expect(injector.basket() === outside)
  }

  @Test("Values that a test sets for properties and features stay inside the test", arguments: [false, true])
  func typedKeys(isSealed: Bool) throws {
    let injector = try Injector.shop(isSealed: isSealed)
    injector[Theme.self] = "dark"
    let outside = Mutex<[String]>([])
    let observation = injector.observe(Theme.self) { theme in outside.withLock { $0.append(theme) } }
    withIsolatedInjectors {
      #expect(injector[Theme.self] == "dark")
      #expect(injector[Clock.self].now == 1)
      let inside = Mutex<[String]>([])
      let observation = injector.observe(Theme.self) { theme in inside.withLock { $0.append(theme) } }
      injector[Theme.self] = "red"
      injector[Clock.self] = Clock(now: 2)
      #expect(injector[Theme.self] == "red")
      #expect(injector[Clock.self].now == 2)
      #expect(inside.withLock { $0 } == ["red"])
      injector.reset(Theme.self)
      injector.reset(Clock.self)
      #expect(injector[Theme.self] == "light")
      #expect(injector[Clock.self].now == 1)
      observation.cancel()
    }
    #expect(injector[Theme.self] == "dark")
    #expect(injector[Clock.self].now == 1)
    #expect(outside.withLock { $0 }.isEmpty)
    observation.cancel()
  }

  @Test("Scopes from outside are copied with their parents, and scopes from inside have copies as parents")
  func scopes() throws {
    let injector = try Injector.shop()
    try injector.register(injectable: .scoped { Shopper("scoped") })
    let scope = try injector.makeScope("request") { scope in
      try scope.register(injectable: .singleton(FakePayments("of the scope")))
    }
    try withIsolatedInjectors {
      try injector.override(as: (any Payments).self, injectable: .singleton(FakePayments()))
      let own = scope.makeScope("inner")
      #expect([scope.paymentsName, own.paymentsName] == ["fake", "fake"])
      #expect(try own.get(FakePayments.self).name == "of the scope")
      #expect(own.description == "Injector(\"request/inner\")")
      scope.closeNow()
      #expect(scope.isClosed)
    }
    #expect(!scope.isClosed)
    #expect(scope.paymentsName == "live")
  }

  @Test("A test's instances are closed in reverse order when the test ends; the program's are not")
  func closing() throws {
    let closed = Mutex<[String]>([])
    let injector = Injector()
    try injector.register(
      injectable: .lazySingleton { FakePayments("payments") }.onClose { it in closed.withLock { $0.append(it.name) } })
    try injector.register(
      injectable: .lazySingleton { injector in Shopper(try injector.get(FakePayments.self).name + " shopper") }
        .onClose { it in closed.withLock { $0.append(it.id) } })
    _ = try injector.get(FakePayments.self)
    try withIsolatedInjectors {
      _ = try injector.get(Shopper.self)
      #expect(closed.withLock { $0 }.isEmpty)
    }
    #expect(closed.withLock { $0 } == ["payments shopper", "payments"])
  }

  @Test("Instances that close at the end of a test still see the test's overrides")
  func closingInside() throws {
    let seen = Mutex<[String]>([])
    let (injector, other) = (Injector(), try Injector.shop())
    try injector.register(
      injectable: .lazySingleton { Shopper() }.onClose { _ in
        seen.withLock { $0.append(other.paymentsName ?? "none") }
      })
    try withIsolatedInjectors {
      try other.override(as: (any Payments).self, injectable: .singleton(FakePayments()))
      _ = try injector.get(Shopper.self)
    }
    #expect(seen.withLock { $0 } == ["fake"])
  }

  @Test("Any number of services that a test unregisters stay away while the program registers others")
  func manyRemoved() throws {
    let (injector, count) = (Injector(), 1_100)
    let tags = (0..<count).map { Injector.Tag(rawValue: "\($0)") }
    for (number, tag) in tags.enumerated() { try injector.register(tag: tag, injectable: .singleton(number)) }
    try withIsolatedInjectors {
      for tag in tags { try injector.unregister(Int.self, tag: tag) }
      _ = inParallel({ try? injector.register(injectable: .singleton("late")) })
      #expect(tags.filter { injector.isRegistered(Int.self, tag: $0) } == [])
      #expect(try injector.get(String.self) == "late")
    }
    #expect(try injector.get(Int.self, tag: tags[1_050]) == 1_050)
  }
}
