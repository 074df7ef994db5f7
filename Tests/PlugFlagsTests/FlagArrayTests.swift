import PlugFlags
import Testing

@Suite("Flags in an array")
struct FlagArrayTests {
  /// A key in two sets and in none, and one mistake of each kind.
  private let text = """
    {"flags": [
      {"key": "a", "state": "ENABLED", "variants": {"on": 1}, "defaultVariant": "on"},
      {"key": "a", "state": "ENABLED", "variants": {"on": 2}, "targeting": {"$ref": "piece"}, "metadata": {"flagSetId": "shop"}},
      {"key": "b", "state": "ENABLED", "variants": {"on": 3}, "defaultVariant": "on", "metadata": {"flagSetId": "shop"}},
      {"key": "a", "state": "wrong", "variants": {"on": 4}, "metadata": {"flagSetId": "staff"}},
      {"key": "c", "state": "ENABLED", "variants": {"on": 5}, "defaultVariant": "on"},
      {"key": "c", "state": "ENABLED", "variants": {"on": 6}, "defaultVariant": "on"},
      {"state": "ENABLED", "variants": {"on": 7}}, {"key": "", "state": "ENABLED", "variants": {}}, 8
    ], "$evaluators": {"piece": "on"}}
    """

  @Test("are told apart by their keys and sets, and mistakes are listed by their place")
  func reading() throws {
    let document = try FlagDocument(text)
    #expect(document.keys == ["a", "b", "c"])
    #expect(
      document.problems.map(\.description) == [
        #"flags[3].state: state "wrong" is unknown; one of ENABLED DISABLED"#,
        #"flags[4].key: the set has several flags with the key "c""#,
        #"flags[5].key: the set has several flags with the key "c""#,
        #"flags[6].key: "key" is missing, or not a string with the key of the flag"#,
        #"flags[7].key: "key" is missing, or not a string with the key of the flag"#,
        "flags[8]: the flag is a number, not an object",
      ])
    #expect(document.evaluate("c", in: Buyer()).errorCode == .parseError)
  }

  @Test("are all of one set, or the last valid ones of all sets")
  func sets() throws {
    let document = try FlagDocument(text)
    func values(_ document: FlagDocument) -> [String] {
      document.keys.map { key in "\(key)=\(document.evaluate(key, in: Buyer()).value.map(\.description) ?? "nil")" }
    }
    #expect(values(document) == ["a=2", "b=3", "c=nil"])
    #expect(values(document.flagSet("shop")) == ["a=2", "b=3"])
    let staff = document.flagSet("staff")
    #expect(values(staff) == ["a=nil"])
    #expect(staff.problems.map(\.path) == ["flags[3].state", "flags[6].key", "flags[7].key", "flags[8]"])
    #expect(document.flagSet("shop").problems.map(\.path) == ["flags[6].key", "flags[7].key", "flags[8]"])
    #expect(
      document.flagSet("shop").json(isIndented: false)
        == #"{"flags":{"a":{"state":"ENABLED","variants":{"on":2},"targeting":"on","metadata":{"flagSetId":"shop"}},"#
        + #""b":{"state":"ENABLED","variants":{"on":3},"defaultVariant":"on","metadata":{"flagSetId":"shop"}}},"#
        + #""metadata":{"flagSetId":"shop"}}"#)
  }

  @Test("take the set of the document where they name none")
  func documentSet() throws {
    let text = #"""
      {"flags": [
        {"key": "a", "state": "ENABLED", "variants": {"on": 1}, "defaultVariant": "on"},
        {"key": "a", "state": "ENABLED", "variants": {"on": 2}, "defaultVariant": "on", "metadata": {"flagSetId": "base"}},
        {"key": "a", "state": "ENABLED", "variants": {"on": 3}, "defaultVariant": "on", "metadata": {"flagSetId": "shop"}}
      ], "metadata": {"flagSetId": "base"}}
      """#
    let document = try FlagDocument(text)
    #expect(document.problems.map(\.path) == ["flags[0].key", "flags[1].key"])
    #expect(document.flagSet("base").evaluate("a", in: Buyer()).errorCode == .parseError)
    #expect(document.flagSet("shop").evaluate("a", in: Buyer()).value == 3)
  }

  @Test("are written as they were read, replaced in tests, and have findings")
  func writing() throws {
    let document = try FlagDocument(text)
    #expect(try FlagDocument(document.json()) == document)
    let replaced = document.replacing(flag: "a", with: 9)
    #expect(replaced.evaluate("a", in: Buyer()).value == 9)
    #expect(replaced.flagSet("shop").evaluate("a", in: Buyer()).value == 9)
    #expect(try FlagDocument(replaced.json()).evaluate("a", in: Buyer()).value == 9)
    #expect(replaced.problems.map(\.path).first == "flags[4].key")
    let lint = try FlagDocument(
      #"{"flags": [{"key": "a", "state": "ENABLED", "variants": {"on": 1, "off": true}, "defaultVariant": "on"}]}"#)
    #expect(
      lint.findings.map(\.description) == [
        "flags[0].variants: the variants are of several types: a number and a Boolean"
      ])
  }

  @Test("are one document among others that are merged, whose later ones win")
  func merging() throws {
    let old = try FlagDocument(
      #"{"flags": {"a": {"state": "ENABLED", "variants": {"on": 0}, "defaultVariant": "on"}}}"#)
    #expect(try FlagDocument(text).changedKeys(since: old) == ["a", "b", "c"])
    #expect(old.changedKeys(since: try FlagDocument(text)) == ["a", "b", "c"])
  }
}
