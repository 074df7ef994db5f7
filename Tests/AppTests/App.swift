import Plug

// A small app, as somebody would write it who knows nothing of its tests.

protocol Weather: Sendable {
  func temperature(in city: String) async throws -> Double
}

/// Asks a server.
struct LiveWeather: Weather {
  struct Offline: Error {}

  func temperature(in city: String) async throws -> Double { throw Offline() }
}

struct User: FeatureContext {
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
    return try App.services.get((any Style).self, in: user).text(temperature, "°C")
  }
}

enum App {
  static let services: Injector = {
    let services = Injector("weather")
    do {
      try services.register(as: (any Weather).self, injectable: .lazySingleton { LiveWeather() })
      try services.register { Forecast(weather: try $0.get()) }
      try services.register(
        PluginPoint<any Style, User>("style") {
          Candidate("wordy") { WordyStyle() }.when(.feature("wordy"))
          Candidate("plain") { PlainStyle() }
        })
      try services.seal()
    } catch {
      fatalError("\(error)")
    }
    return services
  }()
}
