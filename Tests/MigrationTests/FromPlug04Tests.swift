import Plug
import PlugKeys
import Testing

// What Docs/Migrating/From-Plug-0.4.md shows, in the same words.

private protocol SearchProvider: Sendable {
  var name: String { get }
}

private struct Shopper: FeatureContext {
  var enabledFeatures: Set<String> = []
  var isSubscriber = false
  var age: Int?
}

private final class CatalogueSearch: SearchProvider {
  let name = "catalogue"
}

private final class VoiceSearch: SearchProvider {
  let name = "voice"
}

private final class MapSearch: SearchProvider {
  let name = "map"
}

/// Stands in for what makes a view.
@MainActor
private final class ProfileTab {
  let title = "profile"
}

private struct AgeUnknown: Error {}
private struct IndexMissing: Error, Equatable {}

nonisolated extension Rule where Context == Shopper {
  fileprivate static var isSubscriber: Self {
    Rule("is a subscriber") { $0.isSubscriber }
  }
}

@Suite("The page for users of Plug 0.4")
struct FromPlug04Tests {
  /// A catalogue for everybody, and voice search for subscribers who try new things.
  private func makeSearch() -> PluginPoint<any SearchProvider, Shopper> {
    PluginPoint("search") {
      Candidate("catalogue") { CatalogueSearch() }
      PluginPoint("beta", when: .feature("beta") && .isSubscriber) {
        Candidate("voice") { VoiceSearch() }.when(.feature("voice"))
      }
    }
  }

  private static let everything = Shopper(enabledFeatures: ["beta", "voice"], isSubscriber: true)

  @Test(
    "A point gives the plugins whose own rule and whose points' rules are satisfied",
    arguments: [
      (Shopper(), ["catalogue"]),
      (Shopper(enabledFeatures: ["beta", "voice"]), ["catalogue"]),
      (Shopper(enabledFeatures: ["beta"], isSubscriber: true), ["catalogue"]),
      (everything, ["catalogue", "voice"]),
    ])
  private func availablePlugins(shopper: Shopper, expected: [String]) {
    let search = PluginPoint<any SearchProvider, Shopper>("search") {
      Candidate("catalogue") { CatalogueSearch() }
      PluginPoint("beta", when: .feature("beta") && .isSubscriber) {
        Candidate("voice") { VoiceSearch() }.when(.feature("voice"))
      }
    }
    let plugins = search.plugins(in: shopper)
    #expect(plugins.map(\.name) == expected)
    #expect(search.first(in: shopper)?.name == "catalogue")
  }

  @Test("A point lists its elements, the ids of its candidates and its rule")
  func parts() {
    let search = makeSearch()
    #expect(search.candidateIDs == ["catalogue", "voice"])
    #expect(search.rule.description == "always")
  }

  @Test(
    "Negation, all, any and none have the outcomes that they had, in words and as operators", arguments: [false, true],
    [false, true])
  func composition(isFirst: Bool, isSecond: Bool) {
    let shopper = Shopper(enabledFeatures: isFirst ? ["voice"] : [], isSubscriber: isSecond)
    let a = Rule<Shopper>.feature("voice")
    let b = Rule<Shopper>("is a subscriber") { $0.isSubscriber }
    let rules: [Rule<Shopper>] = [
      !a, [a, b].reduce(.always, &&), a && b, [a, b].reduce(.never, ||), a || b, !(a || b),
    ]
    let (all, any) = (isFirst && isSecond, isFirst || isSecond)
    #expect(rules.map { $0.evaluate(in: shopper) == .satisfied } == [!isFirst, all, all, any, any, !any])
  }

  @Test("Constant rules apply to everyone or to nobody", arguments: [false, true])
  func constants(isOpen: Bool) {
    let rule: Rule<Shopper> = isOpen ? .always : .never
    #expect(rule.evaluate(in: Shopper()) == (isOpen ? .satisfied : .unsatisfied))
    let rules: [Rule<Shopper>] = [.always, .never]
    #expect(rules.map { $0.evaluate(in: Shopper()) } == [.satisfied, .unsatisfied])
  }

