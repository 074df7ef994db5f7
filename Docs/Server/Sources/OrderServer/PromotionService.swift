package import Configuration
package import Plug
import ServiceLifecycle
import Shop

/// Lets the promotion follow the key `promotion` of a configuration. A value that is not a stage counts as off.
package struct PromotionService: Service {
  private let injector: Injector
  private let configuration: ConfigReader

  package init(injector: Injector, configuration: ConfigReader) {
    (self.injector, self.configuration) = (injector, configuration)
  }

  package func run() async throws {
    try await cancelWhenGracefulShutdown {
      try await configuration.watchString(forKey: "promotion", as: PromotionStage.self, default: .off) { stages in
        for await stage in stages { injector[CurrentPromotion.self] = stage }
      }
    }
  }
}
