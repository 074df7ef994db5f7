/// How a rule was decided: a tree of its parts, with the values they saw.
///
/// ```swift
/// let rule: Rule<Shopper> = .feature("beta") && .atLeast(\.age, 18)
/// print(rule.trace(in: shopper))
/// // + all
/// //   + feature "beta": ["beta"]
/// //   + age >= 18: 42
/// ```
///
/// As a `Codable` value it can be logged.
public struct RuleTrace: Sendable, Hashable, Codable {
  /// The outcome of a rule.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// The condition holds.
    case satisfied

    /// The condition does not hold.
    case unsatisfied

    /// The condition threw an error, or a value was missing. It does not open a gate, nor does its negation.
    case indeterminate
  }

  /// What the part states: `country == "PL"`, or `all`, `any`, `not` for a composition.
  public let name: String

  /// The outcome of the part.
  public let outcome: Outcome

  /// The value the part looked at; `nil` for a composition, and for a condition that does not show its value.
  public let operand: String?

  /// Why the outcome is indeterminate; `nil` if it is not.
  public let reason: String?

  /// The parts of a composition, in order.
  public let parts: [RuleTrace]

  init(name: String, outcome: Outcome, operand: String? = nil, reason: String? = nil, parts: [RuleTrace] = []) {
    self.name = name
    self.outcome = outcome
    self.operand = operand
    self.reason = reason
    self.parts = parts
  }
}

extension RuleTrace: CustomStringConvertible {
  /// A line for each part, indented by its depth, with `+`, `-` or `?` for its outcome.
  public var description: String {
    let sign =
      switch outcome {
      case .satisfied: "+"
      case .unsatisfied: "-"
      case .indeterminate: "?"
      }
    var line = "\(sign) \(name)"
    if let operand { line += ": \(operand)" }
    if let reason { line += " (\(reason))" }
    // A reason with several lines, such as an `InjectorError`, stays to the right of the parts.
    line = String(line.indented(by: 4).dropFirst(4))
    return ([line] + parts.map { $0.description.indented(by: 2) }).joined(separator: "\n")
  }
}
