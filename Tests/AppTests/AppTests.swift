import Plug
import PlugKeys
import PlugTesting
import Testing

/// A constant temperature, everywhere.
struct FixedWeather: Weather {
  let temperature: Double

  func temperature(in city: String) async throws -> Double { temperature }
}

@Suite(
  .isolated { injectors in
    try injectors["weather"].override((any Weather).self) {
      FixedWeather(temperature: 21)
    }
  })
struct ForecastTests {
  @Test func itSaysTheTemperature() async throws {
    let forecast = try App.services.get(Forecast.self)
    let text = try await forecast.text(for: "Rome", user: .guest)
    #expect(text == "21.0 °C")
  }

  @Test func itUsesTheUnitOfTheUser() async throws {
    App.services[Unit.self] = "°F"
    let forecast = try App.services.get(Forecast.self)
    let text = try await forecast.text(for: "Rome", user: .guest)
    #expect(text == "21.0 °F")
  }

  @Test(arguments: [("wordy", "It has 21.0 °C."), ("plain", "21.0 °C")])
  func itSpeaksInTheStyleThatIsChosen(style: String, text: String) async throws {
    try App.services.force(style, at: "style")
    let forecast = try App.services.get(Forecast.self)
    #expect(try await forecast.text(for: "Rome", user: .guest) == text)
  }

  @Test func itDoesNotAskForTheWeatherBeforeItIsNeeded() throws {
    try App.services.override(
      (any Weather).self, .unimplemented("weather"))
    _ = try App.services.get((any Style).self, in: User.guest)
  }

  @Test(.isolated(strict: true))
  func itKeepsTheIsolationInADetachedTask() async throws {
    let isolation = TestIsolation.current
    let task = Task.detached {
      try await isolation.run {
        let forecast = try App.services.get(Forecast.self)
        return try await forecast.text(for: "Rome", user: .guest)
      }
    }
    #expect(try await task.value == "21.0 °C")
  }
}

@Suite struct LaunchTests {
  @Test func everythingFitsTogether() async {
    expectValid(App.services)
    await expectComplete(App.services, in: [User.wordy, User.guest])
  }

  @Test(.isolated) func launchAssignsAllRegistries() {
    App.launch()
    expectNoMocks(in: App.registries)
  }

  @Test func theRuleOfTheWordyStyleHolds() {
    expectConformance(
      of: Rule<User>.feature("wordy"),
      [(.wordy, .satisfied), (.guest, .unsatisfied)])
  }
}
