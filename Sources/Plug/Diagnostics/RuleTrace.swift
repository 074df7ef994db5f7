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

  /// What a part of a rule is.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A condition, which looks at a value.
    case condition

    /// ``Rule/enabled`` or ``Rule/disabled``.
    case constant

    /// The negation of its part.
    case not

    /// Satisfied if all parts are.
    case all

    /// Satisfied if at least one part is.
    case any
  }

  /// What the part is.
  public let kind: Kind

  /// What the part states: `country == "PL"`, or `all`, `any`, `not` for a composition.
  public let name: String

  /// The outcome of the part.
  public let outcome: Outcome

  /// The value the part looked at; `nil` for a composition, and for a condition that does not show its value.
  public let operand: String?

  /// The same as JSON has it.
  public let value: Value?

  /// Why the outcome is indeterminate; `nil` if it is not.
  public let reason: String?

  /// The parts of a composition, in order.
  public let parts: [RuleTrace]

  private enum CodingKeys: String, CodingKey {
    case kind, name, outcome
    case operand = "text"
    case value = "operand"
    case reason, parts
  }

  init(
    _ kind: Kind = .condition, name: String, outcome: Outcome, operand: Operand? = nil, reason: String? = nil,
    parts: [RuleTrace] = []
  ) {
    self.kind = kind
    self.name = name
    self.outcome = outcome
    self.operand = operand?.text
    value = operand?.value
    self.reason = reason
    self.parts = parts
  }
}

extension RuleTrace {
  /// Reads a trace.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    kind = try values.decode(Kind.self, forKey: .kind)
    name = try values.decode(String.self, forKey: .name)
    outcome = try values.decode(Outcome.self, forKey: .outcome)
    operand = try values.decodeIfPresent(String.self, forKey: .operand)
    // `null` is a value that a condition may have seen.
    value = values.contains(.value) ? try values.decode(Value.self, forKey: .value) : nil
    reason = try values.decodeIfPresent(String.self, forKey: .reason)
    parts = try values.decode([RuleTrace].self, forKey: .parts)
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
