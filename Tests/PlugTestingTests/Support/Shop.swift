import Plug
import PlugKeys
import Synchronization

protocol Payments: Sendable {
  var name: String { get }
}

struct LivePayments: Payments {
  let name = "live"
}

struct FakePayments: Payments {
  let name: String

  init(_ name: String = "fake") {
    self.name = name
  }
}

/// Has an identity, and keeps the values that it was made with.
final class Basket: Sendable {
  let payments: any Payments

  init(payments: any Payments) {
    self.payments = payments
  }
}

struct Shopper: FeatureContext {
  let id: String
  let enabledFeatures: Set<String>

  init(_ id: String = "ada", features: Set<String> = []) {
    self.id = id
    enabledFeatures = features
  }
}

protocol Search: Sendable {
  var name: String { get }
}

struct NamedSearch: Search {
  let name: String
}

enum Theme: Property {
  static var defaultValue: String { "light" }
}

struct Clock: Feature {
  let now: Int

  static func load(in injector: Injector) -> Clock { Clock(now: 1) }
}

extension Injector {
  var basket: Provider<Basket> {
    provide(.lazySingleton { Basket(payments: try $0.get()) })
  }
}

extension Injector.Name {
  static let shop: Self = "isolation.shop"
}

final class ShopRegistry: Registry {
  let name: String

  init(_ name: String) {
    self.name = name
  }

  static func createMockShared() -> ShopRegistry { ShopRegistry("mock") }
}

/// The injectors of a program, as `static let`s that a test may be the first to reach.
enum Shop {
  static let sealed: Injector = {
    let injector = Injector()
    Shop.setUp(injector)
    do { try injector.seal() } catch { fatalError("\(error)") }
    return injector
  }()

  static let open: Injector = {
    let injector = Injector(.shop)
    Shop.setUp(injector)
    injector[Theme.self] = "dark"
    return injector
  }()

  static func setUp(_ injector: Injector) {
    do {
      try injector.register(as: (any Payments).self, injectable: .lazySingleton { LivePayments() })
      try injector.register { Basket(payments: try $0.get()) }
      try injector.register(
        PluginPoint<any Search, Shopper>("search") {
          Candidate("semantic") { NamedSearch(name: "semantic") }.when(.feature("semantic"))
          PluginPoint("beta", when: .feature("beta")) {
            Candidate("voice", priority: 10) { NamedSearch(name: "voice") }
          }
          Candidate("catalogue") { NamedSearch(name: "catalogue") }
        })
    } catch {
      fatalError("\(error)")
    }
  }
}

extension Injector {
  /// An injector of which no other test knows.
  static func shop(isSealed: Bool = false) throws -> Injector {
    let injector = Injector()
    Shop.setUp(injector)
    if isSealed { try injector.seal() }
    return injector
  }

  var paymentsName: String? { self[(any Payments).self]?.name }

  func searchName(_ shopper: Shopper) throws -> String { try get((any Search).self, in: shopper).name }
}
