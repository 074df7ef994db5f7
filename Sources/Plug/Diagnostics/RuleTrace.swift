/// A record of how a rule was decided: a tree of its parts, with the values that they looked at.
///
/// ```swift
/// let rule: Rule<Shopper> = .feature("beta") && .atLeast(\.age, 18)
/// print(rule.trace(in: shopper))
/// // + all
/// //   + feature "beta": ["beta"]
/// //   + age >= 18: 42
/// ```
///
/// With `import PlugOperations` it is `Codable`, so that it can be logged.
public struct RuleTrace: Sendable, Hashable {
  /// The outcome of a rule.
  public enum Outcome: String, Sendable, Hashable {
    /// The condition holds.
    case satisfied

    /// The condition does not hold.
    case unsatisfied

    /// The condition threw an error, or a value was missing. Neither the rule nor its negation admits a candidate.
    case indeterminate
  }

  /// The kinds of parts of a rule.
  package enum Kind: String, Sendable {
    /// A condition, which looks at a value.
    case condition
    /// ``Rule/always`` or ``Rule/never``.
    case constant
    /// The negation of its part.
    case not
    /// Satisfied if all parts are.
    case all
    /// Satisfied if at least one part is.
    case any
  }

  package let kind: Kind

  /// The statement of the part, such as `country == "PL"`; `all`, `any` or `not` for a composition.
  public let name: String

  /// Distinguishes conditions of one explanation that have the same name and look at different properties: 2, 3 and so
  /// on; `nil` for the first.
  package let variant: Int?

  /// The outcome of the part.
  public let outcome: Outcome

  /// The value that the part looked at; `nil` for a composition, and for a condition that does not show its value.
  public var operand: String? { looked?.text }
  let looked: Operand?
  package var value: Value? { looked?.value }

  /// Why the outcome is indeterminate; `nil` if it is not.
  public let reason: String?

  /// The parts of a composition, in order.
  public let parts: [RuleTrace]

  package init(
    _ kind: Kind = .condition, name: String, variant: Int? = nil, outcome: Outcome, operand: Operand? = nil,
    reason: String? = nil, parts: [RuleTrace] = []
  ) {
    (self.kind, self.name, self.variant, self.outcome) = (kind, name, variant, outcome)
    (looked, self.reason, self.parts) = (operand, reason, parts)
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
    // The lines of a long reason, such as an `InjectorError`, are indented more than the parts.
    line = line.indented(by: 4, isHanging: true)
    for part in parts { line += "\n" + part.description.indented(by: 2) }
    return line
  }
}
