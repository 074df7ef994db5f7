import Plug
import PlugTesting
import XCTest

final class ForecastXCTests: XCTestCase {
  override func invokeTest() {
    withIsolatedInjectors { super.invokeTest() }
  }

  func testItSaysTheTemperature() async throws {
    try App.services.override((any Weather).self) {
      FixedWeather(temperature: 3)
    }
    let forecast = try App.services.get(Forecast.self)
    let text = try await forecast.text(for: "Oslo", user: .guest)
    XCTAssertEqual(text, "3.0 °C")
  }
}
