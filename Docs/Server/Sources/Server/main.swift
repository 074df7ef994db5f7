import Configuration
import Foundation
import Logging
import OrderServer
import Plug
import ServiceLifecycle

var configuration = OrderServer.Configuration()
let environment = ProcessInfo.processInfo.environment
if let host = environment["HOST"] { configuration.host = host }
if let port = environment["PORT"].flatMap(Int.init) { configuration.port = port }
if let database = environment["DATABASE"] { configuration.database = database }
configuration.token = environment["OPERATOR_TOKEN"]
configuration.logsSelections = environment["LOG_SELECTIONS"] != nil
if let seconds = environment["DRAIN"].flatMap(Int.init) { configuration.drain = .seconds(seconds) }

var logger = Logger(label: "orders")
if let level = environment["LOG_LEVEL"].flatMap(Logger.Level.init(rawValue:)) { logger.logLevel = level }

let services = Injector("orders")
try services.registerShop(databaseAt: configuration.database)
if let path = environment["FLAGS"] { try services.registerFlags(at: path, logger: logger) }
try services.seal()

var companions: [any Service] = []
if let path = environment["CONFIGURATION"] {
  let file = try await ReloadingFileProvider<JSONSnapshot>(filePath: .init(path), logger: logger)
  companions = [file, PromotionService(injector: services, configuration: ConfigReader(provider: file))]
}
let server = OrderServer(services: services, configuration: configuration, companions: companions, logger: logger)
try await server.run()
