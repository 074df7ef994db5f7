import PlugOperations
import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

/// A shopper with a share that the operators set.
private struct Member: Sendable {
  var id = "p-17"
}

private enum OneClickShare: Property { static var defaultValue: Double { 5 } }

@Suite("The bucket of an identifier")
struct RolloutHashingTests {
  @Test("equals the bucket of Unleash's clients, by the values of their shared tests")
  func unleash() {
    #expect(RolloutHashing.unleash.bucket(of: "123", in: "gr1") == 73)
    #expect(RolloutHashing.unleash.bucket(of: "999", in: "groupX") == 25)
  }

  /// The hashes of name and identifier, joined directly, and flagd's buckets of them with a total of 100.
  @Test(
    "is computed as in flagd's fractional operator",
    arguments: [
      ("headerColor", "rachel@faas.com", 0x6b9f_c846, 42), ("one-click", "p-17", 0x4744_fb53, 27),
      ("one-click", "p-18", 0x8c1f_9518, 54), ("new-checkout", "Zoë", 0x2703_26fc, 15), ("flag", "", 0x0dec_588c, 5),
      ("one-click", "user-4711", 0x5c03_aaf9, 35),
    ] as [(String, String, UInt32, Double)])
  func flagd(_ name: String, _ id: String, _ hash: UInt32, _ bucket: Double) {
    let found = RolloutHashing.flagd.bucket(of: id, in: name)
    #expect(found == Double(hash) / 0x1p32 * 100)
    #expect(found.rounded(.down) == bucket)
    let rules = [bucket, bucket + 1].map { Rule<Member>.rollout($0, of: name, by: \.id, hashing: .flagd) }
    let outcomes = rules.map { $0.evaluate(in: Member(id: id)) }
    #expect(outcomes == (id.isEmpty ? [.indeterminate, .indeterminate] : [.unsatisfied, .satisfied]))
  }

  @Test("decides as Unleash does: up to the percentage, and never at 0")
  func unleashShares() {
    let rules = [0, 72, 72.9, 73, 100].map { Rule<Member>.rollout($0, of: "gr1", by: \.id, hashing: .unleash) }
    let outcomes = rules.map { $0.evaluate(in: Member(id: "123")) }
    #expect(outcomes == [.unsatisfied, .unsatisfied, .unsatisfied, .satisfied, .satisfied])
    #expect(
      "\(rules[1].trace(in: Member(id: "123")))" == "- rollout 72% of \"gr1\" by id: \"123\" in bucket 73 of unleash")
  }

  @Test("is the bucket that decides a rollout")
  func own() {
    let bucket = RolloutHashing.plug.bucket(of: "p-17", in: "one-click")
    #expect(Rule<Member>.rollout(bucket, of: "one-click", by: \.id).evaluate(in: Member()) == .unsatisfied)
    #expect(Rule<Member>.rollout(bucket.nextUp, of: "one-click", by: \.id).evaluate(in: Member()) == .satisfied)
  }

  @Test(
    "is computed as in flagd's third version: from the name and the identifier in CBOR",
    arguments: [("p-17", 0x1068_1105), ("customer-1", 0x811D_E817)] as [(String, UInt32)])
  func cbor(id: String, hash: UInt32) {
    #expect(RolloutHashing.flagdV3.bucket(of: id, in: "one-click") == Double(hash) / 0x1p32 * 100)
  }

  /// Pearson's statistic over 100 buckets; with 99 degrees of freedom it exceeds 148.2 once in a thousand times.
  @Test("is uniform over a million identifiers", arguments: [RolloutHashing.plug, .flagd, .flagdV3, .unleash])
  func uniform(_ hashing: RolloutHashing) {
    var counts = Array(repeating: 0, count: 100)
    for number in 0..<1_000_000 {
      let bucket = hashing.bucket(of: "customer-\(number)", in: "one-click")
      counts[Int(hashing == .unleash ? bucket - 1 : bucket)] += 1
    }
    let statistic = counts.reduce(0.0) { $0 + Double(($1 - 10_000) * ($1 - 10_000)) / 10_000 }
    #expect(statistic < 148.2, "\(statistic)")
  }
}

@Suite("A rollout with a live share")
struct LiveRolloutTests {
  static let bucket = RolloutHashing.plug.bucket(of: "p-17", in: "one-click")

  private static let checkout = PluginPoint<String, Member>("checkout") {
    Candidate("one-click", .factory { "one-click" })
      .when(.rollout(OneClickShare.self, of: "one-click", by: \.id))
    Candidate("classic", .factory { "classic" })
  }

  @Test("reads the share from a property of the requesting injector, and follows its changes")
  func property() throws {
    let services = Injector("services")
    try services.register(Self.checkout)
    try services.seal()
    #expect(try services.get(String.self, in: Member()) == "classic")
    services[OneClickShare.self] = 100
    #expect(try services.get(String.self, in: Member()) == "one-click")
    let scope = services.makeScope("request")
    scope[OneClickShare.self] = 0
    #expect(try scope.get(String.self, in: Member()) == "classic")
    #expect(
      try scope.explain(String.self, in: Member()).description == """
        String in Member: 1 of 2 apply, selected: classic
          point checkout: open
            one-click: ruled out
              - rollout OneClickShare of "one-click" by id: "p-17" in bucket \(decimal(Self.bucket)), share 0%
            classic: selected
        """)
    scope[OneClickShare.self] = -1
    #expect(try scope.get(String.self, in: Member()) == "classic")
  }

  @Test("keeps every admitted identifier as it grows")
  func growing() {
    let services = Injector()
    let rule = Rule<Member>.rollout(OneClickShare.self, of: "one-click", by: \.id)
    let members = (0..<2_000).map { Member(id: "customer-\($0)") }
    var before: Set<String> = []
    for share in stride(from: 0.0, through: 100, by: 2.5) {
      services[OneClickShare.self] = share
      let now = Set(members.filter { rule.evaluate(in: $0, from: services) == .satisfied }.map(\.id))
      #expect(before.isSubset(of: now))
      before = now
    }
    #expect(before.count == members.count)
  }

  @Test("yields the new winner to the observers of the selection")
  func selections() async throws {
    let services = Injector("services")
    try services.register(Self.checkout)
    var winners = services.selections(of: String.self, in: Member()).makeAsyncIterator()
    #expect(try await winners.next() == "classic")
    services[OneClickShare.self] = 100
    #expect(try await winners.next() == "one-click")
    services[OneClickShare.self] = 99.999
    services[OneClickShare.self] = 0
    #expect(try await winners.next() == "classic")
  }

  @Test("puts no identifier into two of several slots with one name")
  func slots() {
    let bounds: [Range<Double>] = [0..<20, 20..<50, 50..<50, 50..<100]
    let slots = bounds.map { Rule<Member>.slot($0, of: "checkout-experiments", by: \.id) }
    let counts = (0..<4_000).map { number in
      slots.filter { $0.evaluate(in: Member(id: "customer-\(number)")) == .satisfied }.count
    }
    #expect(Set(counts) == [1])
    #expect(
      "\(slots[0].trace(in: Member()))"
        == "+ slot 0..<20 of \"checkout-experiments\" by id: \"p-17\" in bucket 12.80")
    let wrong = Rule<Member>.slot(90..<101, of: "checkout-experiments", by: \.id)
    #expect(wrong.trace(in: Member()).reason == "90..<101 is not a range in 0..<100")
  }
}
