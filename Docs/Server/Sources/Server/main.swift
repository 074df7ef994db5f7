import Configuration
import Logging
import OrderServer
import Plug
import ServiceLifecycle

let environment = EnvironmentVariablesProvider()
var logger = Logger(label: "orders")
logger.logLevel =
  ConfigReader(provider: environment).string(forKey: "log.level", as: Logger.Level.self, default: .info)

// The environment wins over the file that it names.
var file: ReloadingFileProvider<JSONSnapshot>?
if let path = ConfigReader(provider: environment).string(forKey: "configuration") {
  file = try await ReloadingFileProvider(filePath: .init(path), logger: logger)
}
let settings = ConfigReader(providers: [environment] + [file].compactMap { $0 })

var configuration = OrderServer.Configuration()
configuration.host = settings.string(forKey: "host", default: configuration.host)
configuration.port = settings.int(forKey: "port", default: configuration.port)
configuration.database = settings.string(forKey: "database", default: configuration.database)
configuration.token = settings.string(forKey: "operator.token", isSecret: true)
configuration.logsSelections = settings.string(forKey: "log.selections") != nil
configuration.drain = .seconds(settings.int(forKey: "drain", default: 0))

let services = Injector("orders")
try services.registerShop(databaseAt: configuration.database)
try services.registerSettings(of: settings)
if ["flags.file", "flags.url"].contains(where: { settings.string(forKey: $0) != nil }) {
  try services.registerFlags(configuredBy: settings, logger: logger)
}
try services.seal()

var companions: [any Service] = []
if let file {
  companions = [
    file, SettingsService(injector: services, configuration: settings),
    PromotionService(injector: services, configuration: settings),
  ]
}
let server = OrderServer(services: services, configuration: configuration, companions: companions, logger: logger)
try await server.run()
