import Testing

@testable import PlugFlags

@Suite("The findings of a document")
struct FlagLintTests {
  @Test(
    "tell of branches that are never reached",
    arguments: [
      (
        #"{"if": [true, "on", {"var": "x"}, "off"]}"#,
        ["flags.flag.targeting.if[0]: the condition is always true, so nothing after it is reached"]
      ),
      (
        #"{"if": [{"var": "x"}, "on", 1, "off", "on"]}"#,
        ["flags.flag.targeting.if[2]: the condition is always true, so nothing after it is reached"]
      ),
      (
        #"{"if": [false, "on", "off"]}"#,
        ["flags.flag.targeting.if[0]: the condition is always false, so what it leads to is never reached"]
      ),
      (
        #"{"if": [{"var": "x"}, "on", {"var": "y"}, "off", {"var": "x"}, "off"]}"#,
        ["flags.flag.targeting.if[4]: the same condition has come before, so what it leads to is never reached"]
      ),
      (
        #"{"if": [{"and": [false, {"var": "x"}]}, "on", "off"]}"#,
        ["flags.flag.targeting.if[0].and[0]: the operand is always false, so nothing after it is reached"]
      ),
      (
        #"{"if": [{"or": [{"var": "x"}, 1, {"var": "y"}]}, "on", "off"]}"#,
        ["flags.flag.targeting.if[0].or[1]: the operand is always true, so nothing after it is reached"]
      ),
      (#"{"if": [{"var": "x"}, "on", {"var": "y"}, "off"]}"#, []),
    ] as [(String, [String])])
  func unreachable(targeting: String, findings: [String]) throws {
    #expect(try document(targeting).findings.map(\.description) == findings)
  }

  @Test("tell of variants that nothing selects, and of results that name none")
  func variants() throws {
    #expect(
      try document(#"{"if": [{"var": "x"}, "on", "of"]}"#, variants: ["on", "off", "old"]).findings.map(\.description)
        == [
          "flags.flag.targeting: the targeting can give \"of\", which is not the name of a variant",
          "flags.flag.variants.old: the targeting never gives the variant, and it is not the default",
        ])
    #expect(try document(#"{"if": [{"var": "x"}, {"var": "y"}]}"#, variants: ["on", "off", "old"]).findings == [])
    #expect(
      try document(#"{"==": [{"var": "x"}, 1]}"#).findings.map(\.description) == [
        "flags.flag.targeting: the targeting can give false, which is not the name of a variant",
        "flags.flag.targeting: the targeting can give true, which is not the name of a variant",
        "flags.flag.variants.on: the targeting never gives the variant, and it is not the default",
      ])
    #expect(try document(#"{"==": [{"var": "x"}, 1]}"#, variants: ["true", "false"], default: nil).findings == [])
  }

