import Observation
import Plug
import PlugTesting
import Synchronization
import Testing

private protocol Networking: Sendable { var host: String { get } }
private struct HTTPNetworking: Networking { let host = "shop.example" }

private protocol Cache: Sendable {}
private struct DiskCache: Cache { let network: any Networking }

private protocol Database: Sendable {}
private struct NoReplica: Error {}
private struct Replica: Database {
  init(isReachable: Bool = true) throws {
    if !isReachable { throw NoReplica() }
  }
}

private final class Repository: Sendable {
  let network: any Networking

  init(network: any Networking) {
    self.network = network
  }
}

private protocol LogSink: Sendable { var name: String { get } }
private struct Console: LogSink { let name = "console" }

private struct Rates: Sendable {}
private struct Tariff: Sendable { let rates: Rates? }

private protocol Analytics: Sendable {}

nonisolated extension Injector.Name { fileprivate static let services: Self = "my-app" }

private struct ViewModel {
  @Injected(.services) var network: any Networking
  @Injected(.services) var analytics: (any Analytics)?
}

private final class Downloader: Sendable {
  let network = Injected<any Networking>(.services)

  var host: String { network.wrappedValue.host }
}

@MainActor
private final class MainActorPage {
  @Injected(.services) var network: any Networking
}

private actor Worker {
  @Injected(.services) var network: any Networking
  var host: String { network.host }
}

private enum Observed {
  @MainActor @Observable
  final class ViewModel {
    @ObservationIgnored @Injected(.services) var network: any Networking
    var title = ""
  }
}

private final class Coordinator: Sendable {
  private let current = Mutex<Screen?>(nil)

  var screen: Screen? {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}

private final class Screen: Sendable {
  let coordinator: Coordinator

  init(coordinator: Coordinator) {
    self.coordinator = coordinator
  }
}

private struct Search: Sendable { let network: any Networking }

private enum NetworkModule: InjectorModule {
  static func register(in injector: Injector) throws {
    try injector.register((any Networking).self) { HTTPNetworking() }
  }
}

private enum PaymentModule: InjectorModule {
  static func register(in injector: Injector) throws {}
}

@Suite("The guide Getting started", .isolated)
struct GettingStartedGuideTests {
  private func makeServices() throws -> Injector {
    let services = Injector(.services)
    try services.register((any Networking).self) { HTTPNetworking() }
    return services
  }

  @Test("A client is registered once, and got wherever it is needed")
  func opening() throws {
    let services = Injector("my-app") { services in
      try services.register((any Networking).self) { HTTPNetworking() }
      try services.register(wiring: Repository.init)
    }

    let network = try services.get((any Networking).self)
    #expect(network.host == "shop.example")
  }

  @Test("Initializers, tags and the short form register services")
  func registering() throws {
    let services = try makeServices()
    try services.register(
      (any Cache).self, .lazySingleton(wiring: DiskCache.init))
    try services.register(
      (any Database).self, tag: "replica",
      .factory { try Replica() })
    try services.register { try Repository(network: $0.get()) }
    #expect(try (services.get((any Cache).self) as? DiskCache)?.network.host == "shop.example")
    #expect(try services.get((any Database).self, tag: "replica") is Replica)
    #expect(try services.get(Repository.self) === services.get(Repository.self))
  }

  @Test("A get throws, resolve traps, and the subscript is nil")
  func getting() throws {
    let services = try makeServices()
    try services.register((any Cache).self, .lazySingleton(wiring: DiskCache.init))
    // Throws InjectorError:
    let network = try services.get((any Networking).self)
    // Traps with a diagnostic:
    let cache: any Cache = services.resolve()
    // Is nil if nothing is registered:
    let database = services[(any Database).self]
    #expect(network.host == "shop.example" && cache is DiskCache && database == nil)
  }

