public import Plug

/// Expects that a rule has the given outcomes, and that it behaves as every rule must.
///
/// ```swift
/// expectConformance(
///   of: .isAdult,
///   [(Person(age: 18), .satisfied), (Person(age: 17), .unsatisfied)])
/// ```
///
/// In each context, the rule must have the given outcome each time, whatever the order of evaluation. Its trace must
/// have the same outcome, and its negation the negated one; an indeterminate outcome stays indeterminate.
///
/// - Parameters:
///   - rule: The rule.
///   - expectations: The contexts, each with the expected outcome.
///   - fileID: The file of the call, for diagnostics.
///   - filePath: The path of that file.
///   - line: The line of the call.
public func expectConformance<Context>(
  of rule: Rule<Context>, _ expectations: [(context: Context, outcome: RuleTrace.Outcome)],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
) {
  let place = TestLocation(fileID: fileID, filePath: filePath, line: line)
  for (number, (context, expected)) in expectations.enumerated() {
    let findings = rule.findings(in: context, expected: expected)
    if findings.isEmpty { continue }
    recordIssue(
      """
      The rule does not conform in context \(number + 1) of \(expectations.count).
        rule:           \(rule)
        context:        \(context)
      \(findings.map { "  - \($0)" }.joined(separator: "\n"))
      """, at: place)
  }
  let again = expectations.reversed().map { rule.evaluate(in: $0.context) }.reversed()
  for (number, (first, second)) in zip(expectations.map { rule.evaluate(in: $0.context) }, again).enumerated()
  where first != second {
    recordIssue(
      "The rule \(rule) depends on earlier evaluations: context \(number + 1) is \(first), then \(second).",
      at: place)
  }
}

extension Rule {
  private static var repetitions: Int { 8 }

  /// The faults of the rule in a context.
  fileprivate func findings(in context: Context, expected: RuleTrace.Outcome) -> [String] {
    let outcome = evaluate(in: context)
    var findings: [String] = []
    if outcome != expected { findings.append("It is \(outcome), but should be \(expected).") }
    let others = Set((0..<Self.repetitions).map { _ in evaluate(in: context) }).subtracting([outcome])
    if let other = others.first { findings.append("It is \(outcome) one time and \(other) another.") }
    let trace = trace(in: context)
    if trace.outcome != outcome { findings.append("Its trace is \(trace.outcome), but the rule is \(outcome).") }
    let negation = (!self).evaluate(in: context)
    let negated = outcome.negated
    if negation != negated { findings.append("Its negation is \(negation), but should be \(negated).") }
    return findings
  }
}
