import Plug
import PlugKeys
import PlugTesting
import Synchronization
import Testing

/// Values that live outside of an injector, as long as the program.
private enum Globals {
  static let lazy = Lazy { Basket(payments: FakePayments("lazy")) }
  static let injected = Lazy { Basket(payments: try Shop.sealed.get()) }
  static let point = PluginPoint<Basket, Shopper>("baskets") {
    Candidate("first") { Basket(payments: FakePayments("first")) }
  }

  static let eager: Injector = {
    let injector = Injector("isolation.eager")
    Shop.setUp(injector)
    _ = injector[Basket.self]
    do { try injector.register(injectable: .singleton(Shopper("late"))) } catch { fatalError("\(error)") }
    return injector
  }()
}

/// What static initializers set up in injectors that exist already.
private enum SetUp {
  static let injector = Injector("isolation.setUp")
  static let session = injector.makeScope("session") { scope in
    do { try scope.register(injectable: .singleton(Shopper("of the session"))) } catch { fatalError("\(error)") }
  }

  static let named: Injector = {
    let named = Injector["isolation.setUp.named"]
    do { try named.register(injectable: .singleton(Shopper("named"))) } catch { fatalError("\(error)") }
    named[Theme.self] = "named"
    return named
  }()

  struct Configuration {
    @Registered(in: "isolation.setUp") var payments = Injection<FakePayments>.singleton(FakePayments("registered"))
  }

  static let configuration = Configuration()
}

/// Static initializers that isolate something themselves.
private enum Isolating {
  static let injector = Injector("isolation.isolating")

  static let name = withIsolatedInjectors {
    let isRegistered = register(FakePayments("isolated"))
    injector[Theme.self] = "isolated"
    return (try? injector.get(FakePayments.self).name, isRegistered && inner)
  }

  static let inner = register(Shopper("inner"))

  static let carried = TestIsolation.current.run { register(Basket(payments: FakePayments())) }

  private static func register<Service: Sendable>(_ service: Service) -> Bool {
    (try? injector.register(injectable: .singleton(service))) != nil
  }
}

/// The environment of Plug's own text, which each test configures.
private enum Environment {
  nonisolated(unsafe) static var services = Injector()
}

private enum Configurator {
  static func configure(services: Injector, _ number: Int) {
    _ = try? services.register(injectable: .singleton(Shopper("\(number)")))
  }
}

/// Calls a function with many calls on the stack.
private func deeply(_ levels: Int, _ body: () -> Void) {
  if levels > 0 { deeply(levels - 1, body) } else { body() }
  withExtendedLifetime(levels) {}
}

private enum Deep {
  static let injector: Injector = {
    let injector = Injector()
    Shop.setUp(injector)
    return injector
  }()
}

@Suite("Isolation of globals")
struct GlobalsTests {
  @Test("A lazy value is made anew in each isolation, and is not visible outside")
  func lazies() throws {
    let inside = try withIsolatedInjectors {
      try Shop.sealed.override(as: (any Payments).self, injectable: .singleton(FakePayments()))
      let made = Globals.lazy.instance
      #expect(Globals.lazy.instance === made)
      #expect(Globals.lazy.isMade)
      #expect(Globals.injected.instance.payments.name == "fake")
      return made
    }
    #expect(!Globals.injected.isMade)
    #expect(Globals.lazy.instance !== inside)
    #expect(Globals.injected.instance.payments.name == "live")
    #expect(withIsolatedInjectors { Globals.injected.isMade } == false)
  }

  @Test("A point that is used without an injector makes new instances in each isolation")
  func points() throws {
    let outside = try Globals.point.get(in: Shopper())
    let inside = try withIsolatedInjectors {
      let made = try Globals.point.get(in: Shopper())
      #expect(Globals.point.first(in: Shopper()) === made)
      #expect(Globals.point.plugins(in: Shopper()).map { $0 === made } == [true])
      return made
    }
    #expect(inside !== outside)
    #expect(try Globals.point.get(in: Shopper()) === outside)
  }

  @Test("A static let that an isolated test reaches first is set up for the whole program")
  func staticLets() throws {
    let inside = try withIsolatedInjectors {
      try Globals.eager.override(as: (any Payments).self, injectable: .singleton(FakePayments()))
      try Globals.eager.register(injectable: .singleton(FakePayments("of the test")))
      Globals.eager[Theme.self] = "dark"
      return try Globals.eager.get(Basket.self)
    }
    #expect(inside.payments.name == "fake")
    #expect(try Globals.eager.get(Basket.self).payments.name == "live")
    #expect(try Globals.eager.get(Shopper.self).id == "late")
    #expect(!Globals.eager.isRegistered(FakePayments.self))
    #expect(Globals.eager[Theme.self] == "light")
    #expect(Injector["isolation.eager"].isRegistered(Shopper.self))
  }

  @Test("A static let that sets up existing injectors does so for the whole program")
  func setUps() throws {
    let inside = try withIsolatedInjectors {
      _ = SetUp.session
      _ = SetUp.configuration
      return [
        try SetUp.session.get(Shopper.self).id, try SetUp.named.get(Shopper.self).id,
        try SetUp.injector.get(FakePayments.self).name,
      ]
    }
    #expect(inside == ["of the session", "named", "registered"])
    #expect(try SetUp.session.get(Shopper.self).id == "of the session")
    #expect(try Injector["isolation.setUp.named"].get(Shopper.self).id == "named")
    #expect(SetUp.named[Theme.self] == "named")
    #expect(try SetUp.session.get(FakePayments.self).name == "registered")
  }

