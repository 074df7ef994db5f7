package import Hummingbird
package import Logging
package import Plug
import PlugHummingbird
import PlugKeys
import PlugOperations
import PlugServiceLifecycle
package import ServiceLifecycle
package import Web

/// The server: an injector with the shop, and the routes that use it.
package struct OrderServer: Sendable {
  package struct Configuration: Sendable {
    package var host = "127.0.0.1"
    package var port = 8080
    package var database = "orders.sqlite"

    /// The token with which operators see the report and switch candidates; if it is `nil`, nobody can.
    package var token: String?

    /// Whether each selection is logged and counted.
    package var logsSelections = false

    /// How long the server continues after `/health` reports that it will stop.
    package var drain = Duration.zero

    /// How long requests may take after that, until they are cancelled.
    package var patience = Duration.seconds(20)

    package init() {}
  }

  package let services: Injector
  private let configuration: Configuration
  private let companions: [any Service]
  private let logger: Logger

  /// - Parameters:
  ///   - services: A sealed injector in which the shop is registered.
  ///   - companions: Services that run as long as the server.
  package init(
    services: Injector, configuration: Configuration, companions: [any Service] = [], logger: Logger
  ) {
    self.services = services
    self.configuration = configuration
    self.companions = companions
    self.logger = logger
  }

  package func makeRouter() -> Router<ShopContext> {
    let router = Router(context: ShopContext.self)
    router.add(middleware: RequestMetrics())
    router.add(middleware: ErrorAnswers())
    router.addHealth { services[Phase.self] }
    router.addReportPage()
    let shop = router.group().add(middleware: Gate { services[Phase.self] })
    shop.addProducts()
    shop.addOrders()
    shop.addExplanations()
    shop.addPromotion(of: services)
    router.group().add(middleware: Operators(token: configuration.token)).addOperating(of: services)
    return router
  }

  /// Returns a service that runs until it is shut down, all requests are answered, and everything is closed.
  ///
  /// - Parameter onServerRunning: Receives the port when the server listens.
  package func makeService(
    _ router: Router<ShopContext>, onServerRunning: @escaping @Sendable (Int?) -> Void = { _ in }
  ) -> any Service {
    let application = Application(
      router: router,
      server: .http1(scopesOf: services) { scope, request in
        try scope.set(Headers.self, to: request.headerFields)
      },
      configuration: ApplicationConfiguration(address: .hostname(configuration.host, port: configuration.port)),
      onServerRunning: { onServerRunning($0.localAddress?.port) },
      logger: logger)
    let drain = DrainService(injector: services, delay: configuration.drain)
    return InjectorService(
      injector: services, service: ServiceGroup(services: companions + [application, drain], logger: logger))
  }

  /// Runs until SIGTERM or SIGINT.
  package func run() async throws {
    var group = ServiceGroupConfiguration(
      services: [makeService(makeRouter())], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    let watching =
      (configuration.logsSelections ? services.logSelections(to: logger) : [])
      + (configuration.token == nil ? [] : [services.rememberSelections()])
    defer { for token in watching { token.cancel() } }
    group.maximumGracefulShutdownDuration = configuration.drain + configuration.patience
    try await ServiceGroup(configuration: group).run()
  }
}
