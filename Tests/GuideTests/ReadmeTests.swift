import Plug
import PlugTesting
import Testing

private protocol Weather: Sendable { func report() -> String }
private struct LiveWeather: Weather { func report() -> String { "21 °C" } }
private struct Rain: Weather { func report() -> String { "rain" } }

extension Injector.Name { fileprivate static let app: Self = "app of the README" }

private let app = Injector(.app) { app in
  try app.register((any Weather).self) { LiveWeather() }
}

private struct Screen { @Injected(.app) var weather: any Weather }

@Test(.isolated) func theScreenShowsRain() throws {
  try app.override((any Weather).self) { Rain() }
  #expect(Screen().weather.report() == "rain")
}

@Test("Without an override, the screen shows the weather that is registered", .isolated)
func theScreenShowsTheWeather() throws {
  #expect(try app.get((any Weather).self).report() == "21 °C")
  #expect(Screen().weather.report() == "21 °C")
}
