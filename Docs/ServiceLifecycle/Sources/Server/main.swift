import Logging
import Plug
import ServiceLifecycle

let services = Injector("server")
try services.register(
  injectable: .lazySingleton { try await Database.connect(to: "db.example") }
    .onClose { database in await database.disconnect() })
try services.seal()

let group = ServiceGroup(
  configuration: ServiceGroupConfiguration(
    services: [
      .init(service: InjectorService(injector: services)),
      .init(service: Worker(injector: services)),
      // In a real server a signal does this: gracefulShutdownSignals: [.sigterm].
      .init(service: Interruption(), successTerminationBehavior: .gracefullyShutdownGroup),
    ],
    logger: Logger(label: "server", factory: { _ in SwiftLogNoOpLogHandler() })))
try await group.run()
