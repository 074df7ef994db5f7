/// Why each candidate of a service applies or not, in one context.
///
/// ```swift
/// let explanation = search.explain(in: shopper)
/// print(explanation)           // an indented tree
/// explanation.selected         // the id of the winner
/// ```
///
/// ``Injector/explain(_:tag:in:)`` and ``PluginPoint/explain(in:)`` return it, and ``InjectorError/noCandidate(_:_:)``
/// carries one. As a `Codable` value it can be logged.
public struct Explanation: Sendable, Hashable {
  /// The name of the service, or of a point that is used by itself.
  public let subject: String

  /// The type of the context.
  public let context: String

  /// The candidates and points, in declared order.
  public let elements: [Element]

  /// The ids of the decorators of all candidates, in declared order.
  public let decorators: [String]

  init(subject: String, context: String, elements: [Element], decorators: [String] = []) {
    self.decorators = decorators
    self.subject = subject
    self.context = context
    self.elements = elements
  }

  /// The decision about a candidate or a point.
  ///
  /// Other products add decisions of their own.
  public struct Verdict: RawRepresentable, Sendable, Hashable, Codable {
    /// The decision in words.
    public let rawValue: String

    /// Creates a decision from its words.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The candidate applies and comes first.
    public static let selected = Self(rawValue: "selected")

    /// The candidate applies but does not come first. For a point: it is open.
    public static let available = Self(rawValue: "available")

    /// Its rule is not satisfied.
    public static let ruledOut = Self(rawValue: "ruled out")

    /// A point around it is shut, so that its rule was not evaluated.
    public static let notEvaluated = Self(rawValue: "not evaluated")
  }

  /// A candidate or a point.
  public struct Element: Sendable, Hashable {
    /// The id of the candidate or point.
    public let id: String

    /// Whether the element is a point.
    public let isPoint: Bool

    /// The decision.
    public let verdict: Verdict

    /// The candidate's position among those that apply, counted from 1; `nil` if it does not apply.
    public let rank: Int?

    /// The candidate's priority; 0 for a point.
    public let priority: Int

    /// How the rule was decided; `nil` if there is no rule or it was not evaluated. Inside of a shut point, it is how
    /// the rule would be decided.
    public let rule: RuleTrace?

    /// What the candidate has drawn, if it has a weight and applies.
    public var draw: Draw? { details?.value.draw }

    /// What the candidate is to come after and before, whatever the priorities; `nil` if that does not matter.
    public var order: Order? { details?.value.order }

    /// What other products say of the candidate.
    public var notes: [String] { details?.value.notes ?? [] }

    /// The values behind the notes, by their names in JSON.
    package var values: [String: RuleTrace.Value] { details?.value.values ?? [:] }

    /// The ``InjectorModule`` that has registered the candidate; `nil` if none has.
    public var module: String? { details?.value.module }

    /// The place among all candidates in the order in which they are chosen, and the number that the candidate draws.
    package var position: Int? { details?.value.position }
    package var lot: Double? { details?.value.lot }

    let details: Boxed<Details>?

    /// The elements of a point, in declared order.
    public let elements: [Element]

    init(
      id: String, isPoint: Bool, verdict: Verdict, rank: Int?, priority: Int, rule: RuleTrace?,
      details: Details = Details(), elements: [Element]
    ) {
      (self.id, self.isPoint, self.verdict, self.rank) = (id, isPoint, verdict, rank)
      (self.priority, self.rule, self.elements) = (priority, rule, elements)
      self.details = details == Details() ? nil : Boxed(details)
    }
  }

  /// What is to be said of few candidates; kept apart, because elements are nested deep.
  struct Details: Sendable, Hashable {
    var draw: Draw?
    var order: Order?
    var notes: [String] = []
    var values: [String: RuleTrace.Value] = [:]
    var module: String?
    var position: Int?
    var lot: Double?
  }

  /// The ids of the candidates between which a candidate stands.
  public struct Order: Sendable, Hashable, Codable {
    /// Those that it comes after.
    public let after: [String]

    /// Those that it comes before.
    public let before: [String]
  }

  /// The part a candidate had when one of several was drawn by weight.
  public struct Draw: Sendable, Hashable, Codable {
    /// Its weight.
    public let weight: Double

    /// The weight of all among which one was drawn, its own included.
    public let total: Double

    /// The identifier for which it was drawn.
    public let identifier: String

    /// The number that it drew, which is less the more it weighs: 1 on average for all of them together. The least
    /// wins.
    public let number: Double
  }

  /// The id of the candidate that comes first; `nil` if none applies.
  public var selected: String? { available.first }

  /// The ids of the candidates that apply, the winner first.
  public var available: [String] {
    elements.flatMap(\.candidates)
      .compactMap { element in element.rank.map { ($0, element.id) } }
      .sorted { $0.0 < $1.0 }
      .map(\.1)
  }
}

extension Explanation.Element {
  fileprivate var candidates: [Self] { isPoint ? elements.flatMap(\.candidates) : [self] }
}

extension Explanation.Verdict: CustomStringConvertible {
  /// The decision in words.
  public var description: String { rawValue }
}

extension Explanation: CustomStringConvertible {
  /// A headline, then a line for each element and each part of its rule.
  public var description: String {
    let count = elements.flatMap(\.candidates).count
    let headline = "\(subject) in \(context): \(available.count) of \(count) apply, selected: \(selected ?? "none")"
    var parts = elements.map(\.description)
    if !decorators.isEmpty { parts.append("decorated by: \(decorators.joined(separator: ", "))") }
    return ([headline] + parts.map { $0.indented(by: 2) }).joined(separator: "\n")
  }
}

extension Explanation.Element: CustomStringConvertible {
  /// The id, the verdict and the rule, then the elements inside.
  public var description: String {
    let decision = isPoint && verdict == .available ? "open" : verdict.rawValue
    // A note may begin with the decision, such as "disabled since …".
    let isNoted = notes.first?.hasPrefix("\(decision) ") ?? false
    var line = isPoint ? "point \(id): \(decision)" : "\(id): \(isNoted ? "" : decision)"
    if let rank, rank > 1 { line += " as number \(rank)" }
    if !notes.isEmpty { line += (isNoted ? "" : ", ") + notes.joined(separator: ", ") }
    if priority != 0 { line += ", priority \(priority)" }
    if let draw { line += ", \(draw)" }
    if let order { line += ", \(order)" }
    if let module { line += ", of \(module)" }
    let parts = (verdict == .notEvaluated ? [] : rule.map { [$0.description] } ?? []) + elements.map(\.description)
    return ([line] + parts.map { $0.indented(by: 2) }).joined(separator: "\n")
  }
}

extension Explanation.Order: CustomStringConvertible {
  /// The ids, in words.
  public var description: String {
    [("after", after), ("before", before)].filter { !$0.1.isEmpty }
      .map { "\($0) \($1.joined(separator: " and "))" }.joined(separator: ", ")
  }
}

extension Explanation.Draw: CustomStringConvertible {
  /// The weight, of how much, and what has been drawn for whom.
  public var description: String {
    "weight \(shortest(weight)) of \(shortest(total)), drew \(decimal(number)) for \(quoted(identifier))"
  }
}
