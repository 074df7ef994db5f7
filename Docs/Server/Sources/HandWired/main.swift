import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Shop
import Web

let environment = ProcessInfo.processInfo.environment
var logger = Logger(label: "orders")
if let level = environment["LOG_LEVEL"].flatMap(Logger.Level.init(rawValue:)) { logger.logLevel = level }

let services = Services()
let application = Application(
  router: makeRouter(services: services),
  configuration: ApplicationConfiguration(
    address: .hostname(environment["HOST"] ?? "127.0.0.1", port: environment["PORT"].flatMap(Int.init) ?? 8080)),
  services: [DatabaseService(services: services, path: environment["DATABASE"] ?? "orders.sqlite")],
  logger: logger)
let group = ServiceGroup(
  services: [application, DrainService(services: services)], gracefulShutdownSignals: [.sigterm, .sigint],
  logger: logger)
try await group.run()
