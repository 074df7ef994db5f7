import Logging
import Plug
import ServiceLifecycle

let services = Injector("server")
try services.register(
  injectable: .lazySingleton { try await Database.connect(to: "db.example") }
    .onClose { database in await database.disconnect() })
try services.seal()

let logger = Logger(label: "server", factory: { _ in SwiftLogNoOpLogHandler() })
let servers = ServiceGroup(services: [WebServer(injector: services)], logger: logger)
let group = ServiceGroup(
  services: [InjectorService(injector: services, service: servers)],
  gracefulShutdownSignals: [.sigterm],
  logger: logger)
try await group.run()
