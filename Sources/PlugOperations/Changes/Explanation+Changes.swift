public import Plug

extension Explanation {
  /// A condition with the outcome that it would need.
  public struct Change: Sendable, Hashable, Codable {
    /// The condition, with the value that it looked at.
    public let condition: RuleTrace

    /// The outcome that the condition would need.
    public let outcome: RuleTrace.Outcome
  }

  /// The sets of conditions whose outcomes would have to change for a candidate to be selected, smaller sets first.
  public struct Changes: RandomAccessCollection, Sendable, Hashable {
    fileprivate var sets: [[Change]]

    /// Whether the collection contains all sets. If not, the search has reached its limit, and larger sets may be
    /// missing.
    public fileprivate(set) var isComplete: Bool

    /// The index of the first set.
    public var startIndex: Int { sets.startIndex }

    /// The index after the last set.
    public var endIndex: Int { sets.endIndex }

    /// A set of conditions with the outcomes that they would need.
    public subscript(index: Int) -> [Change] { sets[index] }
  }

  /// Returns the conditions that would have to change for a candidate to be selected.
  ///
  /// ```swift
  /// let explanation = try services.explain((any Search).self, in: shopper)
  /// for changes in explanation.changes(toSelect: "semantic") {
  ///   print(changes)
  /// }
  /// // [country == "PL": "DE" would have to be satisfied]
  /// ```
  ///
  /// Each element of the result is a set of conditions: if these conditions had the given outcomes, and all others kept
  /// theirs, the candidate would be selected. No set contains another. If the result is ``Changes/isComplete``, it
  /// contains all minimal sets. A condition that occurs in several rules counts once. The search treats conditions as
  /// independent of each other, even if they look at the same value. If a condition could be either unsatisfied or
  /// indeterminate, the set contains unsatisfied.
  ///
  /// The search does not change disabled, forced or quarantined candidates. The result is empty for a disabled
  /// candidate, for a candidate whose rule was not evaluated, and while another candidate is forced.
  ///
  /// - Parameters:
  ///   - id: The id of the candidate; `"default"` for the registration without a rule.
  ///   - limit: The maximum number of combinations of conditions that the search tries, smaller ones first.
  /// - Returns: The sets, smaller ones first. If the candidate is already selected, the result contains one empty set.
  /// - Complexity: Exponential in the size of the sets; at most O(*limit* · *n*) for rules of *n* parts.
  public func changes(toSelect id: String, limit: Int = 100_000) -> Changes {
    var conditions = ConditionTable()
    let candidates = elements.flatMap { $0.choices(gatedBy: [], &conditions) }.sorted { $0.place < $1.place }
    var budget = ChangeSearch.Budget(attempts: limit)
    var found: [(changes: [ChangeSearch.Change], set: ConditionSet)] = []
    var (isComplete, goals) = (true, 0)
    for target in candidates.indices where candidates[target].id == id {
      for goal in ChoiceGoal.goals(toSelect: target, of: candidates) {
        goals += 1
        let search = ChangeSearch(goal, outcomes: conditions.outcomes)
        isComplete = search.run(&budget) { found.append(($0, $1)) } && isComplete
      }
    }
    let smallest = goals > 1 ? smallest(found, &budget, &isComplete) : found.map(\.changes)
    return Changes(
      sets: smallest.map { $0.map { Change(condition: conditions.list[$0.condition], outcome: $0.outcome) } },
      isComplete: isComplete)
  }

  /// The sets of several goals that contain no other set.
  private func smallest(
    _ found: [(changes: [ChangeSearch.Change], set: ConditionSet)], _ budget: inout ChangeSearch.Budget,
    _ isComplete: inout Bool
  ) -> [[ChangeSearch.Change]] {
    var kept: [(changes: [ChangeSearch.Change], set: ConditionSet)] = []
    for one in found.enumerated().sorted(by: { ($0.element.set.count, $0.offset) < ($1.element.set.count, $1.offset) })
    {
      budget.comparisons -= kept.count
      if budget.comparisons <= 0, !kept.isEmpty {
        isComplete = false
        break
      }
      if !kept.contains(where: { $0.set.isSubset(of: one.element.set) }) { kept.append(one.element) }
    }
    return kept.map(\.changes)
  }
}

extension Explanation.Change: CustomStringConvertible {
  /// One line with the condition, its value and the outcome. Only the first line of a longer value is included, such as
  /// a flag with its targeting.
  public var description: String {
    let operand = condition.operand.map { ": \($0.prefix { !$0.isNewline })" } ?? ""
    return "\(condition.name)\(operand) would have to be \(outcome.rawValue)"
  }
}

extension Explanation.Element {
  /// The candidates of the element, each with the rules that have to be satisfied.
  fileprivate func choices(gatedBy gates: [Logic], _ conditions: inout ConditionTable) -> [ChoiceGoal.Candidate] {
    let rules = rule.map { gates + [conditions.logic(of: $0)] } ?? gates
    if isPoint { return elements.flatMap { $0.choices(gatedBy: rules, &conditions) } }
    // Without an enclosing gate, the verdict is `notEvaluated` only if no rules have run.
    let isTraced = verdict != .notEvaluated || !gates.isEmpty
    let isKnown = isTraced && switches == nil && verdict != .quarantined
    let isForced = switches?.first?.action == .forced
    let decision: Logic = isForced ? .constant(.satisfied) : isKnown ? .all(rules) : .constant(.unsatisfied)
    return [
      ChoiceGoal.Candidate(
        id: id, place: isForced ? .min : details["position"]?.int ?? .max, priority: priority,
        lot: isForced ? nil : details["lot"]?.double,
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
