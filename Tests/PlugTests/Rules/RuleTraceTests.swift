import PlugKeys
import TestSupport
import Testing

@testable import Plug

@Suite("The trace of a rule")
struct RuleTraceTests {
  static let rule: Rule<Guest> = !.feature("beta") && (.atLeast(\.score, 0.5) || .always)

  static let traced = RuleTrace(
    .all, name: "all", outcome: .satisfied,
    parts: [
      RuleTrace(
        .not, name: "not", outcome: .satisfied,
        parts: [RuleTrace(name: #"feature "beta""#, outcome: .unsatisfied, operand: Operand([String]()))]),
      RuleTrace(
        .any, name: "any", outcome: .satisfied,
        parts: [
          RuleTrace(
            name: "score >= 0.5", outcome: .indeterminate, operand: Operand(Double?.none), reason: "score has no value"),
          RuleTrace(.constant, name: "always", outcome: .satisfied),
        ]),
    ])

  @Test("is a tree of names, outcomes, operands and reasons")
  func value() {
    let trace = Self.rule.trace(in: Guest())
    #expect(trace == Self.traced)
    #expect(trace.hashValue == Self.traced.hashValue)
  }

  static let differences = [
    RuleTrace(name: "b", outcome: .satisfied, operand: Operand(1), reason: "r", parts: []),
    RuleTrace(name: "a", outcome: .indeterminate, operand: Operand(1), reason: "r", parts: []),
    RuleTrace(name: "a", outcome: .satisfied, operand: Operand(2), reason: "r", parts: []),
    RuleTrace(.constant, name: "a", outcome: .satisfied, operand: Operand(1), reason: "r", parts: []),
    RuleTrace(name: "a", outcome: .satisfied, operand: Operand(text: "1"), reason: "r", parts: []),
    RuleTrace(name: "a", outcome: .satisfied, operand: nil, reason: "r", parts: []),
    RuleTrace(name: "a", outcome: .satisfied, operand: Operand(1), reason: nil, parts: []),
    RuleTrace(name: "a", outcome: .satisfied, operand: Operand(1), reason: "r", parts: [traced]),
  ]

  @Test("differs from a trace with any other value", arguments: differences)
  func inequality(_ other: RuleTrace) {
    #expect(RuleTrace(name: "a", outcome: .satisfied, operand: Operand(1), reason: "r") != other)
  }

  @Test("prints a line for each part, indented by its depth")
  func description() {
    #expect(
      "\(Self.traced)" == """
        + all
          + not
            - feature "beta": []
          + any
            ? score >= 0.5: nil (score has no value)
            + always
        """)
  }

  @Test("keeps a reason of several lines to the right of the parts")
  func longReason() {
    let trace = RuleTrace(
      name: "not", outcome: .indeterminate,
      parts: [
        RuleTrace(name: "quota is left", outcome: .indeterminate, reason: "no quota\n  service: Quota\n\nTo fix this:"),
        RuleTrace(name: "always", outcome: .satisfied),
      ])
    #expect(
      "\(trace)" == """
        ? not
          ? quota is left (no quota
                service: Quota

              To fix this:)
          + always
        """)
  }

  @Test("keeps values in the types of JSON")
  func values() {
    #expect(RuleTrace.Value(Int?.none as Any) == .null)
    #expect(RuleTrace.Value(Int??.some(nil) as Any) == .null)
    #expect(RuleTrace.Value(true) == .boolean(true))
    #expect(RuleTrace.Value(UInt8(7)) == .number(7))
    #expect(RuleTrace.Value(Int64.max) == .string("9223372036854775807"))
    #expect(RuleTrace.Value(UInt64.max) == .string("18446744073709551615"))
    #expect(RuleTrace.Value(Float(0.5)) == .number(0.5))
    #expect(RuleTrace.Value(Double.infinity) == .string("inf"))
    #expect(RuleTrace.Value("a\"b") == .string("a\"b"))
    #expect(RuleTrace.Value(Set(["b", "a"])) == .array([.string("a"), .string("b")]))
    #expect(RuleTrace.Value([1, nil]) == .array([.number(1), .null]))
    #expect(RuleTrace.Value(SemanticVersion(1, 2, 3)) == .string("1.2.3"))
  }

  @Test("shows the bucket and the share of a rollout as numbers")
  func bucket() throws {
    let rule = Rule<Guest>.rollout(25, of: "semantic", by: \.id)
    let bucket = RolloutHashing.plug.bucket(of: "user-1", in: "semantic")
    #expect(
      rule.trace(in: Guest()).looked?.value == .object(["identifier": .string("user-1"), "bucket": .number(bucket)]))
  }
}
