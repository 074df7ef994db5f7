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
    try app.services.override((any Weather).self) {
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
    let model = try #require(try CityScreen.sample() as? CityScreen).model
    await model.load()
    #expect(model.text == "Oslo: 3 °C")
    #expect(try app.services.get((any Weather).self) is LiveWeather)
  }

  // SwiftUI keeps no state outside of a view that is shown.
  #if os(Linux)
    private struct NoDisk: Error {}

    @Test("The launch screen waits for services that start, and shows the error of one that fails")
    func starting() async throws {
      let services = Injector()
      try services.register(.lazySingleton { try await open(failing: false) })
      let screen = LaunchScreen(services: services)
      #expect(!screen.isReady)
      await screen.launch()
      #expect(screen.isReady && screen.failure == nil)
      #expect(try services.get(String.self) == "opened")

      let failing = Injector()
      try failing.register(.lazySingleton { try await open(failing: true) })
      let other = LaunchScreen(services: failing)
      await other.launch()
      #expect(!other.isReady)
      #expect(other.failure?.split(separator: "\n").first == "String could not be made: NoDisk()")
    }

    private nonisolated func open(failing: Bool) async throws -> String {
      if failing { throw NoDisk() }
      return "opened"
    }
  #endif
}
