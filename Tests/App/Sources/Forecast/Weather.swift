nonisolated protocol Weather: Sendable {
  func report(in city: String) async throws -> String
}

struct LiveWeather: Weather {
  func report(in city: String) async throws -> String { "\(city): 21 °C" }
}

struct FixedWeather: Weather {
  let text: String

  func report(in city: String) async throws -> String { text }
}
