import Foundation
import TestSupport
import Testing

@testable import PlugFlags

@Suite("An evaluation is bounded")
struct FlagLimitTests {
  private let long = FlagAttributes(["list": .array((0..<1_500).map { .number(Double($0)) })])

  @Test(
    "in its steps, and says so",
    arguments: [
      #"{"reduce": [{"var": "list"}, {"merge": [{"var": "accumulator"}, {"var": "accumulator"}]}, [1]]}"#,
      #"{"reduce": [{"var": "list"}, {"cat": [{"var": "accumulator"}, {"var": "accumulator"}]}, "0123456789abcdef"]}"#,
      #"{"map": [{"var": "list"}, {"==": ["", \#(Array(repeating: "1", count: 1_000))]}]}"#,
    ])
  func steps(targeting: String) throws {
    let result = try document(targeting.replacingOccurrences(of: "\"1\"", with: "1")).evaluate("flag", in: long)
    #expect(
      result
        == FlagEvaluation(
          value: nil, variant: nil, reason: .error, errorCode: .general,
          errorMessage: "the targeting takes more than 1000000 steps; its lists are too long, or too deeply nested"))
  }

  @Test("in the depth of what it makes")
  func depth() throws {
    let result = try document(#"{"reduce": [{"var": "list"}, [{"var": "accumulator"}], 0]}"#).evaluate("flag", in: long)
    #expect(result.errorMessage == "the targeting makes a value that is nested deeper than 200 levels")
  }

  @Test("in its recursion, on a thread with a small stack")
  func recursion() throws {
    var targeting = "{\"var\": \"x\"}"
    for _ in 0..<97 { targeting = "{\"if\": [\(targeting), \"on\"]}" }
    let document = try document(targeting)
    #expect(document.problems == [])
    let variant = onThread {
      _ = try? FlagDocument(
        "{\"flags\": \(String(repeating: "{\"a\":", count: 400))1\(String(repeating: "}", count: 401))")
      return document.explain("flag", in: ["x": true] as FlagAttributes).evaluation.variant
    }
    #expect(variant == "on")
  }

  @Test(
    "by steps, of which 16 bytes of a text and an element of a list are one each",
    arguments: [
      (#"{"in": [{"var": "text"}, {"var": "texts"}]}"#, 512 + 256),
      (#"{"in": [1, {"var": "list"}]}"#, 1_000), (#"{"==": [{"var": "list"}, 1]}"#, 1_000),
      (#"{"+": [{"var": "list"}, 1, 2]}"#, 1_000), (#"{"<": [1, {"var": "list"}]}"#, 1_000),
      (#"{"max": [{"var": "text"}, 1]}"#, 256), (#"{"cat": [{"var": "text"}, {"var": "list"}]}"#, 1_256),
      (#"{"substr": [{"var": "text"}, 1]}"#, 256), (#"{"missing": {"var": "list"}}"#, 1_000),
      (#"{"var": {"var": "text"}}"#, 256), (#"{"sem_ver": [{"var": "text"}, "=", "1.0.0"]}"#, 256),
      (#"{"starts_with": [{"var": "text"}, "a"]}"#, 256), (#"{"fractional": [{"var": "text"}, ["a", 1]]}"#, 256),
      (#"{"map": [{"var": "list"}, {"+": [{"var": ""}, 1]}]}"#, 3_000), (#"{"merge": [{"var": "list"}, 1]}"#, 1_000),
      (#"{"if": [{"var": "list"}, {"var": "text"}]}"#, 0),
      (#"{"map": [{"var": "list"}, {"in": [{"var": ""}, \#(Array(0..<100))]}]}"#, 2_000),
    ])
  func counts(rule: String, expected: Int) throws {
    let (text, list) = (String(repeating: "a", count: 4_096), FlagValue.array(Array(repeating: 2, count: 1_000)))
    let context: FlagAttributes = ["text": .string(text), "texts": .string(text + text), "list": list]
    #expect(try stepCount(of: rule, context) == expected)
  }

  @Test("in the time that a long text takes, whatever it repeats", .timeLimit(.minutes(10)))
  func longTexts() throws {
    let text = String(repeating: "a", count: 4_000_000)
    let part = text.prefix(2_000_000)
    for (end, isIn) in [("", true), ("b", false)] {
      let context: FlagAttributes = ["text": .string(text), "part": .string(part + end)]
      let result = try document(
        #"{"in": [{"var": "part"}, {"var": "text"}]}"#, variants: ["true", "false"], default: nil
      )
      .evaluate("flag", in: context)
      #expect(result.variant == "\(isIn)")
    }
  }

  @Test("when it looks for an element of a million", .timeLimit(.minutes(10)))
  func longLists() throws {
    let list = (0..<500_000).map { "\"\($0)\", \($0)" }.joined(separator: ", ")
    let targeting = #"{"in": [{"var": "x"}, [null, true, \#(list), ["a"]]]}"#
    let document = try document(targeting, variants: ["true", "false"], default: nil)
    for (value, isIn) in [
      ("499999", true), ("500000", false), (499_999, true), (500_000, false), (.null, true), (true, true),
      (false, false), (["a"], false), (.number(.nan), false),
    ] as [(FlagValue, Bool)] {
      for _ in 0..<1_000 {
        #expect(document.evaluate("flag", in: ["x": value] as FlagAttributes).variant == "\(isIn)")
      }
    }
  }

  @Test("and reading a document is: of many mistakes the first have hints")
  func hints() throws {
    let flags = (0..<4_000).map { number in
      #""flag-\#(number)": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"$ref": "piece-\#(number)x"}}"#
    }
    let pieces = (0..<4_000).map { "\"piece-\($0)\": true" }
    let problems = try FlagDocument(
      "{\"flags\": {\(flags.joined(separator: ","))}, \"$evaluators\": {\(pieces.joined(separator: ","))}}"
    ).problems
    #expect(problems.count == 4_000)
    #expect(
      problems.prefix(2).map(\.description) == [
        "flags.flag-0.targeting.$ref: there is no evaluator \"piece-0x\"; did you mean \"piece-0\"?",
        "flags.flag-1.targeting.$ref: there is no evaluator \"piece-1x\"",
      ])
  }
}
