import Model
import Plug

package enum ShopModule: InjectorModule {
  package static let requires: [any InjectorModule.Type] = [
    ModelModule.self
  ]

  package static func register(in injector: Injector) throws {
    try injector.register(wiring: CatalogueModel.init)
    try injector.register(.scoped(wiring: BasketModel.init))
    try injector.register(
      (any Navigation).self,
      .lazySingleton { @MainActor in Navigator(limit: 50) }
        .dependsOnNothing)
  }
}