  @Test("A plugin that exists already is given as it is, under the id of its candidate")
  func existingPlugin() {
    let voice = VoiceSearch()
    let search = PluginPoint<any SearchProvider, Shopper>("search") {
      Candidate("voice", .singleton(voice))
    }
    #expect(search.candidateIDs == ["voice"])
    #expect(search.first(in: Shopper()) as? VoiceSearch === voice)
  }

  @Test("Several rules on a point are joined, and a plugin can have a rule without a point of its own")
  func rules() {
    let a = Rule<Shopper>.feature("beta")
    let b = Rule<Shopper>.isSubscriber
    let beta = PluginPoint<any SearchProvider, Shopper>("beta", when: a && b) { Candidate("voice") { VoiceSearch() } }
    let shoppers = [Shopper(enabledFeatures: ["beta"]), Shopper(isSubscriber: true), Self.everything]
    #expect(shoppers.map { beta.plugins(in: $0).map(\.name) } == [[], [], ["voice"]])
    let point = PluginPoint<any SearchProvider, Shopper>("alone") {
      Candidate("voice") { VoiceSearch() }.when(.feature("voice"))
    }
    #expect([Shopper(), Self.everything].map { point.plugins(in: $0).map(\.name) } == [[], ["voice"]])
  }

  @Test("Plugins and points are added and removed, and a rule is taken away with its point")
  func editing() throws {
    var search = PluginPoint<any SearchProvider, Shopper>("search") { Candidate("catalogue") { CatalogueSearch() } }
    let beta = PluginPoint<any SearchProvider, Shopper>("beta", when: .feature("beta")) {
      Candidate("voice") { VoiceSearch() }
    }
    let shopper = Self.everything
    try search.add(beta)
    try search.add(Candidate("map") { MapSearch() })
    #expect(search.plugins(in: shopper).map(\.name) == ["catalogue", "voice", "map"])
    search.remove("map")
    #expect(search.plugins(in: shopper).map(\.name) == ["catalogue", "voice"])
    search.remove("beta")
    #expect(search.plugins(in: shopper).map(\.name) == ["catalogue"])

    let nested = PluginPoint<any SearchProvider, Shopper>("search") {
      Candidate("catalogue") { CatalogueSearch() }
      beta
    }
    #expect(nested.plugins(in: shopper).map(\.name) == ["catalogue", "voice"])

    @PluginBuilder<any SearchProvider, Shopper> func experiments() -> PluginBuilder<any SearchProvider, Shopper> {
      Candidate("voice") { VoiceSearch() }
    }
    let gated = PluginPoint<any SearchProvider, Shopper>("beta", when: .feature("beta")) { experiments() }
    let open = PluginPoint<any SearchProvider, Shopper>("open") { experiments() }
    #expect(gated.plugins(in: Shopper()).map(\.name) == [])
    #expect(open.plugins(in: Shopper()).map(\.name) == ["voice"])
  }

  @Test("The order is that in which candidates and points stand, unless a priority is higher")
  func order() {
    let shopper = Shopper()
    let search = PluginPoint<any SearchProvider, Shopper>("search") {
      PluginPoint("beta") { Candidate("voice") { VoiceSearch() } }
      Candidate("catalogue") { CatalogueSearch() }
    }
    let names = search.plugins(in: shopper).map(\.name)
    #expect(names == ["voice", "catalogue"])
    let urgent = PluginPoint<any SearchProvider, Shopper>("urgent") {
      Candidate("catalogue") { CatalogueSearch() }
      PluginPoint("beta") { Candidate("voice", priority: 1) { VoiceSearch() } }
    }
    #expect(urgent.plugins(in: shopper).map(\.name) == ["voice", "catalogue"])
  }

