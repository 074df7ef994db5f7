import PlugKeys
import PlugOperations
import TestSupport
import Testing

@testable import Plug

#if canImport(PlugOperations)
  @testable import PlugOperations
#endif

private struct Shopper: Sendable, Identifiable {
  var id: String
  var country = "PL"
}

private struct Checkout: Sendable { let id: String }
private struct Banner: Sendable { let id: String }

private enum Share: Property { static var defaultValue: Double { 0 } }
private enum Season: Property { static var defaultValue: String { "winter" } }

private let shoppers = (0..<12).map { Shopper(id: "p-\($0)", country: $0.isMultiple(of: 3) ? "DE" : "PL") }

/// Makes candidates whose id shows the choice. A closed workshop throws, since computing an impact makes no candidate.
private struct Workshop {
  var isOpen: Bool

  func checkout(_ id: String) -> Injection<Checkout> {
    .factory { [isOpen] in
      if !isOpen { throw Boom() }
      return Checkout(id: id)
    }
  }

  func banner(_ id: String) -> Injection<Banner> {
    .factory { [isOpen] in
      if !isOpen { throw Boom() }
      return Banner(id: id)
    }
  }

  func banners(_ weights: [Double]) -> PluginPoint<Banner, Shopper> {
    PluginPoint("banners") {
      Candidate("thanks", banner("thanks"), priority: 1).when(.selected("express", at: "checkout"))
      for (number, weight) in weights.enumerated() {
        Candidate("banner-\(number)", banner("banner-\(number)")).weight(weight, by: \.id)
      }
    }
  }

  func checkouts(_ country: String) -> PluginPoint<Checkout, Shopper> {
    PluginPoint("checkout") {
      Candidate("one-click", checkout("one-click")).when(.equals(\.country, country))
        .onFailure(.quarantine(after: 1, for: .seconds(3600)))
      PluginPoint("seasonal", when: .property(Season.self, "summer")) {
        Candidate("picnic", checkout("picnic")).when(.rollout(30, of: "picnic", by: \.id))
      }
      Candidate("express", checkout("express")).when(.rollout(Share.self, of: "express", by: \.id))
      Candidate("classic", checkout("classic"))
    }
  }

  func open(_ start: Start, allowRewrite: Bool) throws -> Injector {
    let services = Injector("services", allowRewrite: allowRewrite)
    try services.register(checkouts("DE"))
    try services.register(banners([1, 2]))
    services[Share.self] = start.share
    if let disabled = start.disabled { try services.disable(disabled, at: "checkout", because: "before", since: 0) }
    return start.isScope ? services.makeScope("request") : services
  }
}

/// The state before the change.
private struct Start {
  let share: Double
  let disabled: String?
  let isScope: Bool

  init(_ random: inout SplitMix64) {
    share = Double(Int.random(in: 0...100, using: &random))
    disabled = ["one-click", "express", "classic", nil, nil].randomElement(using: &random) ?? nil
    isScope = Int.random(in: 0..<4, using: &random) == 0
  }
}

private struct Alteration {
  enum Kind: CaseIterable {
    case disable, force, restore, switches, share, property, add, rule, remove, fallback, weights, point, unregister
  }

  let kind: Kind
  let number: Int

  init(_ kind: Kind, _ random: inout SplitMix64) {
    self.kind = kind
    number = Int.random(in: 0..<100, using: &random)
  }

  private var candidate: String { ["one-click", "picnic", "express", "classic"][number % 4] }

