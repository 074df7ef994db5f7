import Foundation
import Plug
import PlugKeys
import PlugTesting
import Testing

private protocol Weather: Sendable { var report: String { get } }
private struct Sunny: Weather { var report: String { "sunny" } }
private struct Rainy: Weather { var report: String { "rainy" } }

private struct Forecast: Sendable {
  let weather: any Weather
}

private protocol Job: Sendable { var name: String { get } }
private struct CleanUp: Job { let name = "clean up" }
private struct Announce: Job {
  let weather: any Weather
  var name: String { "announce \(weather.report)" }
}

private struct Guest: Sendable {
  let number: Int
  let id: UUID
  let version: SemanticVersion
}

extension Injector {
  fileprivate var forecast: Provider<Forecast> { provide(wiring: Forecast.init) }
  fileprivate var weather: Provider<any Weather> { provide { Sunny() } }
  fileprivate var label: Provider<String, Int> { provide { number, _ in "\(number)" } }
}

@Suite("The spelling that a user tries first", .isolated)
struct FirstTriesTests {
  private let services = Injector()

  @Test("registers an initializer, whose parameters are declared dependencies")
  func wiring() throws {
    try services.register((any Weather).self) { Sunny() }
    try services.register(wiring: Forecast.init)
    #expect(try services.get(Forecast.self).weather.report == "sunny")
    #expect(services.forecast().weather.report == "sunny")
    #expect(try services.validate(strict: true).opaque == [])
  }

  @Test("checks, resets and removes a registration by its type alone")
  func removal() throws {
    try services.register((any Weather).self) { Sunny() }
    try services.reset((any Weather).self)
    #expect(services.isRegistered((any Weather).self))
    try services.unregister((any Weather).self)
    #expect(!services.isRegistered((any Weather).self))
  }

  @Test("contributes closures and injections")
  func contributions() throws {
    try services.register((any Weather).self) { Sunny() }
    try services.contribute((any Job).self, id: "cleanup") { CleanUp() }
    try services.contribute((any Job).self) { try Announce(weather: $0.get()) }
    try services.contribute((any Job).self, .factory { CleanUp() }, priority: 1)
    #expect(try services.getAll((any Job).self).map(\.name) == ["clean up", "clean up", "announce sunny"])
    #expect(try services.get([any Job].self).map(\.name) == ["clean up", "clean up", "announce sunny"])
  }

  @Test("overrides a provider or a tagged service with a closure")
  func overrides() throws {
    let shared = Injector()
    try shared.weather.override { Rainy() }
    try shared.label.override { "label" }
    #expect(shared.weather().report == "rainy")
    #expect(shared.label(3) == "label")
    try services.override(\.weather) { Rainy() }
    #expect(services.weather().report == "rainy")
    try services.register((any Weather).self, tag: "north") { Sunny() }
    try services.override((any Weather).self, tag: "north") { Rainy() }
    #expect(try services.get((any Weather).self, tag: "north").report == "rainy")
    try services.override((any Weather).self, tag: "north", .factory { Sunny() })
    #expect(try services.get((any Weather).self, tag: "north").report == "sunny")
  }

  @Test("rolls out by a number or a UUID exactly as by its description")
  func identifiers() throws {
    let (half, named) = (Rule<Guest>.rollout(50, of: "a", by: \.number), Rule<String>.rollout(50, of: "a", by: \.self))
    let byID = (Rule<Guest>.slot(0..<50, of: "a", by: \.id), Rule<String>.slot(0..<50, of: "a", by: \.self))
    for number in 0..<100 {
      let guest = Guest(number: number, id: UUID(), version: "3.0.0")
      #expect(half.evaluate(in: guest) == named.evaluate(in: "\(number)"))
      #expect(byID.0.evaluate(in: guest) == byID.1.evaluate(in: guest.id.uuidString))
    }
  }

  @Test("compares a version with a literal by precedence, not as a string")
  func versions() {
    let rule = Rule<Guest>.atLeast(\.version, "3.0.0")
    #expect(rule.evaluate(in: Guest(number: 1, id: UUID(), version: "10.0.0")) == .satisfied)
    #expect(rule.evaluate(in: Guest(number: 1, id: UUID(), version: "2.9.9")) == .unsatisfied)
  }
}