  @Test(
    "A static var that each test fills is isolated, even in the first test to reach it", .isolated, arguments: 0..<16)
  func configured(number: Int) throws {
    #expect(!Environment.services.isRegistered(Shopper.self))
    Configurator.configure(services: Environment.services, number)
    #expect(try Environment.services.get(Shopper.self).id == "\(number)")
  }

  @Test("Isolated work in a static let stays isolated, even if an isolated test reaches the static let first")
  func isolatingInitializers() throws {
    let seen = try withIsolatedInjectors {
      let (name, isRegistered) = Isolating.name
      return [name, "\(isRegistered)", try Isolating.injector.get(Shopper.self).id]
    }
    #expect(seen == ["isolated", "true", "inner"])
    #expect(!Isolating.injector.isRegistered(FakePayments.self))
    #expect(Isolating.injector[Theme.self] == "light")
    #expect(try Isolating.injector.get(Shopper.self).id == "inner")
    #expect(withIsolatedInjectors { Isolating.carried })
    #expect(Isolating.injector.isRegistered(Basket.self))
  }

  @Test("A static let is set up for the whole program even if a test reaches it from a deep call stack")
  func deep() throws {
    withIsolatedInjectors { deeply(1000) { _ = Deep.injector.isSealed } }
    #expect(Deep.injector.paymentsName == "live")
  }

  @Test("An injector that a test creates is freed with its instances when the test releases it")
  func ownInjectors() throws {
    try withIsolatedInjectors {
      weak var basket: Basket?
      var injector: Injector? = try Injector.shop()
      basket = try injector?.get(Basket.self)
      #expect(basket != nil)
      injector = nil
      #expect(basket == nil)
    }
  }

  @Test("A property and a lazy value that a test creates release their instances when they end")
  func released() throws {
    struct Screen {
      @Injected var basket: Basket

      init(_ injector: Injector) {
        _basket = Injected(injector: injector)
      }
    }
    try withIsolatedInjectors {
      let injector = Injector()
      try injector.register(injectable: .weakSingleton { Basket(payments: LivePayments()) })
      weak var basket: Basket?
      do {
        let screen = Screen(injector)
        basket = screen.basket
        #expect(basket != nil)
      }
      #expect(basket == nil)
      do {
        let lazy = Lazy { Basket(payments: LivePayments()) }
        basket = lazy.instance
        #expect(basket != nil)
      }
      #expect(basket == nil)
    }
  }

  @Test("Assignments and mocks of registries stay inside the test")
  func registries() throws {
    #expect(!ShopRegistry.isAssigned)
    try withIsolatedInjectors {
      #expect(ShopRegistry.shared.name == "mock")
      #expect(Registries.vendedMocks == ["ShopRegistry"])
      #expect(ShopRegistry.assignDesiredImplementation(to: ShopRegistry("assigned")))
      #expect(ShopRegistry.shared.name == "assigned")
      withIsolatedInjectors {
        #expect(ShopRegistry.isAssigned)
        #expect(ShopRegistry.shared.name == "assigned")
        #expect(ShopRegistry.assignDesiredImplementation(to: ShopRegistry("inner")))
        Registries.onRefusal = { _ in }
        #expect(!ShopRegistry.assignDesiredImplementation(to: ShopRegistry("another")))
        #expect(ShopRegistry.shared.name == "inner")
      }
      #expect(ShopRegistry.shared.name == "assigned")
      try ShopRegistry.reset()
      #expect(ShopRegistry.shared.name == "mock")
    }
    #expect(!ShopRegistry.isAssigned)
    #expect(!Registries.vendedMocks.contains("ShopRegistry"))
    #expect(throws: InjectorError.self) { try ShopRegistry.reset() }
  }
}

/// An injector that an isolated test changes by its name.
private enum Late {
  static let services: Injector = {
    let injector = Injector("isolation.late")
    Shop.setUp(injector)
    do { try injector.seal() } catch { fatalError("\(error)") }
    return injector
  }()
}

@Suite(
  "Overrides by the name of an injector that a test's preparation reaches first",
  .isolated { injectors in
    _ = Late.services
    let injector = injectors["isolation.late"]
    try injector.override(as: (any Payments).self, injectable: .singleton(FakePayments("by name")))
    injector[Theme.self] = "by name"
  })
struct LateGlobalsTests {
  @Test("A change by name also applies to the injector in the static let", .isolated, arguments: 0..<8)
  func late(number: Int) throws {
    let seen = Mutex<[String]>([])
    let observation = Injector["isolation.late"].observe(Theme.self) { theme in seen.withLock { $0.append(theme) } }
    try Injector["isolation.late"].override(as: FakePayments.self, injectable: .singleton(FakePayments("inside")))
    #expect(try Late.services.get(Basket.self).payments.name == "by name")
    #expect(Late.services[Theme.self] == "by name")
    #expect(try Injector["isolation.late"].get(FakePayments.self).name == "inside")
    #expect(try Late.services.get(FakePayments.self).name == "inside")
    Late.services[Theme.self] = "changed"
    #expect(seen.withLock { $0 } == ["changed"])
    observation.cancel()
  }
}
