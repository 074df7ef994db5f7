import Model
import Observation
import Plug

/// One product, of which only the id is known when its page is opened.
@Observable
package final class ProductModel {
  package let id: Product.ID
  package private(set) var product: Product?
  private let catalogue: any Catalogue
  private let basket: any Basket
  private let prices: any PriceList

  package init(
    id: Product.ID, catalogue: any Catalogue, basket: any Basket, prices: any PriceList
  ) {
    self.id = id
    self.catalogue = catalogue
    self.basket = basket
    self.prices = prices
  }

  package var cents: Int? { product.map(prices.cents(for:)) }

  package func load() async throws { product = try await catalogue.product(id) }

  package func buy() async throws {
    guard let product else { return }
    try await basket.add(product)
  }
}

nonisolated extension Injector {
  package var page: MainActorProvider<ProductModel, Product.ID> {
    provide { id, injector in
      ProductModel(
        id: id, catalogue: try injector.get(), basket: try injector.get(),
        prices: try injector.get())
    }
  }
}
