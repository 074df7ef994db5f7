import Model
import Plug

package enum StoreModule: InjectorModule {
  package static let requires: [any InjectorModule.Type] = [
    ModelModule.self
  ]

  package static func register(in injector: Injector) throws {
    try injector.register(
      as: (any Network).self,
      injectable: .lazySingleton(wiring: HTTPNetwork.init))
    try injector.register(
      as: (any Catalogue).self,
      injectable: .lazySingleton(wiring: ServerCatalogue.init))
    try injector.register(
      injectable: .lazySingleton { try await Database.open() }
        .onClose { await $0.close() }
        .dependsOnNothing)
    try injector.register(
      as: (any Basket).self, injectable: .scoped(wiring: SavedBasket.init))
    try injector.register(
      PluginPoint<any PriceList, Shopper>("prices") {
        Candidate("member", .lazySingleton(wiring: MemberPrices.init))
          .when(.isMember)
        Candidate("list", .lazySingleton(wiring: ListPrices.init))
      })
  }
}
