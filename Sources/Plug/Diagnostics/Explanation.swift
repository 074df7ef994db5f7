/// An explanation of why each candidate of a service applies or not in one context.
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
  /// The name of the service, or of a point that is used without an injector.
  public var subject: String { json["subject"].text ?? "" }

  /// The type of the context.
  public var context: String { json["context"].text ?? "" }

  /// The candidates and points, in declared order.
  public var elements: [Element] { json["elements"].elements.map { Element(json: $0) } }

  /// The ids of the decorators of all candidates, in declared order.
  public var decorators: [String] { json["decorators"].texts }

  // As Docs/Schemas/explanation.json describes it.
  let json: RuleTrace.Value

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
  public struct Element: Sendable, Hashable, Codable {
    /// The id of the candidate or point.
    public var id: String { json["id"].text ?? "" }

    /// Whether the element is a point.
    public var isPoint: Bool { json["isPoint"].flag ?? false }

    /// The decision.
    public var verdict: Verdict { Verdict(json["verdict"].text ?? "") }

    /// The candidate's position among those that apply, counted from 1; `nil` if it does not apply.
    public var rank: Int? { json["rank"].int }

    /// The candidate's priority; 0 for a point.
    public var priority: Int { json["priority"].int ?? 0 }

    /// How the rule was decided; `nil` if there is no rule or it was not evaluated. In a closed point, how it would be
    /// decided.
    public var rule: RuleTrace? { json["rule"].ifPresent.map { RuleTrace(json: $0) } }

    /// The notes of other products about the candidate.
    public var notes: [String] { json["notes"].texts }

    /// The ``InjectorModule`` that has registered the candidate; `nil` if none has.
    public var module: String? { json["module"].text }

    /// The candidate's place in the order of choice, and the number that it draws.
    package var position: Int? { json["position"].int }
    package var lot: Double? { json["lot"].double }

    /// The elements of a point, in declared order.
    public var elements: [Element] { json["elements"].elements.map { Element(json: $0) } }

    // With the values behind the notes.
    package let json: RuleTrace.Value
  }

  /// The id of the candidate that comes first; `nil` if none applies.
  public var selected: String? { available.first }

  /// The ids of the candidates that apply, the winner first.
  public var available: [String] { Self.available(elements) }

  private static func available(_ elements: [Element]) -> [String] {
    var (ranks, ids): ([Int], [String]) = ([], [])
    for candidate in elements.flatMap(\.candidates) {
      guard let rank = candidate.rank else { continue }
      let place = ranks.lastIndex { $0 <= rank }.map { $0 + 1 } ?? 0
      ranks.insert(rank, at: place)
      ids.insert(candidate.id, at: place)
    }
    return ids
  }
}

extension Explanation.Element {
  /// The candidate, or the candidates of the point.
  fileprivate var candidates: [Self] { (isPoint ? [] : [self]) + elements.flatMap(\.candidates) }
}

extension Explanation: JSONTree {
  static let shape: KeyValuePairs<String, JSONShape> = [
    "subject": .text, "context": .text, "elements": .list(.tree(Element.self)), "decorators": .list(.text),
  ]

  init(subject: String, context: String, elements: [Element], decorators: [String] = []) {
    let available = Self.available(elements)
    json = RuleTrace.Value(members: [
      "subject": .string(subject), "context": .string(context), "elements": .array(elements.map(\.json)),
      "decorators": RuleTrace.Value(texts: decorators),
      // Readers find these here without searching the elements.
      "selected": available.first.map(RuleTrace.Value.string), "available": RuleTrace.Value(texts: available),
    ])
  }
}

extension Explanation.Element: JSONTree {
  static let shape: KeyValuePairs<String, JSONShape> = [
    "id": .text, "isPoint": .boolean, "verdict": .text, "rank": .optional(.integer), "priority": .integer,
    "rule": .optional(.tree(RuleTrace.self)), "draw": .optional(.object(draw)), "order": .optional(.object(order)),
    "notes": .optional(.list(.text)), "module": .optional(.text), "position": .optional(.integer),
    "lot": .optional(.number), "elements": .list(.tree(Self.self)),
  ]
  private static let draw: KeyValuePairs<String, JSONShape> = [
    "weight": .number, "total": .number, "identifier": .text, "number": .number,
  ]
  private static let order: KeyValuePairs<String, JSONShape> = ["after": .list(.text), "before": .list(.text)]

  /// - Parameter details: Members that few candidates have.
  init(
    id: String, isPoint: Bool, verdict: Explanation.Verdict, rank: Int?, priority: Int, rule: RuleTrace?,
    details: [String: RuleTrace.Value] = [:], elements: [Self]
  ) {
    var members = details
    members["id"] = .string(id)
    members["isPoint"] = .boolean(isPoint)
    members["verdict"] = .string(verdict.description)
    members["rank"] = rank.map { .of($0) }
    members["priority"] = .of(priority)
    members["rule"] = rule?.json
    members["elements"] = .array(elements.map(\.json))
    json = .object(members)
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
    if let draw { facts.append(draw) }
    facts += order
    if let module { facts.append("of " + module) }
    var text = (isPoint ? "point " : "") + id + ": " + facts.joined(separator: ", ")
    if verdict != .notEvaluated, let rule { text += "\n" + rule.description.indented(by: 2) }
    for element in elements { text += "\n" + element.description.indented(by: 2) }
    return text
  }

  /// The candidate's weight, the sum of all weights in the draw, and the number drawn for the identifier: from an
  /// exponential distribution with the mean `total / weight`. The lowest number wins.
  private var draw: String? {
    guard let draw = json["draw"].ifPresent else { return nil }
    func text(_ name: String, _ text: (Double) -> String) -> String { text(draw[name].double ?? 0) }
    return "weight \(text("weight", shortest)) of \(text("total", shortest)), drew \(text("number", decimal))"
      + " for \(quoted(draw["identifier"].text ?? ""))"
  }

  /// The candidates that the candidate must follow and precede, whatever the priorities.
  private var order: [String] {
    ["after", "before"].compactMap { side in
      let ids = json["order"][side].texts
      return ids.isEmpty ? nil : "\(side) " + ids.joined(separator: " and ")
    }
  }
}
