import Testing

@testable import PlugFlags

@Suite("A branch of targeting")
struct FlagAnnotationTests {
  private func document(_ targeting: String) throws -> FlagDocument {
    try FlagDocument(
      """
      {"flags": {"flag": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "metadata": {"team": "shop", "details": "none"}, "targeting": \(targeting)}}, "metadata": {"version": 7}}
      """)
  }

  private let common: [String: FlagValue] = ["version": 7, "team": "shop", "details": "none"]

  @Test(
    "gives the variant that it names, with its reason and its metadata",
    arguments: [
      (#"{"variant": "on"}"#, "TARGETING_MATCH", [:]),
      (#"{"variant": "on", "reason": "SPLIT"}"#, "SPLIT", [:]),
      (
        #"{"variant": "on", "reason": "ALLOWLIST", "metadata": {"details": "pilot", "team": "web", "share": 10}}"#,
        "ALLOWLIST", ["details": "pilot", "team": "web", "share": 10]
      ),
      (
        #"{"variant": "on", "details": "pilot", "metadata": {"details": "x"}}"#, "TARGETING_MATCH",
        ["details": "pilot"]
      ),
      (#"{"variant": "on", "reason": 1, "metadata": 2}"#, "TARGETING_MATCH", [:]),
    ] as [(String, String, [String: FlagValue])])
  func annotated(branch: String, reason: String, metadata: [String: FlagValue]) throws {
    let document = try document(#"{"if": [{"var": "isStaff"}, \#(branch), "off"]}"#)
    #expect(document.problems.isEmpty && document.findings.isEmpty)
    let key = FlagKey("flag", default: false)
    let matched = FlagEvaluation(
      value: true, variant: "on", reason: FlagReason(rawValue: reason), metadata: common.merging(metadata) { $1 })
    let plain = FlagEvaluation(value: false, variant: "off", reason: .targetingMatch, metadata: common)
    #expect(document.evaluate(key, in: ["isStaff": true] as FlagAttributes) == matched)
    #expect(document.evaluate(key, in: FlagAttributes()) == plain)
  }

  @Test(
    "is an error if it names no variant",
    arguments: [
      (#"{"variant": "of", "reason": "SPLIT"}"#, "the targeting gave \"of\", which is not the name of a variant"),
      (
        #"{"variant": 1, "reason": "SPLIT"}"#,
        #"the targeting gave {"reason":"SPLIT","variant":1}, which is not the name of a variant"#
      ),
      (
        #"{"reason": "SPLIT", "metadata": {}}"#,
        #"the targeting gave {"metadata":{},"reason":"SPLIT"}, which is not the name of a variant"#
      ),
    ])
  func unknown(branch: String, message: String) throws {
    let evaluation = try document(branch).evaluate("flag", in: FlagAttributes())
    let expected = FlagEvaluation<FlagValue?>(
      value: nil, variant: nil, reason: .error, errorCode: .general, errorMessage: message, metadata: common)
    #expect(evaluation == expected)
  }

  @Test("with a variant that is no string is an unknown operation")
  func operation() throws {
    #expect(
      try document(#"{"variant": {"var": "x"}}"#).problems.map(\.description) == [
        "flags.flag.targeting.variant: operator \"variant\" is unknown"
      ])
  }
}
