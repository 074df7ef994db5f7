import Plug
import PlugTesting
import SwiftUI
import Testing

@testable import Forecast

@Suite("The guide SwiftUI", .isolated)
struct ForecastTests {
  @Test func theForecastIsShown() async {
    let model = ForecastModel(weather: FixedWeather(text: "Rome: 3 °C"))
    await model.load()
    #expect(model.text == "Rome: 3 °C")
  }

  @Test func aCityIsShown() async throws {
    let app = ForecastApp()
    try app.services.override(as: (any Weather).self) {
      FixedWeather(text: "Oslo: 3 °C")
    }
    let model = app.services.city("Oslo")
    await model.load()
    #expect(model.text == "Oslo: 3 °C")
  }

  @Test("The app registers what its screens need")
  func launch() async throws {
    let app = ForecastApp()
    _ = (app.body, ForecastScreen().body, CityScreen("Oslo").body)
    let model: ForecastModel = app.services.resolve()
    await model.load()
    #expect(model.text == "Rome: 21 °C")
    #expect(app.services.resolve() as ForecastModel !== model)
  }

  @Test("A preview has its own weather, and the app's injector keeps the app's")
  func preview() async throws {
    let app = ForecastApp()
    _ = try CityScreen.sample()
    #expect(try app.services.get((any Weather).self) is LiveWeather)
  }

  @Test("The launch screen waits for services that start")
  func starting() async {
    let screen = LaunchScreen(services: ForecastApp().services)
    await screen.launch()
    _ = screen.body
  }
}
