import Testing

@testable import Plug
@testable import PlugFlags

@Suite("fractional (flagd.dev, custom operations)")
struct FractionalTests {
  @Test("hashes as MurmurHash3 does", arguments: [("ejOoVL", 0), ("bY9fO-", 1), ("SI7p-", 2_147_483_647), ("", 0)])
  func hash(text: String, expected: UInt32) {
    var hash = MurmurHash3()
    hash.combine(text)
    #expect(hash.finalize() == expected)
  }

  @Test("hashes large values, and the same in parts as at once")
  func parts() {
    var (low, high) = (MurmurHash3(), MurmurHash3())
    low.combine("6LvT0")
    high.combine("ceQdGm")
    #expect(low.finalize() == UInt32(1) << 31)
    #expect(high.finalize() == .max)
    let text = "täglich-neu-😀-and-more"
    for cut in text.indices {
      var (whole, parts) = (MurmurHash3(), MurmurHash3())
      whole.combine(text)
      parts.combine(String(text[..<cut]))
      parts.combine(String(text[cut...]))
      #expect(parts.finalize() == whole.finalize())
    }
  }

  @Test("has the buckets that rollouts with flagd's hashing have")
  func rollouts() throws {
    let document = try document(#"{"fractional": [["on", 25], ["off", 75]]}"#, key: "one-click")
    for number in 0..<2_000 {
      let id = "customer-\(number)"
      let isIn = RolloutHashing.flagd.bucket(of: id, in: "one-click") < 25
      let result = document.evaluate("one-click", in: FlagAttributes(targetingKey: id))
      #expect(result.variant == (isIn ? "on" : "off"))
    }
  }

  @Test("gives shares of their weights, to 10⁶ keys")
  func shares() throws {
    let document = try document(
      #"{"fractional": [["a", 1], ["b", 25], ["c", 0], ["d", 74]]}"#, variants: ["a", "b", "c", "d"], default: nil)
    let key = FlagKey("flag", default: "none")
    var counts: [String: Int] = [:]
    for number in 0..<1_000_000 {
      counts[document.evaluate(key, in: FlagAttributes(targetingKey: "user-\(number)")).value, default: 0] += 1
    }
    #expect(Set(counts.keys) == ["a", "b", "d"])
    for (name, expected) in [("a", 10_000), ("b", 250_000), ("d", 740_000)] {
      let count = try #require(counts[name])
      // Six standard deviations.
      #expect(abs(count - expected) < 3_000, "\(name): \(count)")
    }
  }

  @Test("moves nobody out when a share grows")
  func growth() throws {
    let documents = try [5, 10, 50, 95].map {
      try document(#"{"fractional": [["on", \#($0)], ["off", \#(100 - $0)]]}"#)
    }
    for number in 0..<2_000 {
      let context = FlagAttributes(targetingKey: "\(number)")
      let isOn = documents.map { $0.evaluate("flag", in: context).variant == "on" }
      #expect(isOn == isOn.sorted { !$0 && $1 })
    }
  }

  @Test(
    "takes a bucketing value, or the flag key with the targeting key",
    arguments: [
      Case(#"{"fractional": ["ejOoVL", ["a", 50], ["b", 50]]}"#, #""a""#),
      Case(#"{"fractional": ["ceQdGm", ["a", 50], ["b", 50]]}"#, #""b""#),
      Case(#"{"fractional": [{"var": "k"}, ["a", 50], ["b", 50]]}"#, #"{"k": "SI7p-"}"#, #""a""#),
      Case(#"{"fractional": [{"var": "k"}, ["a", 50], ["b", 50]]}"#, #"{"k": "6LvT0"}"#, #""b""#),
      Case(#"{"fractional": [{"cat": ["6Lv", "T0"]}, ["a"], ["b"]]}"#, #""b""#),
      Case(#"{"fractional": [["a", 1]]}"#, #"{"targetingKey": "x"}"#, #""a""#),
      Case(#"{"fractional": [["a", 1]]}"#, "null"), Case(#"{"fractional": [{"var": "k"}, ["a", 1]]}"#, "null"),
      Case(#"{"fractional": [{"var": "k"}, ["a", 1]]}"#, #"{"targetingKey": "x"}"#, #""a""#),
      Case(#"{"fractional": [null, ["a", 1]]}"#, #"{"targetingKey": "x"}"#, #""a""#),
      Case(#"{"fractional": [7, ["a", 1]]}"#, #"{"targetingKey": "x"}"#, "null"),
      Case(#"{"fractional": [true, ["a", 1]]}"#, #"{"targetingKey": "x"}"#, "null"),
      Case(#"{"fractional": [{"var": "k"}, ["a", 1]]}"#, #"{"k": 7, "targetingKey": "x"}"#, "null"),
      Case(#"{"fractional": [{"var": "s"}, ["b", 0]]}"#, #"{"s": ["a", 1], "targetingKey": "x"}"#, #""a""#),
      Case(#"{"fractional": ["x"]}"#, "null"), Case(#"{"fractional": []}"#, "null"),
      Case(#"{"fractional": "x"}"#, "null"),
    ])
  func seeds(example: Case) throws {
    try example.check()
  }

  @Test(
    "takes whole weights, of which negative ones are 0",
    arguments: [
      Case(#"{"fractional": ["x", ["a", 0], ["b", 5]]}"#, #""b""#),
      Case(#"{"fractional": ["x", ["a", -50], ["b", 100]]}"#, #""b""#),
      Case(#"{"fractional": ["x", ["a", 0], ["b", 0]]}"#, "null"), Case(#"{"fractional": ["x", ["a", -1]]}"#, "null"),
      Case(#"{"fractional": ["x", ["a", 1.5]]}"#, "null"), Case(#"{"fractional": ["x", ["a", "1"]]}"#, "null"),
      Case(#"{"fractional": ["x", ["a", true]]}"#, "null"), Case(#"{"fractional": ["x", ["a", null]]}"#, #""a""#),
      Case(#"{"fractional": ["x", ["a", 1.0]]}"#, #""a""#), Case(#"{"fractional": ["x", ["a", 2147483647]]}"#, #""a""#),
      Case(#"{"fractional": ["x", ["a", 2147483648]]}"#, "null"),
      Case(#"{"fractional": ["x", ["a", 2147483647], ["b", 1]]}"#, "null"),
      Case(#"{"fractional": ["x", []]}"#, "null"), Case(#"{"fractional": ["x", "a"]}"#, "null"),
      Case(#"{"fractional": ["x", ["a", 1], 7]}"#, "null"), Case(#"{"fractional": ["x", [["a"], 1]]}"#, "null"),
      Case(#"{"fractional": ["x", [{}, 1]]}"#, "null"), Case(#"{"fractional": ["x", [null, 1]]}"#, "null"),
      Case(#"{"fractional": ["x", [true, 1]]}"#, "true"), Case(#"{"fractional": ["x", [7, 1]]}"#, "7"),
      Case(#"{"fractional": ["x", ["a", 1, "more"]]}"#, #""a""#),
      Case(#"{"fractional": ["x", [{"var": "n"}, {"var": "w"}], ["b", 0]]}"#, #"{"n": "a", "w": 3}"#, #""a""#),
      Case(#"{"fractional": ["x", [{"var": "n"}, {"var": "w"}], ["b", 1]]}"#, #"{"n": "a", "w": 0}"#, #""b""#),
      Case(#"{"fractional": ["x", {"var": "share"}]}"#, #"{"share": ["a", 1]}"#, #""a""#),
      Case(#"{"if": [{"fractional": ["x", [false, 0], [true, 100]]}, "big", "small"]}"#, #""big""#),
      Case(#"{"if": [{"fractional": ["x", [false, 100], [true, 0]]}, "big", "small"]}"#, #""small""#),
    ])
  func weights(example: Case) throws {
    try example.check()
  }
}
