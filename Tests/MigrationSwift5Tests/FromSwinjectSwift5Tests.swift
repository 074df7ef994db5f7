import Plug
import XCTest

// Plain classes and protocols, as they stand in a project that uses Swinject.

private protocol Payments {
  var name: String { get }
}

private class CardPayments: Payments {
  var name = "card"
}

private class Checkout {
  var payments: Payments
  init(payments: Payments) { self.payments = payments }
}

private class Shop {
  var counter: Counter
  init(counter: Counter) { self.counter = counter }
}

private class Counter {
  weak var shop: Shop?
}

final class FromSwinjectSwift5Tests: XCTestCase {
  func testPlainClassesAreRegisteredAsTheyStand() throws {
    let injector = Injector()
    try injector.register(as: Payments.self, injectable: .graph { CardPayments() })
    try injector.register(injectable: .graph { try Checkout(payments: $0.get()) })
    XCTAssertEqual(try injector.get(Checkout.self).payments.name, "card")
  }

  func testReferencesInACircleAreSetAfterwards() throws {
    let injector = Injector()
    try injector.register(injectable: .lazySingleton { try Shop(counter: $0.get()) })
    try injector.register(
      injectable: .lazySingleton { Counter() }.configure { counter, injector in
        counter.shop = try injector.get(Shop.self)
      })
    let shop = try injector.get(Shop.self)
    XCTAssertTrue(shop.counter.shop === shop)
  }
}
