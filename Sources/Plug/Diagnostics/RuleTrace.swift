/// How a rule came to its outcome: a tree of its parts, with the values they saw.
public struct RuleTrace: Sendable, Hashable, Codable {
  /// What a rule can come to.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// The condition holds.
    case satisfied

    /// The condition does not hold.
    case unsatisfied

    /// Nobody can say: the condition threw, or a value was missing.
    case indeterminate
  }

  /// What the part says: `country == "PL"`, or `all`, `any`, `not` for a composition.
  public let name: String

  /// What it came to.
  public let outcome: Outcome

  /// The value that it looked at; `nil` for a composition and where nothing is known of it.
  public let operand: String?

  /// Why the outcome is indeterminate.
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
  /// One line for each part, indented by its depth, with `+`, `-` or `?` for its outcome.
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
    // Where a reason has several lines, as an `InjectorError` has, they stay to the right of the parts.
    line = String(line.indented(by: 4).dropFirst(4))
    return ([line] + parts.map { $0.description.indented(by: 2) }).joined(separator: "\n")
  }
}
