import Plug
import PlugTesting
import Testing

@testable import weather

@Suite("The weather")
struct WeatherTests {
  private struct Rain: Weather {
    func report(for city: String) -> String { "\(city): rain" }
  }

  @Test("Only readers with the feature get the forecast")
  func choice() throws {
    #expect(try report(for: Reader(city: "Bern", enabledFeatures: [])) == "Bern: 21 °C in most years")
    #expect(try report(for: Reader(city: "Bern", enabledFeatures: ["forecast"])) == "Bern: 24 °C tomorrow")
  }

  @Test("A test replaces the weather for itself", .isolated)
  func override() throws {
    try services.override((any Weather).self) { Rain() }
    #expect(try report(for: Reader(city: "Bern", enabledFeatures: [])) == "Bern: rain")
  }
}
