import Plug
import PlugFlags
import PlugKeys
import PlugOperations
import Synchronization
import Testing

@Suite("A point that a flag decides")
struct PluginPointFlagTests {
  private let services = Injector("services")
  private let shopper = Buyer()

  private func register() throws {
    let point = PluginPoint<any Checkout, Buyer>("checkout", decidedBy: "checkout-flag") {
      Candidate("one-click") { OneClick() }
      PluginPoint("old", when: .equals(\.country, "DE")) {
        Candidate("classic") { Classic() }
      }
    }
    try services.register(point)
  }

  @Test("chooses the candidate that the variant names, also in points inside")
  func variants() throws {
    try register()
    services[Flags.self] = try flags(["checkout-flag": choice(of: ["one-click", "classic"], "one-click")])
    #expect(try services.get((any Checkout).self, in: shopper) is OneClick)
    services[Flags.self] = try flags(["checkout-flag": choice(of: ["one-click", "classic"], "classic")])
    #expect(try services.get((any Checkout).self, in: shopper) is Classic)
    #expect(try services.getAll((any Checkout).self, in: shopper).count == 1)
    #expect(try services.getAll((any Checkout).self, in: Buyer(country: "FR")).isEmpty)
  }

  @Test("has no candidate where the flag cannot be evaluated, and says why")
  func errors() throws {
    try register()
    #expect(
      try services.explain((any Checkout).self, in: shopper).description == """
        Checkout in Buyer: 0 of 2 apply, selected: none
          point checkout: open
            one-click: ruled out
              ? variant of flag "checkout-flag" == "one-click" (FLAG_NOT_FOUND: the document has no flag "checkout-flag")
            point old: open
              + country == "DE": "DE"
              classic: ruled out
                ? variant of flag "checkout-flag" == "classic" (FLAG_NOT_FOUND: the document has no flag "checkout-flag")
        """)
    try services.register(as: (any Checkout).self, injectable: .singleton(Express()))
    #expect(try services.get((any Checkout).self, in: shopper) is Express)
  }

  @Test("evaluates the flag once in a choice, however many candidates there are")
  func evaluations() throws {
    try services.register(
      PluginPoint<Int, CountedReads>("sizes", decidedBy: "size-flag") {
        for number in 0..<10 {
          Candidate("plain-\(number)") { number }
          PluginPoint("inside-\(number)") {
            Candidate("inner-\(number)") { -number }
          }
        }
      })
    let targeting = #"{"cat": [{"var": "prefix"}, "9"]}"#
    services[Flags.self] = try flags([
      "size-flag": choice(of: (0..<10).flatMap { ["plain-\($0)", "inner-\($0)"] }, "plain-0", targeting: targeting)
    ])
    let context = CountedReads()
    #expect(try services.get(Int.self, in: context) == 9)
    #expect(context.reads.load(ordering: .relaxed) == 1)
    #expect(try services.getAll(Int.self, in: context) == [9])
    #expect(context.reads.load(ordering: .relaxed) == 2)
    services[Flags.self] = try flags([:])
    #expect(throws: InjectorError.self) { try services.get(Int.self, in: context) }
  }

  @Test("asks the flag anew for whatever asks in between")
  func severalFlags() throws {
    try services.register(
      PluginPoint<Int, Buyer>("sizes") {
        PluginPoint("first", decidedBy: "first-flag") {
          Candidate("a") { 1 }
          Candidate("b", priority: 2) { 2 }
        }
        PluginPoint("second", decidedBy: "second-flag") {
          Candidate("c", priority: 1) { 3 }
          Candidate("d") { 4 }
        }
      })
    services[Flags.self] = try flags([
      "first-flag": choice(of: ["a", "b"], "a"), "second-flag": choice(of: ["c", "d"], "d"),
    ])
    #expect(try services.getAll(Int.self, in: shopper) == [1, 4])
    services[Flags.self] = try flags([
      "first-flag": choice(of: ["a", "b"], "b"), "second-flag": choice(of: ["c", "d"], "c"),
    ])
    #expect(try services.getAll(Int.self, in: shopper) == [2, 3])
  }

  @Test("is audited: variants that name no candidate are findings, told with the nearest id")
  func audit() throws {
    try register()
    #expect(services.audit().findings == [])
    services[Flags.self] = try flags(["checkout-flag": choice(of: ["one-click", "classic"], "classic")])
    #expect(services.audit().findings == [])
    services[Flags.self] = try flags(["checkout-flag": choice(of: ["one-clik", "classic", "zzzzzzzzz"], "classic")])
    try services.validate()
    let findings = services.audit().findings
    #expect(findings.map(\.kind) == [.unknownCandidate, .unknownCandidate])
    let texts = findings.map { $0.description.split(separator: "\n") }
    #expect(
      texts.map(\.first) == [
        #"variant "one-clik" of flag "checkout-flag" names no candidate of Checkout."#,
        #"variant "zzzzzzzzz" of flag "checkout-flag" names no candidate of Checkout."#,
      ])
    #expect(
      texts.map(\.last) == [
        #"Did you mean "one-click"?"#, "Add a candidate of this id, or remove the name.",
      ])
    try services.contribute(
      (any Checkout).self, .singleton(Express()), when: Rule<Buyer>.always, id: "one-clik")
    #expect(services.audit().findings.count { $0.kind == .unknownCandidate } == 1)
  }

  @Test("is audited in a scope by the document of the scope")
  func scopes() throws {
    try register()
    let scope = services.makeScope("request")
    scope[Flags.self] = try flags(["checkout-flag": choice(of: ["express"], "express")])
    #expect(services.audit().findings == [])
    #expect(scope.audit().findings.map(\.kind) == [.unknownCandidate])
  }
}

/// A context that counts how often its attribute is read.
private final class CountedReads: FlagContext {
  let reads = Atomic(0)
  var targetingKey: String? { nil }

  func attribute(_ name: String) -> FlagValue? {
    reads.add(1, ordering: .relaxed)
    return "plain-"
  }
}
