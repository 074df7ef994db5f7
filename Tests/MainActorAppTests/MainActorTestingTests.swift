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
    try Injector.default.override(as: Player.self, injectable: .singleton(Player(name: "prepared")))
  }
}

@Suite(
  "Isolated tests of an app that isolates everything to the main actor",
  .isolated { injectors in
    try injectors.default.override(as: Player.self, injectable: .lazySingleton { @MainActor in Player(name: "trait") })
  })
struct MainActorTestingTests {
  @Test("The trait, synchronous and asynchronous isolation serve main-actor services")
  func isolation() async throws {
    #expect(Injector.default.resolve(Player.self).name == "trait")
    try withIsolatedInjectors {
      try Injector.default.override(as: Player.self, injectable: .lazySingleton { @MainActor in Player(name: "inner") })
      #expect(Injector.default.resolve(Player.self).name == "inner")
    }
    let name = try await withIsolatedInjectors {
      try Injector.default.override(as: Player.self, injectable: .singleton(Player(name: "asynchronous")))
      await Task.yield()
      return Injector.default.resolve(Player.self).name
    }
    #expect(name == "asynchronous")
    #expect(Injector.default.resolve(Player.self).name == "trait")
  }

  @Test("Work that is carried along stays on the main actor")
  func carried() async {
    let isolation = Isolation.current
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
}
