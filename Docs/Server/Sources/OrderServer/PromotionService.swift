package import Configuration
package import Plug
import ServiceLifecycle
import Shop

/// Sets the promotion whenever the key `promotion` of a configuration changes. A value that is not a stage means off.
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
