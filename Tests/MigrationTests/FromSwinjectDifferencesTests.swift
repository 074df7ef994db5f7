import Plug
import PlugKeys
import PlugOperations
import Testing

private protocol Payments: Sendable { var name: String { get } }
private final class CardPayments: Payments { let name = "card" }
private final class GiftPayments: Payments { let name = "gift" }

private final class Basket: Sendable {}
private final class Cart: Sendable {}
private final class Catalogue: Sendable {}

private struct Checkout: Sendable { let payments: any Payments }
private struct Receipts: Sendable { let payments: any Payments }
private struct Receipt: Sendable { let text: String }

private struct Order: Sendable {
  let basket: Basket
  @Injected(.store) var later: Basket  // Not the same as basket.
}

private struct Shelf: Sendable {
  @Injected(.store) var kept: Cart
  @Injected(.store) var payments: (any Payments)?
  var cart: Cart { Injector[.store].resolve() }
}

private enum PaymentsModule: InjectorModule {
  static func register(in injector: Injector) throws {
    try injector.register((any Payments).self, .lazySingleton { CardPayments() })
  }
}

private enum ShopModule: InjectorModule {
  static let requires: [any InjectorModule.Type] = [PaymentsModule.self]

  static func register(in injector: Injector) throws {
    try injector.register(.factory(wiring: Checkout.init))
  }
}

nonisolated extension Injector.Name {
  fileprivate static let store: Self = "store on the corner"
}

extension InjectorError {
  fileprivate var headline: String { String(description.prefix { $0 != "\n" }) }
}

@Suite("What differs from Swinject", .serialized)
struct FromSwinjectDifferencesTests {
  private let store = Injector(.store)

  @Test("an assembly is a module, which is installed once with those it requires, and assembling ends with seal()")
  func assemblies() throws {
    try store.install(PaymentsModule.self, ShopModule.self)
    try store.install(ShopModule.self)
    try store.seal()
    #expect(try store.get(Checkout.self).payments.name == "card")
    let error = #expect(throws: InjectorError.self) { try store.register { Catalogue() } }
    #expect(error?.headline == "The registrations of Catalogue cannot change: the injector is sealed.")
  }

  @Test("an assembler with a parent is a scope in which a module is installed")
  func childAssembler() throws {
    try store.install(PaymentsModule.self)
    let shop = try store.makeScope("shop") { try $0.install(ShopModule.self) }
    #expect(try shop.get(Checkout.self).payments.name == "card")
    #expect(!store.isRegistered(Checkout.self))
  }

  @Test("Lazy is got at the first read, and Provider at each")
  func laterAndAgain() throws {
    try store.register(.factory { Cart() })
    let shelf = Shelf()
    #expect(shelf.kept === shelf.kept && shelf.cart !== shelf.cart)
  }

  @Test("a later get is a request of its own, with a graph of its own")
  func graphs() throws {
    try store.register(.graph { Basket() })
    try store.register(.factory { Order(basket: try $0.get()) })
    let order = try store.get(Order.self)
    #expect(order.later === order.later && order.later !== order.basket)
  }

  @Test("an optional type is a subscript, or a property that is nil while nothing is registered")
  func optionals() throws {
    let shelf = Shelf()
    #expect(store[(any Payments).self] == nil && shelf.payments == nil)
    try store.register((any Payments).self, .graph { CardPayments() })
    #expect(store[(any Payments).self]?.name == "card" && shelf.payments?.name == "card")
  }

  private func launch(_ injector: Injector) throws {
    try injector.register(.graph(wiring: Checkout.init))
    try injector.validate()
  }

  @Test("validation finds what an initializer needs, and makes nothing")
  func validating() throws {
    let line = #line - 6
    let error = #expect(throws: InjectorError.self) { try launch(store) }
    #expect(
      error?.description == """
        Injector "store on the corner" is not valid: 1 problem in 1 service.
        1. Payments is not registered, but is needed by Checkout.
           at \(#fileID):\(line)
           Register it, or remove the services that need it.
        """)
  }

  @Test("a child container is a scope: what the parent keeps is made from what the parent has")
  func children() throws {
    let injector = Injector()
    try injector.register((any Payments).self, .lazySingleton { CardPayments() })
    try injector.register(.factory(wiring: Checkout.init))
    try injector.register(wiring: Receipts.init)
    let child = injector.makeScope("child")
    try child.register(
      (any Payments).self, .lazySingleton { GiftPayments() })
    #expect(try child.get(Checkout.self).payments.name == "gift")
    #expect(try child.get(Receipts.self).payments.name == "card")
    #expect(try injector.get((any Payments).self).name == "card")
  }

  @Test("the short form is a lazy singleton")
  func shortForm() throws {
    try store.register { Catalogue() }
    #expect(try store.get(Catalogue.self) === store.get(Catalogue.self))
  }

  @Test("the types of arguments are part of the key, and a wrong list is an error that prints those there are")
  func arguments() throws {
    try store.register(Receipt.self, taking: Int.self) { number, _ in Receipt(text: "number \(number)") }
    try store.register(Receipt.self, taking: String.self) { name, _ in Receipt(text: "name \(name)") }
    try store.register(.factory { Receipt(text: "none") })
    #expect(try store.get(Receipt.self, with: 42).text == "number 42")
    #expect(try store.get(Receipt.self, with: "ada").text == "name ada")
    #expect(try store.get(Receipt.self).text == "none")
    let error = #expect(throws: InjectorError.self) { try store.get(Receipt.self, with: 1.5) }
    guard case .argumentsMismatch(_, let expected, let found) = try #require(error) else { throw try #require(error) }
    #expect(Set(expected) == [[], ["Int"], ["String"]] && found == ["Double"])
  }
}
