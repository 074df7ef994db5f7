import Foundation
import Logging
import OrderServer
import Plug

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
try services.seal()
try await OrderServer(services: services, configuration: configuration, logger: logger).run()
