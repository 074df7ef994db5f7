import Observation
import Plug
import PlugKeys
import PlugTesting
import Testing

private enum Visits: Property { static let defaultValue = 0 }

private enum Theme: Property { static var defaultValue: String { "light" } }

private enum Tier: Sendable { case standard, premium }
private enum AccountTier: Property { static var defaultValue: Tier { .standard } }

private struct Person: Equatable { var age: Int }
private enum Account: Property { static var defaultValue: Person { Person(age: 12) } }

private protocol Banner: Sendable {}
private struct Thanks: Banner {}
private struct Wine: Banner {}
private struct Welcome: Banner {}

nonisolated extension Injector.Name { fileprivate static let services: Self = "typed keys guide" }

private protocol Defaults: Sendable { var name: String { get } }
private struct UserDefaultsStore: Defaults { let name = "user defaults" }
private struct MockDefaults: Defaults { let name = "mock" }

private final class CoreRegistry: Registry {
  let defaults: any Defaults

  init(defaults: any Defaults) {
    self.defaults = defaults
  }

  static func createMockShared() -> CoreRegistry { CoreRegistry(defaults: MockDefaults()) }
}

private final class RoutingRegistry: Registry {
  static func createMockShared() -> RoutingRegistry { RoutingRegistry() }
}

@Suite("The guide Properties, features and registries", .isolated)
struct TypedKeysGuideTests {
  private let services = Injector(.services)
  private let log = Log()

  @Test("A property has its default value, and is set, updated and reset")
  func properties() {
    enum Theme: Property { static var defaultValue: String { "light" } }

    services[Theme.self] = "dark"
    services.update(Visits.self) { $0 += 1 }
    services.reset(Theme.self)
    #expect(services[Theme.self] == "light" && services[Visits.self] == 1)
  }

  @Test("A property is followed by a closure")
  func observing() {
    @Sendable func print(_ theme: String) {
      log.add(theme)
    }
    let observation = services.observe(Theme.self) { print($0) }
    services[Theme.self] = "dark"
    observation.cancel()
    services[Theme.self] = "light"
    #expect(log.lines == ["dark"])
  }

  @Test("A property is followed by a sequence, which ends with the injector")
  func values() async {
    func apply(_ theme: String) {
      log.add(theme)
      if theme == "light" { services[Theme.self] = "dark" } else { services.closeNow() }
    }
    for await theme in services.values(of: Theme.self) { apply(theme) }
    #expect(log.lines == ["light", "dark"])
  }

  @Test("A property is tracked by Observation")
  func tracking() {
    func render(_ theme: String) {
      log.add(theme)
    }
    @Sendable func setNeedsRendering() {
      log.add("again")
    }
    withObservationTracking {
      render(services[Theme.self])
    } onChange: {
      setNeedsRendering()
    }
    services[Theme.self] = "dark"
    #expect(log.lines == ["light", "again"])
  }

  @Test("Rules look at properties, and each new winner is shown")
  func selections() async throws {
    try services.register(
      PluginPoint<any Banner, Injector>("banners") {
        Candidate("thanks") { Thanks() }
          .when(.property(AccountTier.self, .premium))
        Candidate("adults") { Wine() }
          .when(.property(Account.self, .atLeast(\.age, 18)))
        Candidate("welcome") { Welcome() }
      })
    func show(_ winner: String?) {
      log.add(winner ?? "none")
      switch winner {
      case "welcome": services[Account.self] = Person(age: 18)
      case "adults": services[AccountTier.self] = .premium
      default: services.closeNow()
      }
    }
    for try await winner in services.selections(of: (any Banner).self) {
      show(winner)
    }
    #expect(log.lines == ["welcome", "adults", "thanks"])
  }

  @Test("A feature loads itself, and is replaced")
  func features() {
    struct Uptime: Feature {
      var seconds: @Sendable () -> Double
      static func load(in injector: Injector) -> Uptime {
        let (clock, start) = (ContinuousClock(), ContinuousClock.now)
        return Uptime { (clock.now - start) / .seconds(1) }
      }
    }

    let seconds = services[Uptime.self].seconds()
    services[Uptime.self] = Uptime { 0 }
    #expect(seconds >= 0 && services[Uptime.self].seconds() == 0)
  }

  private func launch() throws -> any Defaults {
    CoreRegistry.assignDesiredImplementation(
      to: CoreRegistry(defaults: UserDefaultsStore()))
    let defaults = CoreRegistry.shared.defaults
    try Registries.checkAssigned([CoreRegistry.self, RoutingRegistry.self])
    return defaults
  }

  @Test("A lazy value of a scope is made from the services of the scope")
  func lazyOfScope() throws {
    struct User: Sendable { let name: String }
    let scope = Injector("app").makeScope("request")
    try scope.register(.singleton(User(name: "Ann")))
    let greeting = scope.lazy { "Hello, \(try $0.get(User.self).name)" }
    #expect(try greeting.get() == "Hello, Ann")
    scope.closeNow()
  }

  @Test("A registry has mocks until the app assigns the real one")
  func registries() throws {
    #expect(CoreRegistry.shared.defaults.name == "mock")
    RoutingRegistry.assignDesiredImplementation(to: RoutingRegistry())
    #expect(try launch().name == "user defaults")
  }

  @Test("A registry that is not assigned is named by the check")
  func check() {
    let error = #expect(throws: UnassignedRegistries.self) { try launch() }
    #expect(error?.names == ["RoutingRegistry"] && error?.count == 2)
  }
}