  @Test("A plugin is made when it is returned: once for a point and its copies, or anew each time")
  func making() {
    let search = PluginPoint<any SearchProvider, Shopper>("search") {
      Candidate("voice", .factory { VoiceSearch() })
      Candidate("catalogue") { CatalogueSearch() }
    }
    let copy = search
    let (first, second) = (search.plugins(in: Shopper()), copy.plugins(in: Shopper()))
    #expect(first.map(\.name) == ["voice", "catalogue"] && second.map(\.name) == ["voice", "catalogue"])
    #expect(first[0] as? VoiceSearch !== second[0] as? VoiceSearch)
    #expect(first[1] as? CatalogueSearch === second[1] as? CatalogueSearch)
  }

  @Test("Where a closure may throw, getAll throws what went wrong")
  func throwing() throws {
    let search = PluginPoint<any SearchProvider, Shopper>("search") {
      Candidate("catalogue") { CatalogueSearch() }
      Candidate("index") { throw IndexMissing() }.when(.feature("index"))
    }
    let shopper = Shopper()
    let found = try search.getAll(in: shopper)
    #expect(found.map(\.name) == ["catalogue"])
    let error = try #require(throws: InjectorError.self) {
      try search.getAll(in: Shopper(enabledFeatures: ["index"]))
    }
    guard case .constructionFailed(let facts, let underlying) = error else { throw error }
    #expect(facts.candidate == "index" && underlying as? IndexMissing == IndexMissing())
  }

  @Test("A point is a value: candidates added to a copy are not in the original")
  func values() throws {
    let search = makeSearch()
    var extended = search
    try extended.add(Candidate("map") { MapSearch() })
    #expect(search.candidateIDs == ["catalogue", "voice"])
    #expect(extended.candidateIDs == ["catalogue", "voice", "map"])
  }

  @Test("Ids tell plugins apart: a second one with an id is refused, and one at any depth is removed by it")
  func ids() throws {
    var search = makeSearch()
    for id in ["catalogue", "voice"] {
      do {
        try search.add(Candidate(id) { MapSearch() })
        Issue.record("The second one should have been refused.")
      } catch InjectorError.alreadyRegistered(let facts) {
        #expect(facts.candidate == id)
      }
    }
    #expect(search.candidateIDs == ["catalogue", "voice"])
    search.remove("voice")
    #expect(search.candidateIDs == ["catalogue"])
  }

  @Test("The explanation has the ids of the plugins that apply, in the order in which the plugins come")
  func availableIDs() {
    let search = makeSearch()
    let shopper = Self.everything
    let ids = search.explain(in: shopper).available
    #expect(ids == ["catalogue", "voice"])
    #expect(ids == search.plugins(in: shopper).map(\.name))
  }

  @Test("A rule that fails opens no gate, and neither does its negation")
  func indeterminate() {
    let adult = Rule<Shopper>("is an adult") { shopper in
      guard let age = shopper.age else { throw AgeUnknown() }
      return age >= 18
    }
    let minor = !adult
    let point = PluginPoint<any SearchProvider, Shopper>("by age") {
      Candidate("catalogue") { CatalogueSearch() }.when(adult)
      Candidate("map") { MapSearch() }.when(minor)
    }
    let shoppers = [Shopper(), Shopper(age: 17), Shopper(age: 18)]
    #expect(shoppers.map { point.plugins(in: $0).map(\.name) } == [[], ["map"], ["catalogue"]])
    #expect(shoppers.map { adult.evaluate(in: $0) } == [.indeterminate, .unsatisfied, .satisfied])
    #expect(shoppers.map { minor.evaluate(in: $0) } == [.indeterminate, .satisfied, .unsatisfied])
  }

  @Test("A plugin of the main actor is made where it is asked for, on the main actor")
  @MainActor
  func mainActor() {
    let tabs = PluginPoint<ProfileTab, Shopper>("tabs") {
      Candidate("profile", .factory { @MainActor in ProfileTab() })
    }
    #expect(tabs.plugins(in: Shopper()).map(\.title) == ["profile"])
  }
}
