import Model
import Plug

package enum ShopApp {
  package nonisolated static let services: Injector = {
    let services = Injector(.shop)
    do {
      try services.install(AppModule.self)
      try services.seal(strict: true)
    } catch {
      fatalError("\(error)")
    }
    return services
  }()

  package static func launch() async throws {
    try await services.start(timeout: .seconds(30))
  }
}
