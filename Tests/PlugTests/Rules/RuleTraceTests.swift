import Foundation
import Testing

@testable import Plug

@Suite("The trace of a rule")
struct RuleTraceTests {
  static let rule: Rule<Guest> = !.feature("beta") && (.atLeast(\.score, 0.5) || .enabled)

  static let traced = RuleTrace(
    name: "all", outcome: .satisfied,
    parts: [
      RuleTrace(
        name: "not", outcome: .satisfied,
        parts: [RuleTrace(name: #"feature "beta""#, outcome: .unsatisfied, operand: "[]")]),
      RuleTrace(
        name: "any", outcome: .satisfied,
        parts: [
          RuleTrace(name: "score >= 0.5", outcome: .indeterminate, operand: "nil", reason: "score has no value"),
          RuleTrace(name: "enabled", outcome: .satisfied),
        ]),
    ])

  @Test("is a tree of names, outcomes, operands and reasons")
  func value() {
    let trace = Self.rule.trace(in: Guest())
    #expect(trace == Self.traced)
    #expect(trace.hashValue == Self.traced.hashValue)
  }

  static let differences = [
    RuleTrace(name: "b", outcome: .satisfied, operand: "1", reason: "r", parts: []),
    RuleTrace(name: "a", outcome: .indeterminate, operand: "1", reason: "r", parts: []),
    RuleTrace(name: "a", outcome: .satisfied, operand: "2", reason: "r", parts: []),
    RuleTrace(name: "a", outcome: .satisfied, operand: nil, reason: "r", parts: []),
    RuleTrace(name: "a", outcome: .satisfied, operand: "1", reason: nil, parts: []),
    RuleTrace(name: "a", outcome: .satisfied, operand: "1", reason: "r", parts: [traced]),
  ]

  @Test("differs from another if one of its values does", arguments: differences)
  func inequality(_ other: RuleTrace) {
    #expect(RuleTrace(name: "a", outcome: .satisfied, operand: "1", reason: "r") != other)
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
            + enabled
        """)
  }

  @Test("keeps a reason of several lines to the right of the parts")
  func longReason() {
    let trace = RuleTrace(
      name: "not", outcome: .indeterminate,
      parts: [
        RuleTrace(name: "quota is left", outcome: .indeterminate, reason: "no quota\n  service: Quota\n\nTo fix this:"),
        RuleTrace(name: "enabled", outcome: .satisfied),
      ])
    #expect(
      "\(trace)" == """
        ? not
          ? quota is left (no quota
                service: Quota

              To fix this:)
          + enabled
        """)
  }

  @Test("is written to JSON with what is known only")
  func json() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let trace = (!Rule<Guest>.atLeast(\.score, 0.5)).trace(in: Guest())
    #expect(
      String(decoding: try encoder.encode(trace), as: UTF8.self) == """
        {
          "name" : "not",
          "outcome" : "indeterminate",
          "parts" : [
            {
              "name" : "score >= 0.5",
              "operand" : "nil",
              "outcome" : "indeterminate",
              "parts" : [

              ],
              "reason" : "score has no value"
            }
          ]
        }
        """)
  }

  @Test("comes back from JSON as it was", arguments: [traced] + differences)
  func roundTrip(_ trace: RuleTrace) throws {
    let decoded = try JSONDecoder().decode(RuleTrace.self, from: JSONEncoder().encode(trace))
    #expect(decoded == trace)
    #expect("\(decoded)" == "\(trace)")
  }
}
