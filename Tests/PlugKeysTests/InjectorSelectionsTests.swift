import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

private enum Switch<Index>: Property { static var defaultValue: Int { 0 } }

private struct Shopper: Sendable, Equatable {
  var isPremium = false
  var volume = 0
}

private enum CurrentShopper: Property { static var defaultValue: Shopper { Shopper() } }

@Suite("The selections of a service", .serialized)
struct InjectorSelectionsTests {
  @Test("begin with the current winner, and continue with each new one")
  func changes() async throws {
    let injector = try makeInjector()
    let selections = injector.selections(of: (any Networking).self)
    injector[Switch<Int>.self] = 1
    injector[Switch<Bool>.self] = 1
    injector[Switch<Int>.self] = 2
    injector[Switch<Bool>.self] = 0
    injector[Switch<Int>.self] = 0
    await injector.close()
    let winners = try await selections.reduce(into: []) { $0.append($1) }
    #expect(winners == ["fallback", "first", "second", "fallback"])
  }

  @Test("follow a context that the injector makes from properties")
  func contextFromInjector() async throws {
    let injector = Injector()
    try injector.register(injectable: .factory { Shopper(isPremium: $0[CurrentShopper.self].isPremium) })
    try injector.register(
      PluginPoint<any Networking, Shopper>("network") {
        Candidate("fast") { HTTPNetworking() }.when(.equals(\.isPremium, true))
        Candidate("none") { HTTPNetworking() }.when(.never)
      })
    let selections = injector.selections(of: (any Networking).self)
    injector[CurrentShopper.self].volume = 3
    injector[CurrentShopper.self].isPremium = true
    injector.reset(CurrentShopper.self)
    await injector.close()
    #expect(try await selections.reduce(into: []) { $0.append($1) } == [nil, "fast", nil])
  }

  @Test("in a given context follow the properties that the rules read")
  func givenContext() async throws {
    let injector = Injector()
    let volume = Rule<Shopper>("is loud") { [weak injector] in $0.volume < injector?[Volume.self] ?? 0 }
    try injector.register(
      PluginPoint<any Networking, Shopper>("network") {
        Candidate("loud") { HTTPNetworking() }.when(volume)
        Candidate("quiet") { HTTPNetworking() }
      })
    let selections = injector.selections(of: (any Networking).self, in: Shopper(volume: 5))
    for value in [1, 6, 7, 5] { injector[Volume.self] = value }
    await injector.close()
    #expect(try await selections.reduce(into: []) { $0.append($1) } == ["quiet", "loud", "quiet"])
  }

  @Test("of a service with one implementation contain only that implementation")
  func plain() async throws {
    let injector = Injector()
    try injector.register(as: (any Networking).self) { HTTPNetworking() }
    let selections = injector.selections(of: (any Networking).self)
    await injector.close()
    #expect(try await selections.reduce(into: []) { $0.append($1) } == ["default"])
  }

  @Test("throw the error that get would throw, and end")
  func failure() async throws {
    let selections = Injector("services").selections(of: (any Networking).self)
    await #expect(throws: InjectorError.self) { for try await _ in selections {} }
  }

  @Test("end with the injector, and stop evaluating rules when the sequence is released")
  func ending() async throws {
    var injector: Injector? = try makeInjector()
    let selections = injector?.selections(of: (any Networking).self)
    injector = nil
    #expect(try await selections?.reduce(into: []) { $0.append($1) } == ["fallback"])

    let asked = Counter()
    let watched = Injector()
    try watched.register(
      PluginPoint<any Networking, Injector>("network") {
        Candidate("only") { HTTPNetworking() }
          .when(
            Rule("counts") { injector in
              asked.increment()
              return try injector.get(Switch<Int>.self) == 0
            })
      })
    do { _ = watched.selections(of: (any Networking).self) }
    watched[Switch<Int>.self] = 1
    watched[Switch<Int>.self] = 2
    #expect(asked.value == 1)
  }

  @Test("are updated only when a property changes that the last choice has read")
  func unread() throws {
    let asked = Counter()
    let injector = Injector()
    let first = Rule<Injector>("counts") { injector in
      asked.increment()
      return try injector.get(Switch<Int>.self) == 1
    }
    try injector.register(
      PluginPoint<any Networking, Injector>("network") {
        Candidate("first") { HTTPNetworking() }.when(first)
        Candidate("second") { HTTPNetworking() }.when(.property(Switch<Bool>.self, 0))
      })
    let selections = injector.selections(of: (any Networking).self)
    injector[Switch<Bool>.self] = 2
    injector[Switch<Int>.self] = 1
    #expect(asked.value == 3)
    // The first candidate wins by now, and the second is not asked.
    for value in 0..<5 { injector[Switch<Bool>.self] = value }
    #expect(asked.value == 3)
    injector[Switch<Int>.self] = 0
    #expect(asked.value == 4)
    withExtendedLifetime(selections) {}
  }

  @Test("go on when another injector is closed whose property a rule has read")
  func otherInjector() async throws {
    let (injector, other) = (Injector(), Injector())
    try injector.register(
      PluginPoint<any Networking, Injector>("network") {
        Candidate("other") { HTTPNetworking() }
          .when(Rule("is set elsewhere") { [weak other] _ in try other?.get(Volume.self) == 1 })
        Candidate("own") { HTTPNetworking() }.when(.property(Volume.self, 1))
      })
    let selections = injector.selections(of: (any Networking).self)
    other[Volume.self] = 1
    await other.close()
    injector[Volume.self] = 1
    await injector.close()
    #expect(try await selections.reduce(into: []) { $0.append($1) } == [nil, "other", nil, "own"])
  }

  private func makeInjector() throws -> Injector {
    let injector = Injector()
    try injector.register(
      PluginPoint<any Networking, Injector>("network") {
        Candidate("first") { HTTPNetworking() }.when(.property(Switch<Int>.self, 1))
        PluginPoint("nested", when: .property(Switch<Bool>.self, 1)) {
          Candidate("second") { HTTPNetworking() }.when(.property(Switch<Int>.self, 2))
          Candidate("third", priority: 1) { HTTPNetworking() }.when(.property(Switch<String>.self, .atLeast(\.self, 2)))
        }
        Candidate("fallback") { HTTPNetworking() }
      })
    return injector
  }
}
