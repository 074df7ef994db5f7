import Plug
import PlugTesting
import Testing

final class Player {
  let name: String

  init(name: String) {
    self.name = name
  }
}

/// Belongs to the main actor, as everything here.
enum Players {
  static func prepare() throws {
    try Injector.default.override(Player.self, .singleton(Player(name: "prepared")))
  }
}

/// The app's own services, which are sealed.
enum Media {
  static let services: Injector = {
    let services = Injector("media")
    do {
      try services.register(tag: "live") { @MainActor in Player(name: "live") }
      try services.register(Player.self, taking: String.self) { @MainActor name, _ in Player(name: name) }
      try services.register(
        PluginPoint<Player, Int>("players") {
          Candidate("loud", .factory { @MainActor in Player(name: "loud") }).when(.atLeast(\.self, 5))
          Candidate("quiet") { @MainActor in Player(name: "quiet") }
        })
      try services.seal()
    } catch {
      fatalError("\(error)")
    }
    return services
  }()
}

extension Injector {
  var player: MainActorProvider<Player> { provide(.lazySingleton { @MainActor in Player(name: "live") }) }

  var named: MainActorProvider<Player, String> { provide { name, _ in Player(name: name) } }
}

@Suite(
  "Isolated tests of an app that isolates everything to the main actor",
  .isolated { injectors in
    try injectors.default.override(Player.self, .lazySingleton { @MainActor in Player(name: "trait") })
  })
struct MainActorTestingTests {
  @Test("The trait, synchronous and asynchronous isolation serve main-actor services")
  func isolation() async throws {
    #expect(Injector.default.resolve(Player.self).name == "trait")
    try withIsolatedInjectors {
      try Injector.default.override(Player.self, .lazySingleton { @MainActor in Player(name: "inner") })
      #expect(Injector.default.resolve(Player.self).name == "inner")
    }
    let name = try await withIsolatedInjectors {
      try Injector.default.override(Player.self, .singleton(Player(name: "asynchronous")))
      await Task.yield()
      return Injector.default.resolve(Player.self).name
    }
    #expect(name == "asynchronous")
    #expect(Injector.default.resolve(Player.self).name == "trait")
  }

  @Test("Work that is carried along stays on the main actor")
  func carried() async {
    let isolation = TestIsolation.current
    let names = await isolation.run {
      MainActor.assertIsolated()
      await Task.yield()
      return [Injector.default.resolve(Player.self).name]
    }
    #expect(names == ["trait"])
  }

  @Test("The closure of a trait may belong to the main actor", .isolated { @MainActor _ in try Players.prepare() })
  func prepared() {
    #expect(Injector.default.resolve(Player.self).name == "prepared")
  }

  @Test("Main-actor providers of a sealed injector are overridden for the test")
  func providers() throws {
    #expect([Media.services.player().name, Media.services.named("ada").name] == ["live", "ada"])
    try Media.services.player.provider.override(.singleton(Player(name: "fake")))
    try Media.services.named.provider.override { @MainActor name, _ in Player(name: "fake \(name)") }
    #expect([Media.services.player().name, Media.services.named("ada").name] == ["fake", "fake ada"])
  }

  @Test("Everything that belongs to the main actor is made once")
  func complete() async {
    await expectComplete(Media.services, in: [1, 9], with: ["ada"])
  }
}
