import Model
import Observation
import Plug
import PlugKeys

/// The list of goods for sale.
@Observable
package final class CatalogueModel {
  package private(set) var products: [Product] = []
  package private(set) var failure: String?
  @ObservationIgnored @Injected(.shop) var catalogue: any Catalogue
  @ObservationIgnored @Injected(.shop) var navigation: any Navigation

  package var currency: String {
    get { Injector[.shop][Currency.self] }
    set { Injector[.shop][Currency.self] = newValue }
  }

  package init() {}

  package func refresh() async {
    do {
      products = try await catalogue.products()
      failure = nil
    } catch {
      failure = "\(error)"
    }
  }

  package func select(_ product: Product) { navigation.show(product.id) }
}
