import Plug
import PlugIsolation
import Testing

private protocol Prices: Sendable {
  var price: Int { get }
}

private struct FixedPrices: Prices {
  let price: Int
  init(_ price: Int) { self.price = price }
}

private enum Shop {
  static let services = Injector { services in
    try services.register((any Prices).self) { FixedPrices(10) }
  }
}

private struct CheckoutModel {
  @Injected(injector: Shop.services) private var prices: any Prices
  var price: Int { prices.price }
}

@Suite("The page of PlugIsolation")
struct PlugIsolationGuideTests {
  @Test("A preview shows other prices than the program")
  func preview() throws {
    let model = try Injector.preview {
      try Shop.services.register((any Prices).self) { FixedPrices(3) }
      return CheckoutModel()
    }
    #expect([model.price, CheckoutModel().price] == [3, 10])
  }
}
