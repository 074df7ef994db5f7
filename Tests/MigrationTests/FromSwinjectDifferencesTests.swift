import Plug
import Testing

private protocol Payments: Sendable { var name: String { get } }
private final class CardPayments: Payments { let name = "card" }

private final class Basket: Sendable {}
private final class Cart: Sendable {}
private final class Catalogue: Sendable {}

private struct Receipt: Sendable { let text: String }

private struct Order: Sendable {
  let basket: Basket
  @Injected(.store) var later: Basket
}

private struct Shelf: Sendable {
  @Injected(.store) var kept: Cart
  @Injected(.store) var payments: (any Payments)?
  var cart: Cart { Injector[.store].resolve() }
}

extension Injector.Name {
  fileprivate static let store: Self = "store on the corner"
}

@Suite("What differs from Swinject", .serialized)
struct FromSwinjectDifferencesTests {
  private let store = Injector(.store)

  @Test("Lazy is got at the first read, and Provider at each")
  func laterAndAgain() throws {
    try store.register(injectable: .factory { Cart() })
    let shelf = Shelf()
    #expect(shelf.kept === shelf.kept && shelf.cart !== shelf.cart)
  }

  @Test("what is got later is a request of its own, with a graph of its own")
  func graphs() throws {
    try store.register(injectable: .graph { Basket() })
    try store.register(injectable: .factory { Order(basket: try $0.get()) })
    let order = try store.get(Order.self)
    #expect(order.later === order.later && order.later !== order.basket)
  }

  @Test("an optional type is a subscript, or a property that is nil while nothing is registered")
  func optionals() throws {
    let shelf = Shelf()
    #expect(store[(any Payments).self] == nil && shelf.payments == nil)
    try store.register(as: (any Payments).self, injectable: .graph { CardPayments() })
    #expect(store[(any Payments).self]?.name == "card" && shelf.payments?.name == "card")
  }

  @Test("the short form is a lazy singleton")
  func shortForm() throws {
    try store.register { Catalogue() }
    #expect(try store.get(Catalogue.self) === store.get(Catalogue.self))
  }

  @Test("the types of arguments are part of the key, and a wrong list is an error that prints those there are")
  func arguments() throws {
    try store.register(as: Receipt.self, taking: Int.self) { number, _ in Receipt(text: "number \(number)") }
    try store.register(as: Receipt.self, taking: String.self) { name, _ in Receipt(text: "name \(name)") }
    try store.register(injectable: .factory { Receipt(text: "none") })
    #expect(try store.get(Receipt.self, with: 42).text == "number 42")
    #expect(try store.get(Receipt.self, with: "ada").text == "name ada")
    #expect(try store.get(Receipt.self).text == "none")
    let error = #expect(throws: InjectorError.self) { try store.get(Receipt.self, with: 1.5) }
    guard case .argumentsMismatch(_, let expected, let found) = try #require(error) else { throw try #require(error) }
    #expect(Set(expected) == [[], ["Int"], ["String"]] && found == ["Double"])
  }
}
