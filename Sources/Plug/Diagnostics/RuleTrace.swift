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
  public var kind: Kind { part.value.kind }

  /// What the part states: `country == "PL"`, or `all`, `any`, `not` for a composition.
  public var name: String { part.value.name }

  /// The outcome of the part.
  public var outcome: Outcome { part.value.outcome }

  /// The value the part looked at; `nil` for a composition, and for a condition that does not show its value.
  public var operand: String? { part.value.operand?.text }

  /// The operand as JSON has it.
  public var value: Value? { part.value.operand?.value }

  /// Why the outcome is indeterminate; `nil` if it is not.
  public var reason: String? { part.value.reason }

  /// The parts of a composition, in order.
  public var parts: [RuleTrace] { part.value.parts }

  /// Which of the conditions of this name it is, from 2 on, where an explanation has several that look at different
  /// properties; `nil` for the first.
  public var variant: Int? { part.value.variant }

  private let part:
    Boxed<
      (
        kind: Kind, name: String, outcome: Outcome, operand: Operand?, reason: String?, parts: [RuleTrace],
        variant: Int?
      )
    >

  init(
    _ kind: Kind = .condition, name: String, variant: Int? = nil, outcome: Outcome, operand: Operand? = nil,
    reason: String? = nil, parts: [RuleTrace] = []
  ) {
    part = Boxed((kind, name, outcome, operand, reason, parts, variant))
  }
}

extension RuleTrace: JSONTree {
  package var json: Value {
    Value(members: [
      "kind": .string(kind.rawValue), "name": .string(name),
      "variant": variant.map { Value(number: $0) }, "outcome": .string(outcome.rawValue),
      "text": operand.map { .string($0) }, "operand": value, "reason": reason.map { .string($0) },
      "parts": .array(parts.map(\.json)),
    ])
  }

  package init(_ json: JSONReader) {
    let text = json["text"].ifPresent?.text
    self.init(
      json["kind"].one(or: .condition), name: json["name"].text,
      variant: json["variant"].ifPresent?.integer, outcome: json["outcome"].one(or: .indeterminate),
      operand: text.map { Operand(text: $0, value: json["operand"].any) }, reason: json["reason"].ifPresent?.text,
      parts: json["parts"].elements.map { RuleTrace($0) })
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
    line = line.indented(by: 4, isHanging: true)
    for part in parts { line += "\n" + part.description.indented(by: 2) }
    return line
  }
}
