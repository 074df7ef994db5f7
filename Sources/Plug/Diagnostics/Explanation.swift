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
public struct Explanation: Sendable, Hashable, Codable {
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
  public struct Element: Sendable, Hashable, Codable {
    /// The id of the candidate or point.
    public var id: String { node.value.id }

    /// Whether the element is a point.
    public var isPoint: Bool { node.value.isPoint }

    /// The decision.
    public var verdict: Verdict { node.value.verdict }

    /// The candidate's position among those that apply, counted from 1; `nil` if it does not apply.
    public var rank: Int? { node.value.rank }

    /// The candidate's priority; 0 for a point.
    public var priority: Int { node.value.priority }

    /// How the rule was decided; `nil` if there is no rule or it was not evaluated. Inside of a shut point, it is how
    /// the rule would be decided.
    public var rule: RuleTrace? { node.value.rule }

    /// What the candidate has drawn, if it has a weight and applies.
    public var draw: Draw? { node.value.details.draw }

    /// What the candidate is to come after and before, whatever the priorities; `nil` if that does not matter.
    public var order: Order? { node.value.details.order }

    /// What other products say of the candidate.
    public var notes: [String] { node.value.details.notes }

    /// The values behind the notes, by their names in JSON.
    package var values: [String: RuleTrace.Value] { node.value.details.values }

    /// The ``InjectorModule`` that has registered the candidate; `nil` if none has.
    public var module: String? { node.value.details.module }

    /// The place among all candidates in the order in which they are chosen, and the number that the candidate draws.
    package var position: Int? { node.value.details.position }
    package var lot: Double? { node.value.details.lot }

    /// The elements of a point, in declared order.
    public var elements: [Element] { node.value.elements }

    private let node:
      Boxed<
        (
          id: String, isPoint: Bool, verdict: Verdict, rank: Int?, priority: Int, rule: RuleTrace?, details: Details,
          elements: [Element]
        )
      >

    init(
      id: String, isPoint: Bool, verdict: Verdict, rank: Int?, priority: Int, rule: RuleTrace?,
      details: Details = Details(), elements: [Element]
    ) {
      node = Boxed((id, isPoint, verdict, rank, priority, rule, details, elements))
    }
  }

  /// What is to be said of few candidates.
  struct Details: Sendable {
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
    var (ranks, ids): ([Int], [String]) = ([], [])
    for candidate in candidates {
      guard let rank = candidate.rank else { continue }
      let place = ranks.lastIndex { $0 <= rank }.map { $0 + 1 } ?? 0
      ranks.insert(rank, at: place)
      ids.insert(candidate.id, at: place)
    }
    return ids
  }

  private var candidates: [Element] {
    var candidates: [Element] = []
    for element in elements { element.addCandidates(to: &candidates) }
    return candidates
  }
}

extension Explanation.Element {
  fileprivate func addCandidates(to candidates: inout [Self]) {
    if !isPoint { candidates.append(self) }
    for element in elements { element.addCandidates(to: &candidates) }
  }
}

extension Explanation.Verdict: CustomStringConvertible {
  /// The decision in words.
  public var description: String { rawValue }
}

extension Explanation: CustomStringConvertible {
  /// A headline, then a line for each element and each part of its rule.
  public var description: String {
    let (available, count) = (available, candidates.count)
    var text = "\(subject) in \(context): \(available.count) of \(count) apply, selected: \(available.first ?? "none")"
    for element in elements { text += "\n" + element.description.indented(by: 2) }
    if !decorators.isEmpty { text += "\n  decorated by: " + decorators.joined(separator: ", ") }
    return text
  }
}

extension Explanation.Element: CustomStringConvertible {
  /// The id, the verdict and the rule, then the elements inside.
  public var description: String {
    var facts: [String] = []
    let decision = isPoint && verdict == .available ? "open" : verdict.rawValue
    // A note may begin with the decision, such as "disabled since …".
    if notes.first?.hasPrefix("\(decision) ") != true {
      facts.append(rank ?? 1 > 1 ? "\(decision) as number \(rank ?? 1)" : decision)
    }
    facts += notes
    if priority != 0 { facts.append("priority \(priority)") }
    if let draw { facts.append(draw.description) }
    if let order { facts.append(order.description) }
    if let module { facts.append("of " + module) }
    var text = (isPoint ? "point " : "") + id + ": " + facts.joined(separator: ", ")
    if verdict != .notEvaluated, let rule { text += "\n" + rule.description.indented(by: 2) }
    for element in elements { text += "\n" + element.description.indented(by: 2) }
    return text
  }
}

extension Explanation.Order: CustomStringConvertible {
  /// The ids, in words.
  public var description: String {
    let parts = [
      after.isEmpty ? nil : "after " + after.joined(separator: " and "),
      before.isEmpty ? nil : "before " + before.joined(separator: " and "),
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension Explanation.Draw: CustomStringConvertible {
  /// The weight, of how much, and what has been drawn for whom.
  public var description: String {
    "weight \(shortest(weight)) of \(shortest(total)), drew \(decimal(number)) for \(quoted(identifier))"
  }
}
