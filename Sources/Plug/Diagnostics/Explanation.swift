/// An explanation of why each candidate of a service applies or not in one context.
///
/// ```swift
/// let explanation = search.explain(in: shopper)
/// print(explanation)           // an indented tree
/// explanation.selected         // the id of the winner
/// ```
///
/// ``Injector/explain(_:tag:in:)`` and ``PluginPoint/explain(in:)`` return it, and ``InjectorError/noCandidate(_:_:)``
/// carries one. With `import PlugOperations` it is `Codable`, so that it can be logged.
public struct Explanation: Sendable, Hashable {
  /// The name of the service, or of a point that is used without an injector.
  public let subject: String

  /// The type of the context.
  package let context: String

  /// The candidates and points, in declared order.
  public let elements: [Element]

  /// The ids of the decorators of all candidates, in declared order.
  package let decorators: [String]

  package init(subject: String, context: String, elements: [Element], decorators: [String] = []) {
    (self.subject, self.context, self.elements, self.decorators) = (subject, context, elements, decorators)
  }

  /// The decision about a candidate or a point.
  ///
  /// Other products add decisions of their own.
  public struct Verdict: Sendable, Hashable, CustomStringConvertible {
    /// The decision in words.
    public let description: String

    package init(_ description: String) { self.description = description }

    /// The candidate applies and comes first.
    public static let selected = Self("selected")

    /// The candidate applies but does not come first. For a point: it is open.
    public static let available = Self("available")

    /// Its rule is not satisfied.
    public static let ruledOut = Self("ruled out")

    /// An enclosing point is closed, so the candidate's rule was not evaluated.
    public static let notEvaluated = Self("not evaluated")
  }

  /// A candidate or a point.
  public struct Element: Sendable, Hashable {
    /// The id of the candidate or point.
    public let id: String

    /// Whether the element is a point.
    package let isPoint: Bool

    /// The decision.
    public let verdict: Verdict

    /// The candidate's position among those that apply, counted from 1; `nil` if it does not apply.
    public let rank: Int?

    /// The candidate's priority; 0 for a point.
    package let priority: Int

    /// How the rule was decided; `nil` if there is no rule or it was not evaluated. In a closed point, how it would be
    /// decided.
    public let rule: RuleTrace?

    /// Further facts in words, such as the draw, and those of other products.
    package let notes: [String]

    /// The ``InjectorModule`` that has registered the candidate; `nil` if none has.
    package let module: String?

    /// The elements of a point, in declared order.
    public let elements: [Element]

    /// The facts behind the notes and what other products look at, by their names.
    package let details: [String: RuleTrace.Value]

    /// The candidate, or the candidates of the point.
    fileprivate var candidates: [Self] { (isPoint ? [] : [self]) + elements.flatMap(\.candidates) }

    package init(
      id: String, isPoint: Bool = false, verdict: Verdict, rank: Int? = nil, priority: Int = 0, rule: RuleTrace? = nil,
      notes: [String] = [], module: String? = nil, details: [String: RuleTrace.Value] = [:],
      elements: [Element] = []
    ) {
      (self.id, self.isPoint, self.verdict, self.rank, self.priority) = (id, isPoint, verdict, rank, priority)
      (self.rule, self.notes, self.module, self.details, self.elements) = (rule, notes, module, details, elements)
    }
  }

  /// The id of the candidate that comes first; `nil` if none applies.
  public var selected: String? { available.first }

  /// The ids of the candidates that apply, the winner first.
  public var available: [String] {
    let applying = elements.flatMap(\.candidates).filter { $0.rank != nil }
    let ranks = applying.map { $0.rank ?? 0 }
    return sorted(Array(ranks.indices)) { (ranks[$0], $0) < (ranks[$1], $1) }.map { applying[$0].id }
  }
}

extension Explanation: CustomStringConvertible {
  /// A headline, then a line for each element and each part of its rule.
  public var description: String {
    let (available, count) = (available, elements.flatMap(\.candidates).count)
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
    let decision = isPoint && verdict == .available ? "open" : verdict.description
    // A note may begin with the decision, such as "disabled since …".
    if notes.first?.hasPrefix("\(decision) ") != true {
      facts.append(rank ?? 1 > 1 ? "\(decision) as number \(rank ?? 1)" : decision)
    }
    facts += notes
    if priority != 0 { facts.append("priority \(priority)") }
    if let module { facts.append("of " + module) }
    var text = (isPoint ? "point " : "") + id + ": " + facts.joined(separator: ", ")
    if verdict != .notEvaluated, let rule { text += "\n" + rule.description.indented(by: 2) }
    for element in elements { text += "\n" + element.description.indented(by: 2) }
    return text
  }
}
