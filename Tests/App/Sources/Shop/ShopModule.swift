import Model
import Plug

package enum ShopModule: InjectorModule {
  package static let requires: [any InjectorModule.Type] = [
    ModelModule.self
  ]

  package static func register(in injector: Injector) throws {
    try injector.register(
      injectable: .lazySingleton(wiring: CatalogueModel.init))
    try injector.register(injectable: .scoped(wiring: BasketModel.init))
    try injector.register(
      as: (any Navigation).self,
      injectable: .lazySingleton { @MainActor in Navigator(limit: 50) }
        .dependsOnNothing)
  }
}