  func apply(to services: Injector, _ workshop: Workshop) throws {
    switch kind {
    case .disable: try services.disable(candidate, at: "checkout", because: "INC-7", since: 0)
    case .force: try services.force(candidate, at: "checkout", because: "INC-7", since: 0)
    case .restore: for one in ["one-click", "express", "classic"] { try services.restore(one, at: "checkout") }
    case .switches:
      services[Switches.self] = Switches([
        Switches.Switch("banner-0", at: "banners", number.isMultiple(of: 2) ? .disabled : .forced, because: "all"),
        Switches.Switch(candidate, at: "checkout", .disabled, because: "all"),
      ])
    case .share: services[Share.self] = Double(number)
    case .property: services[Season.self] = number.isMultiple(of: 2) ? "summer" : "autumn"
    case .add:
      try services.contribute(
        Checkout.self, workshop.checkout("new"),
        when: Rule<Shopper>.rollout(50, of: "\(number)", by: \.id), id: "new", priority: number % 3 - 1)
    case .rule:
      try services.unregister(Checkout.self, candidate: candidate)
      try services.contribute(
        Checkout.self, workshop.checkout(candidate), when: Rule<Shopper>.equals(\.country, "PL"),
        id: candidate)
    case .remove: try services.unregister(Checkout.self, candidate: candidate)
    case .fallback:
      try services.unregister(Checkout.self, candidate: "classic")
      try services.register(injectable: workshop.checkout("default"))
    case .weights:
      try services.unregister(Banner.self)
      try services.register(workshop.banners([Double(number % 5), 1, Double(number % 3)]))
    case .point:
      try services.unregister(Checkout.self)
      try services.register(workshop.checkouts("PL"))
    case .unregister:
      if number.isMultiple(of: 2) {
        try services.unregister(Checkout.self)
      } else {
        try services.unregister(Banner.self)
      }
    }
  }
}

/// The candidates of a service that a context gets without and with a change.
private struct Choice: Hashable {
  let service: String
  let shopper: String
  let from: String?
  let to: String?
}

@Suite("The impact of random changes", .repeatable)
struct ImpactReferenceTests {
  @Test("equals the difference between two copies, one with the change, for changes of all kinds")
  func reference() throws {
    var (rounds, moving) = (0, Set<Alteration.Kind>())
    try Rounds.run(400) { round in
      var random = round.random
      rounds += 1
      let start = Start(&random)
      // The kinds take turns, so that each is tried equally often, alone and after others.
      let kinds = Alteration.Kind.allCases
      let alterations = (0...round.number % 3).map { place in
        Alteration(place == 0 ? kinds[round.number / 3 % kinds.count] : random.pick(from: kinds), &random)
      }
      func change(_ services: Injector, _ workshop: Workshop) {
        // A refused alteration changes nothing.
        for alteration in alterations { try? alteration.apply(to: services, workshop) }
      }
      let closed = Workshop(isOpen: false)
      let services = try closed.open(start, allowRewrite: false)
      try (services.parent ?? services).seal()
      // Causes a quarantine, which the impact must ignore.
      _ = try? services.get(Checkout.self, in: shoppers[0])
      let impact = try services.impact(on: shoppers, by: \.id) { change($0, closed) }
      let opened = Workshop(isOpen: true)
      let (before, after) = (
        try opened.open(start, allowRewrite: true), try opened.open(start, allowRewrite: true)
      )
      change(after, opened)
      let expected = shoppers.flatMap { shopper in
        [
          Choice(
            service: "Checkout", shopper: shopper.id, from: before.checkout(for: shopper),
            to: after.checkout(for: shopper)),
          Choice(
            service: "Banner", shopper: shopper.id, from: before.banner(for: shopper), to: after.banner(for: shopper)),
        ].filter { $0.from != $0.to }
      }
      let found = impact.moves.flatMap { move in
        move.contexts.map { Choice(service: move.service, shopper: $0, from: move.from, to: move.to) }
      }
      #expect(Set(found) == Set(expected), "\(alterations) after \(start)")
      #expect(found.count == expected.count)
      if alterations.count == 1, !found.isEmpty { moving.insert(alterations[0].kind) }
    }
    let still = Set(Alteration.Kind.allCases).subtracting(moving)
    #expect(rounds < 400 || still.isEmpty, "\(still)")
  }
}

extension Injector {
  fileprivate func checkout(for shopper: Shopper) -> String? { (try? get(Checkout.self, in: shopper))?.id }
  fileprivate func banner(for shopper: Shopper) -> String? { (try? get(Banner.self, in: shopper))?.id }
}