  @Test("An optional is nil and a collection is empty if the service is absent")
  func absence() throws {
    let services = Injector()
    func find() throws -> ((any Cache)?, [any LogSink]) {
      let cache: (any Cache)? = try services.get()  // nil if it is absent
      let sinks = try services.get([any LogSink].self)  // [] if it is absent
      return (cache, sinks)
    }
    var (cache, sinks) = try find()
    #expect(cache == nil && sinks.isEmpty)
    try services.register((any Networking).self) { HTTPNetworking() }
    try services.register((any Cache).self, .lazySingleton(wiring: DiskCache.init))
    try services.register((any LogSink).self) { Console() }
    (cache, sinks) = try find()
    #expect(cache is DiskCache && sinks.map(\.name) == ["console"])
  }

  @Test("An inferred optional passes nil, and a named type requires the service")
  func inference() throws {
    let inferring = Injector()
    try inferring.register { Tariff(rates: try $0.get()) }
    #expect(try inferring.get(Tariff.self).rates == nil)

    let services = Injector()
    try services.register { try Tariff(rates: $0.get(Rates.self)) }
    let error = #expect(throws: InjectorError.self) { try services.get(Tariff.self) }
    #expect(error?.facts.service == "Rates" && error?.facts.chain == ["Tariff", "Rates"])
  }

  @Test("A property gets its service when it is read, or nil")
  func properties() throws {
    let model = ViewModel()
    let services = try makeServices()
    #expect(model.network.host == "shop.example" && model.analytics == nil)
    withExtendedLifetime(services) {}
  }

  @Test("Isolated classes have injected properties, and other Sendable classes a constant with the wrapper")
  @MainActor
  func sendableClasses() async throws {
    let services = try makeServices()
    let (page, worker): (any Sendable, any Sendable) = (MainActorPage(), Worker())
    #expect((page as? MainActorPage)?.network.host == "shop.example")
    #expect(await (worker as? Worker)?.host == "shop.example" && Downloader().host == "shop.example")
    withExtendedLifetime(services) {}
  }

  @Test("An injected property of an observable class is excluded from observation")
  @MainActor
  func observable() throws {
    let services = try makeServices()
    let (model, log) = (Observed.ViewModel(), Log())
    withObservationTracking {
      #expect(model.network.host == "shop.example" && model.title.isEmpty)
    } onChange: {
      log.add("title")
    }
    model.title = "Home"
    #expect(log.lines == ["title"])
    withExtendedLifetime(services) {}
  }

  @Test("A configuration lets two services refer to each other")
  func configuring() throws {
    let services = Injector()
    try services.register(wiring: Screen.init)
    try services.register(
      .lazySingleton { Coordinator() }
        .configure { coordinator, injector in
          coordinator.screen = try injector.get(Screen.self)
        })
    let coordinator = try services.get(Coordinator.self)
    #expect(coordinator.screen?.coordinator === coordinator)
    coordinator.screen = nil
  }

  @Test("A module registers its services, after those of the modules that it requires")
  func modules() throws {
    let services = Injector()
    enum SearchModule: InjectorModule {
      static let requires: [any InjectorModule.Type] = [NetworkModule.self]

      static func register(in injector: Injector) throws {
        try injector.register(wiring: Search.init)
      }
    }

    try services.install(SearchModule.self, PaymentModule.self)
    #expect(try services.get(Search.self).network.host == "shop.example")
    try services.install(SearchModule.self)
    try services.validate()
  }
}

private protocol Weather: Sendable {
  func temperature(in city: String) -> Double
}

private struct WeatherStation: Weather {
  func temperature(in city: String) -> Double { 21 }
}

private struct Forecast: Sendable {
  let weather: any Weather

  func text(for city: String) -> String {
    "\(city): \(weather.temperature(in: city)) °C"
  }
}

private enum App {
  static let services = Injector("forecast") { services in
    try services.register((any Weather).self) { WeatherStation() }
    try services.register(.factory(wiring: Forecast.init))
  }
}

private struct FixedWeather: Weather {
  func temperature(in city: String) -> Double { 3 }
}

@Test(.isolated) func theForecastNamesTheCity() throws {
  try App.services.override((any Weather).self) { FixedWeather() }
  let forecast = try App.services.get(Forecast.self)
  #expect(forecast.text(for: "Oslo") == "Oslo: 3.0 °C")
}

@Test func everyServiceIsRegistered() {
  expectValid(App.services)
}
