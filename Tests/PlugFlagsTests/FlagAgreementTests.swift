import PlugFlags
import Testing

/// Values in which evaluators of flagd differ, and what counts.
@Suite("A flag has the value that flagd's evaluators agree on")
struct FlagAgreementTests {
  private func evaluate(_ flag: String, _ context: FlagAttributes = [:]) throws -> FlagEvaluation<FlagValue?> {
    try FlagDocument(#"{"flags": {"flag": \#(flag)}, "metadata": {"x": 1, "y": 2}}"#).evaluate("flag", in: context)
  }

  private func result(_ variant: String?, _ reason: FlagReason) -> FlagEvaluation<FlagValue?> {
    FlagEvaluation(value: variant.map { .string($0) }, variant: variant, reason: reason, metadata: ["x": 1, "y": 2])
  }

  @Test("DISABLED, even if its targeting is wrong")
  func disabled() throws {
    let flag = #"{"state": "DISABLED", "variants": {"a": 1}, "defaultVariant": "a", "targeting": {"nope": 1}}"#
    #expect(try evaluate(flag) == result(nil, .disabled))
  }

  @Test("the default where an empty targeting key would decide")
  func emptyKeys() throws {
    let flag = """
      {"state": "ENABLED", "variants": {"a": "a", "b": "b"}, "defaultVariant": "a",
      "targeting": {"fractional": [["b", 1]]}}
      """
    #expect(try evaluate(flag, FlagAttributes(targetingKey: "")) == result("a", .default))
    #expect(try evaluate(flag, FlagAttributes(targetingKey: "x")) == result("b", .targetingMatch))
  }

  @Test("the default of var in the place of null", arguments: [#""plan""#, #"{"cat": ["pl", "an"]}"#])
  func nulls(path: String) throws {
    let flag = """
      {"state": "ENABLED", "variants": {"free": "free", "paid": "paid"}, "targeting": {"var": [\(path), "free"]}}
      """
    #expect(try evaluate(flag, ["plan": .null]) == result("free", .targetingMatch))
    #expect(try evaluate(flag, ["plan": "paid"]) == result("paid", .targetingMatch))
  }

  @Test("the variant's whose name is the text of a number", arguments: [("1", "1"), ("2.0", "2"), ("0.5", "0.5")])
  func numbers(number: String, name: String) throws {
    let flag = """
      {"state": "ENABLED", "variants": {"1": "1", "2": "2", "0.5": "0.5"}, "targeting": {"+": [\(number)]}}
      """
    #expect(try evaluate(flag) == result(name, .targetingMatch))
  }

  @Test("the caller's, if a number is the name of no variant", arguments: [("2", "\"2\""), ("null", "null")])
  func otherNumbers(divisor: String, shown: String) throws {
    let flag =
      #"{"state": "ENABLED", "variants": {"1": "1"}, "targeting": {"/": [\#(divisor == "null" ? 0 : 4), "#
      + #"\#(divisor)]}}"#
    #expect(try evaluate(flag).errorMessage == "the targeting gave \(shown), which is not the name of a variant")
  }

  @Test("the caller's, if the name of the default variant is empty")
  func emptyDefaults() throws {
    for variants in [#"{"a": "a"}"#, #"{"": "a"}"#] {
      let text = #"{"state": "ENABLED", "variants": \#(variants), "defaultVariant": ""}"#
      #expect(try FlagDocument(#"{"flags": {"flag": \#(text)}}"#).problems == [])
      #expect(try evaluate(text) == result(nil, .default))
    }
  }

  @Test("its own, if its key and another flag's differ in their bytes")
  func bytes() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    func flag(_ value: Int) -> String {
      #"{"state": "ENABLED", "variants": {"\#(composed)": \#(value), "\#(decomposed)": 0}, "#
        + #""defaultVariant": "\#(composed)"}"#
    }
    for count in [0, 20] {
      let others = (0..<count).map { ", \"flag \($0)\": \(flag(3))" }.joined()
      let document = try FlagDocument(
        #"{"flags": {"\#(composed)": \#(flag(1)), "\#(decomposed)": \#(flag(2))\#(others)}}"#)
      #expect(document.problems == [])
      #expect(document.keys.count == 2 + count)
      #expect(document.evaluate(FlagKey(composed, default: 0), in: FlagAttributes()).value == 1)
      #expect(document.evaluate(FlagKey(decomposed, default: 0), in: FlagAttributes()).value == 2)
      let replaced = document.replacing(flag: decomposed, with: 7)
      #expect(replaced.evaluate(FlagKey(composed, default: 0), in: FlagAttributes()).value == 1)
      #expect(replaced.evaluate(FlagKey(decomposed, default: 0), in: FlagAttributes()).value == 7)
      #expect(try FlagDocument(replaced.json()) == replaced)
    }
  }

  @Test("with the document's metadata where its own is null")
  func metadata() throws {
    let flag = #"{"state": "ENABLED", "variants": {}, "metadata": {"x": null, "y": 3, "z": null}}"#
    #expect(try evaluate(flag).metadata == ["x": 1, "y": 3, "z": .null])
  }
}
