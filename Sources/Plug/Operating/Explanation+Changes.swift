extension Explanation {
  /// A condition whose outcome would have to differ.
  public struct Change: Sendable, Hashable, Codable {
    /// The condition, with what it saw.
    public let condition: RuleTrace

    /// The outcome that it would have to have.
    public let outcome: RuleTrace.Outcome
  }

  /// What would have to be different for a candidate to be selected.
  ///
  /// ```swift
  /// let explanation = try services.explain((any Search).self, in: shopper)
  /// for changes in explanation.changes(toSelect: "semantic") { print(changes) }
  /// // [country == "PL": "DE" would have to be satisfied]
  /// ```
  ///
  /// Each element of the result is a set of conditions: if they had these outcomes and all others had the one that they
  /// have, the candidate would be selected. No set contains another, and every set that none of these contains is
  /// there. A condition that stands in several rules counts once. Conditions are taken to be independent of each other,
  /// also two that look at one value. Where both outcomes other than satisfied would do, the set names unsatisfied.
  ///
  /// Switches and quarantines stay as they are: for a candidate that is disabled, while another is forced, and for one
  /// whose rule was not evaluated, there is no set.
  ///
  /// - Parameters:
  ///   - id: The id of the candidate; `"default"` for the registration without a rule.
  ///   - limit: How many combinations of conditions are tried, the smaller ones first. If that is not enough, larger
  ///     sets are missing.
  /// - Returns: The sets, smaller ones first; one that is empty if the candidate is selected.
  /// - Complexity: Exponential in the size of the sets.
  public func changes(toSelect id: String, limit: Int = 100_000) -> [[Change]] {
    var conditions = ConditionTable()
    let candidates = elements.flatMap { $0.choices(gatedBy: [], &conditions) }.sorted { $0.place < $1.place }
    var found: [[Change]] = []
    for target in candidates.indices where candidates[target].id == id {
      for goal in ChoiceGoal.goals(toSelect: target, of: candidates) {
        var search = ChangeSearch(goal, outcomes: conditions.outcomes, limit: limit)
        for changes in search.solutions() {
          found.append(changes.map { Change(condition: conditions.list[$0], outcome: $1) })
        }
      }
    }
    return minimal(found)
  }

  /// The sets that contain no other, smaller ones first.
  private func minimal(_ sets: [[Change]]) -> [[Change]] {
    var kept: [(changes: [Change], conditions: Set<RuleTrace>)] = []
    for changes in sets.sorted(by: { ($0.count, "\($0)") < ($1.count, "\($1)") }) {
      let conditions = Set(changes.map(\.condition))
      if !kept.contains(where: { $0.conditions.isSubset(of: conditions) }) { kept.append((changes, conditions)) }
    }
    return kept.map(\.changes)
  }
}

extension Explanation.Change: CustomStringConvertible {
  /// The condition with what it saw, and the outcome, in one line: of what takes several, such as a flag with its
  /// targeting, the first.
  public var description: String {
    let operand = condition.operand.map { ": \($0.prefix { !$0.isNewline })" } ?? ""
    return "\(condition.name)\(operand) would have to be \(outcome.rawValue)"
  }
}

extension Explanation.Element {
  /// The candidates in it, each with the rules that have to be satisfied.
  fileprivate func choices(gatedBy gates: [Logic], _ conditions: inout ConditionTable) -> [ChoiceGoal.Candidate] {
    let rules = rule.map { gates + [conditions.logic(of: $0)] } ?? gates
    if isPoint { return elements.flatMap { $0.choices(gatedBy: rules, &conditions) } }
    // Without a rule around it that is shut, the rules have not run.
    let isTraced = verdict != .notEvaluated || !gates.isEmpty
    let isKnown = isTraced && switches == nil && verdict != .quarantined
    let isForced = switches?.first?.action == .forced
    let decision: Logic = isForced ? .constant(.satisfied) : isKnown ? .all(rules) : .constant(.unsatisfied)
    return [
      ChoiceGoal.Candidate(
        id: id, place: isForced ? .min : position ?? .max, priority: priority, lot: isForced ? nil : lot,
        applies: decision)
    ]
  }
}

/// The conditions of an explanation, each once.
private struct ConditionTable {
  private(set) var list: [RuleTrace] = []
  private var indices: [RuleTrace: Int] = [:]

  var outcomes: [RuleTrace.Outcome] { list.map(\.outcome) }

  mutating func logic(of trace: RuleTrace) -> Logic {
    switch trace.kind {
    case .constant: return .constant(trace.outcome)
    case .not: return trace.parts.first.map { .not(logic(of: $0)) } ?? .constant(trace.outcome)
    case .all: return .all(trace.parts.map { logic(of: $0) })
    case .any: return .any(trace.parts.map { logic(of: $0) })
    case .condition:
      if let index = indices[trace] { return .condition(index) }
      indices[trace] = list.count
      list.append(trace)
      return .condition(list.count - 1)
    }
  }
}
