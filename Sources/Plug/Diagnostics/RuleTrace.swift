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
/// As a `Codable` value it can be logged.
public struct RuleTrace: Sendable, Hashable, Codable {
  /// The outcome of a rule.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// The condition holds.
    case satisfied

    /// The condition does not hold.
    case unsatisfied

    /// The condition threw an error, or a value was missing. Neither the rule nor its negation admits a candidate.
    case indeterminate
  }

  /// The kinds of parts of a rule.
  @usableFromInline
  package enum Kind: String, Sendable {
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

  package var kind: Kind { json["kind"].text.flatMap(Kind.init) ?? .condition }

  /// The statement of the part, such as `country == "PL"`; `all`, `any` or `not` for a composition.
  public var name: String { json["name"].text ?? "" }

  /// The outcome of the part.
  public var outcome: Outcome { json["outcome"].text.flatMap(Outcome.init) ?? .indeterminate }

  /// The value that the part looked at; `nil` for a composition, and for a condition that does not show its value.
  public var operand: String? { json["text"].text }

  /// Why the outcome is indeterminate; `nil` if it is not.
  public var reason: String? { json["reason"].text }

  /// The parts of a composition, in order.
  public var parts: [RuleTrace] { json["parts"].elements.map { RuleTrace(json: $0) } }

  // Also contains the operand as a JSON value, and the variant: 2, 3 and so on for conditions of one explanation that
  // have the same name and look at different properties.
  package let json: Value
}

extension RuleTrace: JSONTree {
  static let shape: KeyValuePairs<String, JSONShape> = [
    "kind": .choice(["condition", "constant", "not", "all", "any"]), "name": .text, "variant": .optional(.integer),
    "outcome": .choice(["satisfied", "unsatisfied", "indeterminate"]), "text": .optional(.text),
    "reason": .optional(.text), "parts": .list(.tree(RuleTrace.self)),
  ]

  init(
    _ kind: Kind = .condition, name: String, variant: Int? = nil, outcome: Outcome, operand: Operand? = nil,
    reason: String? = nil, parts: [RuleTrace] = []
  ) {
    json = Value(members: [
      "kind": .string(kind.rawValue), "name": .string(name), "variant": variant.map { .of($0) },
      "outcome": .string(outcome.rawValue), "text": operand.map { .string($0.text) }, "operand": operand?.value,
      "reason": reason.map { .string($0) }, "parts": .array(parts.map(\.json)),
    ])
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
