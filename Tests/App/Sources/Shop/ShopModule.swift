import Model
import Observation
import Plug

/// Where the user is, as the stack of the app's pages shows it.
@Observable
final class Navigator: Navigation {
  private(set) var path: [Product.ID] = []

  func show(_ product: Product.ID) { path.append(product) }
}

package enum ShopModule: InjectorModule {
  package static let requires: [any InjectorModule.Type] = [ModelModule.self]

  package static func register(in injector: Injector) throws {
    try injector.register(as: (any Navigation).self, injectable: .lazySingleton(wiring: Navigator.init))
    try injector.register(injectable: .lazySingleton(wiring: CatalogueModel.init))
    try injector.register(injectable: .scoped(wiring: BasketModel.init))
  }
}
