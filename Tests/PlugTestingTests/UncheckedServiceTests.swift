import Plug
import PlugTesting
import TestSupport
import Testing

private protocol Weather: Sendable {}
private struct Sunny: Weather {}
private struct Forecast: Sendable { let weather: any Weather }
private struct Radar: Sendable { let weather: any Weather }

private struct Station: Sendable {
  struct Panel: Sendable { @Injected(.radio) var weather: any Weather }
  let panel = Panel()
}

private final class Tower: Sendable {
  let weather = Injected<any Weather>(.radio)
  let again = Injected<any Weather>(.radio)
}

@MainActor private final class Screen {
  @Injected(.radio) var panel: Window
}

@MainActor private final class Window {}

extension Injector.Name { fileprivate static let radio: Self = "radio" }

@Suite("Services that only expectComplete checks", .isolated)
struct UncheckedServiceTests {
  private let radio = Injector(.radio)

  /// The issue about the services that `setUp` registers.
  private let undeclared = """
    Factories ask for services that they do not declare, so validate and seal cannot see these requests:
      Forecast, registered at PlugTestingTests/UncheckedServiceTests.swift:2, asks radio for Weather
      Radar, registered at PlugTestingTests/UncheckedServiceTests.swift:3, asks radio for Weather
    To fix this:
      - Take the services as parameters, with wiring:, or from the injector that the closure receives.
      - Or declare them: .depends(on: …).
    """

  /// Registers services that a strict validation accepts, although nothing that they ask for is declared.
  private func setUp() throws {
    try radio.register(line: 1) { Station() }
    try radio.register(line: 2) { [radio] in Forecast(weather: try radio.get()) }
    try radio.register(line: 3) { Radar(weather: try Injector[.radio].get()) }
    try radio.seal(strict: true)
  }

  @Test("are reported with the property or the request that fails")
  func missing() async throws {
    try setUp()
    let texts = await issues { await expectComplete(radio) }
    #expect(
      texts.map { $0.split(separator: "\n")[0] } == [
        "get((any Weather).self) failed: nothing is registered for Weather.",
        "get((any Weather).self) failed: nothing is registered for Weather.",
        "The injected property weather of Station cannot be read.",
        "Factories ask for services that they do not declare, so validate and seal cannot see these requests:",
      ])
    #expect(
      texts[2] == """
        The injected property weather of Station cannot be read.
        get((any Weather).self) failed: nothing is registered for Weather.
          service:        Weather
          injector:       radio
          chain:          Weather
          asked at:       PlugTestingTests/UncheckedServiceTests.swift:12
        To fix this:
          - Register it before you ask for it: try Injector["radio"].register((any Weather).self, …).
        """)
    #expect(texts[3] == undeclared)
  }

  @Test("are listed even if nothing is missing")
  func complete() async throws {
    try radio.register((any Weather).self) { Sunny() }
    try setUp()
    let texts = await issues { await expectComplete(radio) }
    #expect(texts == [undeclared])
  }

  @Test("are accepted if the factory declares its requests, is wired, or takes the injector")
  func declared() async throws {
    try radio.register((any Weather).self) { Sunny() }
    try radio.register(
      .lazySingleton { [radio] in Forecast(weather: try radio.get()) }.depends(on: (any Weather).self))
    try radio.register(.lazySingleton(wiring: Radar.init))
    try radio.register { _ in Station() }
    #expect(await issues { await expectComplete(radio) } == [])
  }

  @Test("may be objects with several properties, and may need the main actor")
  func objects() async throws {
    try radio.register { Tower() }
    try radio.register { @MainActor in Screen() }
    try radio.register { @MainActor in Window() }
    let texts = await issues { await expectComplete(radio) }
    #expect(
      texts.map { $0.split(separator: "\n")[0] } == [
        "The injected property weather of Tower cannot be read.",
        "The injected property again of Tower cannot be read.",
      ])
  }

  @Test("are reported once, at the injected service that cannot be made")
  func cause() async throws {
    struct Storm: Error {}
    try radio.register((any Weather).self, .lazySingleton { throw Storm() })
    try radio.register { Tower() }
    let texts = await issues { await expectComplete(radio) }
    #expect(texts.map { $0.split(separator: "\n")[0] } == ["Weather could not be made: Storm()"])
  }
}
