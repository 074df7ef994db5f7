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
      #"{"map": [{"var": "list"}, {"in": [2, \#(Array(repeating: "1", count: 1_000))]}]}"#,
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

  @Test("in what long texts cost")
  func longTexts() throws {
    let text = String(repeating: "a", count: 2_000_000)
    let context: FlagAttributes = ["text": .string(text), "part": .string(String(text.prefix(100_000)) + "b")]
    let result = try document(#"{"in": [{"var": "part"}, {"var": "text"}]}"#).evaluate("flag", in: context)
    #expect(result.errorCode == .general)
  }
}
