import Plug
import PlugKeys

// A small app that does not know its tests.

protocol Weather: Sendable {
  func temperature(in city: String) async throws -> Double
}

/// Asks a server.
struct LiveWeather: Weather {
  struct Offline: Error {}

  func temperature(in city: String) async throws -> Double { throw Offline() }
}

enum Unit: Property {
  static var defaultValue: String { "°C" }
}

struct User: FeatureContext {
  static let guest = User(enabledFeatures: [])
  static let wordy = User(enabledFeatures: ["wordy"])

  let enabledFeatures: Set<String>
}

protocol Style: Sendable {
  func text(_ temperature: Double, _ unit: String) -> String
}

struct PlainStyle: Style {
  func text(_ temperature: Double, _ unit: String) -> String { "\(temperature) \(unit)" }
}

struct WordyStyle: Style {
  func text(_ temperature: Double, _ unit: String) -> String { "It has \(temperature) \(unit)." }
}

struct Forecast: Sendable {
  let weather: any Weather

  func text(for city: String, user: User) async throws -> String {
    let temperature = try await weather.temperature(in: city)
    return try App.services.get((any Style).self, in: user).text(temperature, App.services[Unit.self])
  }
}

final class Analytics: Registry {
  let report: @Sendable (String) -> Void

  init(report: @escaping @Sendable (String) -> Void) {
    self.report = report
  }

  static func createMockShared() -> Analytics { Analytics { _ in } }
}

enum App {
  static let services = Injector("weather") { services in
    try services.register((any Weather).self) { LiveWeather() }
    try services.register(wiring: Forecast.init)
    try services.register(
      PluginPoint<any Style, User>("style") {
        Candidate("wordy") { WordyStyle() }.when(.feature("wordy"))
        Candidate("plain") { PlainStyle() }
      })
  }

  static let registries: [any Registry.Type] = [Analytics.self]

  static func launch() {
    Analytics.assignDesiredImplementation(to: Analytics { print($0) })
  }
}
