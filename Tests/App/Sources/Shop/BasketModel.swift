import Model
import Observation

/// What the shopper who is logged in wants to buy.
@Observable
package final class BasketModel {
  package private(set) var total = 0
  private let basket: any Basket
  private let prices: any PriceList

  init(basket: any Basket, prices: any PriceList) {
    self.basket = basket
    self.prices = prices
  }

  package func refresh() async throws {
    total = try await basket.products().map(prices.cents(for:)).reduce(0, +)
  }
}
