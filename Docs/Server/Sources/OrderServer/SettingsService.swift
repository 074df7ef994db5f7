package import Configuration
package import Plug
import PlugConfiguration
import ServiceLifecycle

/// Lets rules read the new settings whenever a configuration is reloaded.
package struct SettingsService: Service {
  private let injector: Injector
  private let configuration: ConfigReader

  package init(injector: Injector, configuration: ConfigReader) {
    (self.injector, self.configuration) = (injector, configuration)
  }

  package func run() async throws {
    try await cancelWhenGracefulShutdown { try await injector.followSettings(of: configuration) }
  }
}
