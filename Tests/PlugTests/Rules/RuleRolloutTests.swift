import Plug
import PlugKeys
import PlugOperations
import TestSupport
import Testing

@Suite("The rule of a rollout")
struct RuleRolloutTests {
  /// A name, an identifier, the hash of `name:identifier` by the Python package mmh3 5, and the bucket as it is shown.
  struct Known: Sendable, CustomTestStringConvertible {
    let name: String
    let id: String
    let bucket: Double
    let shown: String

    init(_ name: String, _ id: String, _ hash: UInt32, _ shown: String) {
      (self.name, self.id, self.shown) = (name, id, shown)
      bucket = Double(hash) / 4_294_967_296 * 100
    }

    var testDescription: String { "\(name):\(id) in bucket \(shown)" }

    func outcome(at percentage: Double) -> RuleTrace.Outcome {
      Rule<Guest>.rollout(percentage, of: name, by: \.id).evaluate(in: Guest(id: id))
    }
  }

  static let known = [
    Known("semantic", "user-1", 0xfe5e_b2d9, "99.36"),
    Known("semantic", "user-2", 0x4901_6588, "28.51"),
    Known("semantic", "user-3", 0x0d47_9a21, "5.18"),
    Known("semantic", "user-7", 0x28fb_bfab, "16"),
    Known("semantic", "user-0", 0xee2c_9246, "93.03"),
    Known("semantic", "user-91153", 0x0000_761f, "0"),
    Known("semantic", "user-91184", 0xffff_f8fe, "99.99"),
    Known("voice", "user-1", 0x94c9_337c, "58.11"),
    Known("voice", "user-2", 0x2905_3a6c, "16.02"),
    Known("", "user-1", 0xc6ad_6cad, "77.60"),
    Known("a:b", "c", 0x6c39_ac55, "42.27"),
    Known("a", "b:c", 0x6c39_ac55, "42.27"),
    Known("größe", "Zoë", 0xfb76_7297, "98.22"),
    Known("checkout", "日本", 0xf08c_8828, "93.96"),
    Known("checkout", "00000000-0000-0000-0000-000000000000", 0x7f92_c141, "49.83"),
  ]

  @Test("is satisfied above the bucket of an identifier and not at it", arguments: known)
  func halfOpen(_ known: Known) {
    #expect(known.outcome(at: known.bucket.nextDown) == .unsatisfied)
    #expect(known.outcome(at: known.bucket) == .unsatisfied)
    #expect(known.outcome(at: known.bucket.nextUp) == .satisfied)
  }

  @Test("admits no identifier at 0 and every identifier at 100", arguments: known)
  func ends(_ known: Known) {
    #expect(known.outcome(at: 0) == .unsatisfied)
    #expect(known.outcome(at: 100) == .satisfied)
  }

  @Test("shows the identifier and its bucket, rounded down", arguments: known)
  func trace(_ known: Known) {
    let rule = Rule<Guest>.rollout(50, of: known.name, by: \.id)
    let sign = known.bucket < 50 ? "+" : "-"
    #expect(
      "\(rule.trace(in: Guest(id: known.id)))"
        == "\(sign) rollout 50% of \"\(known.name)\" by id: \"\(known.id)\" in bucket \(known.shown)")
  }

  @Test(
    "describes itself with the percentage as it was written",
    arguments: [
      (25, "25"), (0, "0"), (100, "100"), (12.5, "12.5"), (0.29, "0.29"), (1.15, "1.15"), (0.001, "0.001"),
      (99.999, "99.999"), (33.333_333, "33.333333"),
    ])
  func description(_ percentage: Double, _ text: String) {
    let rule = Rule<Guest>.rollout(percentage, of: "semantic", by: \.address.city)
    #expect("\(rule)" == "rollout \(text)% of \"semantic\" by address.city")
  }

  @Test(
    "is indeterminate outside of 0 ... 100, and its negation too",
    arguments: [
      (-0.001, "-0.001"), (-1, "-1"), (100.001, "100.001"), (2500, "2500"), (Double.nan, "nan"), (.infinity, "inf"),
      (-.infinity, "-inf"), (1e300, "1e+300"),
    ])
  func invalidPercentage(_ percentage: Double, _ text: String) {
    let rule = Rule<Guest>.rollout(percentage, of: "semantic", by: \.id)
    #expect(rule.evaluate(in: Guest()) == .indeterminate)
    #expect((!rule).evaluate(in: Guest()) == .indeterminate)
    #expect(
      "\(rule.trace(in: Guest()))" == """
        ? rollout \(text)% of "semantic" by id: "user-1" in bucket 99.36 (\(text) is not a percentage in 0...100)
        """)
  }

  static let guests = (0..<10_000).map { Guest(id: "user-\($0)") }

  static func admitted(_ percentage: Double, _ name: String) -> Set<String> {
    let rule = Rule<Guest>.rollout(percentage, of: name, by: \.id)
    return Set(guests.filter { rule.evaluate(in: $0) == .satisfied }.map(\.id))
  }

  /// The Python package mmh3 5 computed these counts, too.
  @Test(
    "admits the promised share, and keeps every admitted identifier when the percentage grows",
    arguments: [
      ("semantic", [(0, 0), (1, 94), (10, 985), (25, 2533), (50, 5039), (90, 9030), (99, 9909), (100, 10_000)]),
      ("voice", [(0, 0), (1, 103), (10, 943), (25, 2372), (50, 4942), (90, 9043), (99, 9912), (100, 10_000)]),
    ] as [(String, [(Double, Int)])])
  func shares(_ name: String, _ steps: [(percentage: Double, count: Int)]) {
    var before: Set<String> = []
    for step in steps {
      let now = Self.admitted(step.percentage, name)
      #expect(now.count == step.count, "at \(step.percentage)%")
      #expect(before.isSubset(of: now), "at \(step.percentage)%")
      before = now
    }
  }

  @Test("chooses for two names independently of each other")
  func independence() {
    let semantic = Self.admitted(30, "semantic")
    let voice = Self.admitted(30, "voice")
    // 30 % of 30 % are 9 %; one standard deviation is 0.3 %. Equal or opposite choices would share 30 % or nothing.
    #expect((800...1000).contains(semantic.intersection(voice).count))
    #expect((2800...3200).contains(semantic.count))
    #expect((2800...3200).contains(voice.count))
  }
}
