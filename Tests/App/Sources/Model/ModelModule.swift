import Plug

nonisolated extension Injector.Name {
  /// The app's services.
  package static let shop: Self = "shop"
}

/// Declares who is logged in, which each session says itself.
package enum ModelModule: InjectorModule {
  package static func register(in injector: Injector) throws {
    try injector.register(Shopper.self, .providedByScope)
  }
}