  @Test(
    "tell of weights that are all 0, and of bucketing values that flags share",
    arguments: [
      (
        #"{"fractional": [["on", 0], ["off", -1]]}"#,
        [
          "fractional[1][1]: the weight -1 counts as 0",
          "fractional: the weights are all 0, so the result is null",
        ]
      ),
      (
        #"{"fractional": [{"cat": [{"var": "$flagd.flagKey"}, "-seed"]}, ["on", 1], ["off", 1]]}"#,
        ["fractional[0]: the bucketing value is constant, so everyone has the same bucket"]
      ),
      (
        #"{"fractional": ["seed", ["on", 1], ["off", 1]]}"#,
        ["fractional[0]: the bucketing value is constant, so everyone has the same bucket"]
      ),
      (
        #"{"fractional": [{"var": "email"}, ["on", 1], ["off", 1]]}"#,
        ["fractional[0]: the bucketing value lacks $flagd.flagKey, so flags with the same value have the same buckets"]
      ),
      (#"{"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "email"}]}, ["on", 1], ["off"]]}"#, []),
      (#"{"fractional": [{"cat": ["flag-", {"var": "email"}]}, ["on", 1], ["off"]]}"#, []),
      (#"{"fractional": [null, ["on", 1], ["off"]]}"#, []), (#"{"fractional": [["on", 1], ["off", 0]]}"#, []),
    ] as [(String, [String])])
  func fractional(targeting: String, findings: [String]) throws {
    #expect(try document(targeting).findings.map(\.description) == findings.map { "flags.flag.targeting." + $0 })
  }

  @Test(
    "tell of what the schema refuses, and of lists where numbers are meant",
    arguments: [
      (
        #"{"if": [{"var": "$flagd.flagkey"}, "on", "off"]}"#,
        ["if[0].var: there is no variable \"$flagd.flagkey\"; did you mean \"$flagd.flagKey\"?"]
      ),
      (#"{"if": [{"var": ["$flagd.timestamp"]}, "on", "off"]}"#, []),
      (
        #"{"if": [{">": [{"max": [3, [1, 2]]}, {"min": [{"map": [{"var": "x"}, 1]}, 7]}]}, "on", "off"]}"#,
        [
          "if[0].>[0].max[1]: the operand is a list, not a number",
          "if[0].>[1].min[0]: the operand is a list, not a number",
        ]
      ), (#"{"if": [{">": [{"max": [[1, 2]]}, {"max": [{"var": "x"}, 1]}]}, "on", "off"]}"#, []),
    ] as [(String, [String])])
  func refused(targeting: String, findings: [String]) throws {
    #expect(try document(targeting).findings.map(\.description) == findings.map { "flags.flag.targeting." + $0 })
  }

  @Test(
    "name a split inside of a split that has the same bucketing value",
    arguments: [
      (
        #"{"fractional": [[{"fractional": [["on", 1], ["off", 1]]}, 10], ["off", 90]]}"#,
        ["fractional[0][0].fractional"]
      ),
      (
        #"""
        {"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "targetingKey"}]},
          ["off", 90], [{"if": [{"var": "x"}, {"fractional": [["on", 1], ["off", 1]]}, "off"]}, 10]]}
        """#, ["fractional[2][0].if[1].fractional"]
      ),
      (
        #"""
        {"fractional": [["off", 90], [{"fractional": [{"cat": ["salt", {"var": "$flagd.flagKey"}, {"var": "id"}]},
          ["on", 1], ["off", 1]]}, 10]]}
        """#, []
      ),
      (
        #"""
        {"if": [{"var": "x"}, {"fractional": [["on", 1], ["off", 1]]}, {"fractional": [["on", 1], ["off", 2]]}]}
        """#, []
      ),
    ] as [(String, [String])])
  func nestedSplits(targeting: String, paths: [String]) throws {
    let message = "a split around this one has the same bucketing value, so some of its variants are never chosen"
    let found = try document(targeting).findings.filter { $0.message.contains("split") }
    #expect(found.map(\.description) == paths.map { "flags.flag.targeting.\($0): \(message)" })
  }

  @Test("tell of metadata that is no Boolean, string or number")
  func metadata() throws {
    let document = try FlagDocument(
      """
      {"flags": {"a": {"state": "ENABLED", "variants": {}, "metadata": {"team": "a", "n": 1, "owners": ["b"]}}},
      "metadata": {"team": {"name": "a"}, "none": null}}
      """)
    #expect(
      document.findings.map(\.description) == [
        "metadata.team: the value is an object, not a Boolean, string or number",
        "metadata.none: the value is null, not a Boolean, string or number",
        "flags.a.metadata.owners: the value is an array, not a Boolean, string or number",
      ])
  }

  @Test("tell of misspelled names, mixed types, values like operations, and evaluators without use")
  func others() throws {
    let document = try FlagDocument(
      """
      {"flags": {
        "a": {"state": "ENABLED", "variants": {"on": true, "off": "no"}, "defaultvariant": "on", "description": "x"},
        "b": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on",
          "targeting": {"if": [{"==": [1, {"var": "x"}], "in": [1, []]}, "on", {"$ref": "used"}]}},
        "c": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"wrong": 1}}},
      "$evaluators": {"used": {"if": [{"var": "y"}, "on", null]}, "unused": {"or": [true, false]}}}
      """)
    #expect(
      document.findings.map(\.description) == [
        "flags.a.defaultvariant: a flag has no such member; did you mean \"defaultVariant\"?",
        "flags.a.variants: the variants are of several types: a Boolean and a string",
        "flags.b.targeting.if[0]: the condition is always true, so nothing after it is reached",
        "flags.b.targeting.if[0]: an object with several members is a value, not an operation",
        "$evaluators.unused: no targeting refers to the evaluator",
        "$evaluators.unused.or[0]: the operand is always true, so nothing after it is reached",
      ])
  }
}
