import Plug
import Shop
import Store

package enum AppModule: InjectorModule {
  package static let requires: [any InjectorModule.Type] = [StoreModule.self, ShopModule.self]

  package static func register(in injector: Injector) throws {
    try injector.register(wiring: Session.init)
  }
}
