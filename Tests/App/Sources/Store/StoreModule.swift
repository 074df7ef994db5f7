import Model
import Plug

package enum StoreModule: InjectorModule {
  package static let requires: [any InjectorModule.Type] = [
    ModelModule.self
  ]

  package static func register(in injector: Injector) throws {
    try injector.register(
      (any Network).self,
      .lazySingleton(wiring: HTTPNetwork.init))
    try injector.register(
      (any Catalogue).self,
      .lazySingleton(wiring: ServerCatalogue.init))
    try injector.register(
      .lazySingleton { try await Database.open() }
        .onClose { await $0.close() }
        .dependsOnNothing)
    try injector.register(
      (any Basket).self, .scoped(wiring: SavedBasket.init))
    try injector.register(
      PluginPoint<any PriceList, Shopper>("prices") {
        Candidate("member", .lazySingleton(wiring: MemberPrices.init))
          .when(.isMember)
        Candidate("list", .lazySingleton(wiring: ListPrices.init))
      })
  }
}
