import Foundation
import Testing

@testable import PlugFlags

@Suite("A flag document")
struct FlagDocumentTests {
  @Test("refuses data that is no document, and says why")
  func refusals() {
    let texts: [(String, FlagDocumentError)] = [
      ("", .notJSON(.init(line: 1, column: 1, problem: "expected a value, found the end of the text"))),
      (
        "{\n  \"flags\": {},\n}",
        .notJSON(.init(line: 3, column: 1, problem: "expected the name of a member, found \"}\""))
      ),
      ("[]", .noFlags(problem: "the text is an array, not an object")),
      ("7", .noFlags(problem: "the text is a number, not an object")),
      ("{}", .noFlags(problem: "\"flags\" is missing")),
      ("{\"flags\": 7}", .noFlags(problem: "\"flags\" is a number, not an object or an array")),
      ("{\"flags\": null}", .noFlags(problem: "\"flags\" is null, not an object or an array")),
    ]
    for (text, error) in texts {
      #expect(throws: error, "\(text)") { try FlagDocument(text) }
    }
    #expect(
      "\(FlagDocumentError.notJSON(.init(line: 3, column: 7, problem: "expected a value, found \"}\"")))" == """
        The text is not a flag document, because it is not JSON
        line 3, column 7: expected a value, found "}"
        To fix this: correct the text at this place
        """)
    #expect(
      "\(FlagDocumentError.noFlags(problem: "\"flags\" is missing"))" == """
        The text is not a flag document, because it has no flags
        "flags" is missing
        To fix this: write the flags as {"flags": {"name of a flag": {"state": "ENABLED", "variants": {…}}}}
        """)
  }

  @Test("lists every problem at once with its path, and evaluates flags without one")
  func problems() throws {
    let document = try FlagDocument(
      """
      {
        "flags": {
          "good": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"},
          "list": [],
          "bare": {},
          "state": {"state": "enabled", "variants": {"on": true}},
          "states": {"state": true, "variants": {"on": true}},
          "variants": {"state": "ENABLED", "variants": ["on"]},
          "kinds": {"state": "ENABLED", "variants": {"a": null, "b": [1], "c": {}}},
          "lists": {"state": "ENABLED", "variants": {"few": [1], "none": []}, "defaultVariant": "few"},
          "default": {"state": "ENABLED", "variants": {"red": 1, "green": 2}, "defaultVariant": "gren"},
          "default type": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": 1},
          "metadata": {"state": "ENABLED", "variants": {"on": true}, "metadata": "x"},
          "twice": {"state": "DISABLED", "state": "ENABLED", "variants": {"on": true}},
          "large": {"state": "ENABLED", "variants": {"a": 9007199254740992, "b": -1e400, "c": 9007199254740991}},
          "a.b": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"startswith": ["a", "b"]}},
          "deep": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"if": [{"!": {"equals": []}}, 1]}},
          "refs": {"state": "ENABLED", "variants": {"on": true},
            "targeting": {"or": [{"$ref": "nested"}, {"$ref": 1}, {"$ref": "gone"}, {"$ref": "fine"}]}},
          "checkout": {"state": "ENABLED", "variants": {"on": true},
            "targeting": {"if": [{"sem_ver": [{"var": "v"}, "=>", "1.0"]}, "on"]}},
          "same": {"state": "ENABLED", "variants": {"on": true}},
          "same": {"state": "ENABLED", "variants": {"on": true}}
        },
        "$evaluators": {"nested": {"and": [{"$ref": "fine"}]}, "fine": true},
        "metadata": 7
      }
      """)
    #expect(
      document.problems.map(\.description) == [
        "metadata: metadata is a number, not an object",
        "$evaluators.nested.and[0].$ref: an evaluator cannot refer to an evaluator",
        "flags.list: the flag is an array, not an object",
        "flags.bare: \"state\" is missing; one of ENABLED DISABLED",
        "flags.bare: \"variants\" is missing",
        "flags.state.state: state \"enabled\" is unknown; one of ENABLED DISABLED",
        "flags.states.state: state is a Boolean, not one of ENABLED DISABLED",
        "flags.variants.variants: variants is an array, not an object",
        "flags.kinds.variants.a: the variant is null, not a Boolean, string, number, array or object",
        "flags.default.defaultVariant: the flag has no variant \"gren\"; did you mean \"green\"?",
        "flags[\"default type\"].defaultVariant: defaultVariant is a number, not the name of a variant",
        "flags.metadata.metadata: metadata is a string, not an object",
        "flags.twice.state: the name appears more than once",
        "flags.large.variants.a: the number is beyond 2^53 - 1, and would lose digits",
        "flags.large.variants.b: the number is beyond 2^53 - 1, and would lose digits",
        "flags[\"a.b\"].targeting.startswith: operator \"startswith\" is unknown; did you mean \"starts_with\"?",
        "flags.deep.targeting.if[0].!.equals: operator \"equals\" is unknown",
        "flags.refs.targeting.or[0].$ref: the evaluator \"nested\" is wrong itself",
        "flags.refs.targeting.or[1].$ref: a reference is a number, not the name of an evaluator",
        "flags.refs.targeting.or[2].$ref: there is no evaluator \"gone\"; did you mean \"fine\"?",
        "flags.checkout.targeting.if[0].sem_ver: operator \"=>\" is unknown; one of = != < <= > >= ^ ~",
        "flags.same: the name appears more than once",
      ])
    let valid = document.keys.filter { document[$0]?.isValid == true }
    #expect(valid == ["good", "lists", "checkout"])
    #expect(document.evaluate(FlagKey("good", default: false), in: FlagAttributes()).value)
    #expect(document.evaluate("checkout", in: FlagAttributes()).reason == .default)
    #expect(document.evaluate(FlagKey<[Int]>("lists", default: [0]), in: FlagAttributes()).value == [1])
    for key in document.keys where !valid.contains(key) {
      #expect(document.evaluate(key, in: FlagAttributes()).errorCode == .parseError, "\(key)")
    }
  }

  @Test(
    "warns of operands that can only give null",
    arguments: [
      (#"{"sem_ver": ["1.0"]}"#, ["it takes a version, an operator and a version, not 1"]),
      (#"{"sem_ver": ["x", "=", 1]}"#, ["\"x\" is not a semantic version, such as 1.2.3"]),
      (
        #"{"sem_ver": [true, 1, null]}"#,
        [
          "operator 1 is unknown; one of = != < <= > >= ^ ~", "true is not a semantic version, such as 1.2.3",
          "null is not a semantic version, such as 1.2.3",
        ]
      ),
      (#"{"starts_with": ["a"]}"#, ["it takes two strings, not 1"]),
      (#"{"ends_with": [{"var": "x"}, 3]}"#, ["3 is not a string"]),
      (#"{"fractional": []}"#, ["it has no variants with weights, such as [\"on\", 25]"]),
      (#"{"fractional": [7, ["a", 1]]}"#, ["the bucketing value 7 is not a string"]),
      (
        #"{"fractional": ["x", "a", ["b", "1"], [["c"], 1], ["d", 0.5]]}"#,
        [
          "\"a\" is not a variant with a weight, such as [\"on\", 25]",
          "the weight \"1\" of \"b\" is not a whole number",
          "[\"c\"] cannot be the name of a variant", "the weight 0.5 of \"d\" is not a whole number",
        ]
      ),
      (#"{"fractional": [["a", 2147483647], ["b", 1]]}"#, ["the weights are more than 2147483647 together"]),
      (#"{"fractional": [{"var": "x"}, ["a", -1], [{"var": "y"}, {"var": "z"}]]}"#, []),
    ] as [(String, [String])])
  func warnings(targeting: String, messages: [String]) throws {
    let document = try document(targeting)
    #expect(document.problems.map(\.message) == messages)
    #expect(document.problems.allSatisfy { $0.severity == .warning })
    let result = document.evaluate("flag", in: FlagAttributes(targetingKey: "x"))
    if !messages.isEmpty { #expect(result.variant == "off" && result.reason == .default) }
  }

  @Test(
    "does not survive deep nesting as a crash, but as a problem with its path",
    arguments: [199, 200, 201, 5_000, 100_000])
  func nesting(depth: Int) throws {
    let open = String(repeating: "[", count: depth)
    let close = String(repeating: "]", count: depth)
    let text = """
      {"flags": {"deep": {"state": "ENABLED", "variants": {"on": true}, "targeting": \(open)1\(close)},
      "good": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}}}
      """
    let document = try FlagDocument(text)
    let path = "flags.deep.targeting" + String(repeating: "[0]", count: 197)
    #expect(
      document.problems.map(\.description)
        == (depth <= 197 ? [] : ["\(path): the value is nested deeper than 200 levels"]))
    #expect(document.evaluate("good", in: FlagAttributes()).value == true)
    #expect(try FlagDocument(document.json()) == document)
  }

  @Test("is written as it was read")
  func writing() throws {
    let text = """
      {
        "$schema": "https://flagd.dev/schema/v0/flags.json",
        "flags": {
          "a\\"\\\\\\n\\u0001é😀": {
            "state": "DISABLED",
            "variants": {},
            "empty": [],
            "numbers": [
              0,
              -1.5,
              1e+21,
              null,
              true
            ]
          }
        }
      }
      """
    let document = try FlagDocument(text)
    #expect(document.json() == text)
    #expect("\(document)" == text)
    #expect(try FlagDocument(document.json(isIndented: false)) == document)
    #expect(try FlagDocument(document.data()) == document)
    #expect(!document.json(isIndented: false).contains("\n"))
    #expect(try FlagDocument("{\"flags\": {}}") != document)
  }

  @Test("is read from files, and describes their mistakes")
  func files() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("flags-\(UUID().uuidString).json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect {
      try FlagDocument(contentsOfFile: path)
    } throws: { error in
      guard case .unreadable(path, let reason) = error as? FlagDocumentError else { return false }
      return !reason.isEmpty
    }
    let document = try document(#"{"if": [true, "on"]}"#)
    try document.data().write(to: URL(fileURLWithPath: path))
    #expect(try FlagDocument(contentsOfFile: path) == document)
  }

  @Test("describes its parts")
  func contents() throws {
    let document = try FlagDocument(
      """
      {"flags": {"b": {"state": "ENABLED", "variants": {"y": 1, "x": 2}, "defaultVariant": "x",
        "targeting": {"var": "a"}},
      "a": {"state": "DISABLED", "variants": {"on": true}, "metadata": {"m": 1}}}, "metadata": {"n": 2, "m": 0}}
      """)
    #expect(document.keys == ["b", "a"])
    let flag = try #require(document["b"])
    #expect(flag.variants == ["y", "x"] && flag.defaultVariant == "x" && flag.isTargeted && flag.isEnabled)
    #expect(flag.value(of: "y") == 1 && flag.value(of: "z") == nil)
    #expect(document["a"]?.metadata == ["m": 1, "n": 2] && document["a"]?.isEnabled == false)
    #expect(document.metadata == ["m": 0, "n": 2] && document["c"] == nil)
  }

  @Test("may have thousands of flags")
  func size() throws {
    let flags = (0..<2_000).map {
      """
      "flag-\($0)": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
      "targeting": {"if": [{"in": [{"var": "country"}, ["DE", "AT"]]}, "on", null]}}
      """
    }
    let document = try FlagDocument("{\"flags\": {\(flags.joined(separator: ","))}}")
    #expect(document.problems == [] && document.keys.count == 2_000)
    #expect(document.evaluate("flag-1999", in: ["country": "DE"] as FlagAttributes).variant == "on")
  }

  @Test(
    "puts an evaluator into the place of each reference, also for all operands and for the whole targeting",
    arguments: [
      (#"[{"var": "a"}, 1]"#, #"{"if": [{"==": {"$ref": "piece"}}, "on"]}"#, "on = 1 (TARGETING_MATCH)"),
      (#"[["on", 1]]"#, #"{"fractional": {"$ref": "piece"}}"#, "on = 1 (TARGETING_MATCH)"),
      (#"["on", 1]"#, #"{"fractional": [{"$ref": "piece"}, ["off", 0]]}"#, "on = 1 (TARGETING_MATCH)"),
      (#"[1, 2]"#, #"{"if": [{"in": [{"var": "a"}, {"$ref": "piece"}]}, "on"]}"#, "on = 1 (TARGETING_MATCH)"),
      (#"{}"#, #"{"$ref": "piece"}"#, "off = 2 (STATIC)"), (#"null"#, #"{"$ref": "piece"}"#, "off = 2 (STATIC)"),
    ])
  func evaluators(piece: String, targeting: String, result: String) throws {
    let document = try FlagDocument(
      """
      {"flags": {"flag": {"state": "ENABLED", "variants": {"on": 1, "off": 2}, "defaultVariant": "off",
        "targeting": \(targeting)}}, "$evaluators": {"piece": \(piece)}}
      """)
    let context: FlagAttributes = ["targetingKey": "lou", "a": 1]
    #expect(document.evaluate(FlagKey("flag", default: 0), in: context).description == result)
  }
}
