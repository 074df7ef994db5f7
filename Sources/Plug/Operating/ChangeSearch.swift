/// A rule whose conditions are numbered.
indirect enum Logic: Sendable {
  case constant(RuleTrace.Outcome)
  case condition(Int)
  case not(Logic)
  case all([Logic])
  case any([Logic])

  func outcome(_ outcomes: [RuleTrace.Outcome]) -> RuleTrace.Outcome {
    switch self {
    case .constant(let outcome): outcome
    case .condition(let index): outcomes[index]
    case .not(let part): part.outcome(outcomes).negated
    case .all(let parts): parts.reduce(.satisfied) { $0.and($1.outcome(outcomes)) }
    case .any(let parts): parts.reduce(.unsatisfied) { $0.or($1.outcome(outcomes)) }
    }
  }
}

/// What is asked of a rule: outcomes that are closed under Kleene's order, at one end of it.
struct OutcomeBound: Sendable {
  /// Whether the outcome has to be at least the bound, or at most.
  let isLower: Bool
  let bound: RuleTrace.Outcome

  static var satisfied: Self { Self(isLower: true, bound: .satisfied) }
  static var notSatisfied: Self { Self(isLower: false, bound: .indeterminate) }

  var negated: Self { Self(isLower: !isLower, bound: bound.negated) }

  /// The outcomes that will do, the most certain ones first.
  var outcomes: [RuleTrace.Outcome] {
    switch (isLower, bound) {
    case (true, .satisfied): [.satisfied]
    case (true, _): [.satisfied, .indeterminate]
    case (false, .unsatisfied): [.unsatisfied]
    case (false, _): [.unsatisfied, .indeterminate]
    }
  }

  func admits(_ outcome: RuleTrace.Outcome) -> Bool { outcomes.contains(outcome) }
}

/// What has to hold for a candidate to be selected.
struct ChoiceGoal: Sendable {
  struct Candidate: Sendable {
    let id: String
    let place: Int
    let priority: Int
    /// The number that it draws, if it has a weight; the least wins.
    let lot: Double?
    let applies: Logic
  }

  /// Each rule with what is asked of it.
  private(set) var constraints: [(rule: Logic, bound: OutcomeBound)] = []

  /// The goals of which one has to be reached.
  ///
  /// - Parameter candidates: In the order in which they are chosen.
  static func goals(toSelect target: Int, of candidates: [Candidate]) -> [ChoiceGoal] {
    let chosen = candidates[target]
    guard let lot = chosen.lot else { return [ChoiceGoal(chosen, without: candidates[..<target])] }
    // One of those that draw has to come first of all that apply; the least number among them wins.
    let rivals = candidates.indices.filter { candidates[$0].lot != nil && candidates[$0].priority == chosen.priority }
    let winning = rivals.filter { candidates[$0].lot.map { $0 < lot } ?? false }
    return rivals.filter { $0 <= target && !winning.contains($0) }.map { first in
      var goal = ChoiceGoal(chosen, without: candidates[..<first] + winning.map { candidates[$0] })
      goal.constraints.append((candidates[first].applies, .satisfied))
      return goal
    }
  }

  private init(_ chosen: Candidate, without others: some Sequence<Candidate>) {
    constraints = [(chosen.applies, .satisfied)] + others.map { ($0.applies, .notSatisfied) }
  }
}

/// Finds the smallest sets of conditions whose outcomes have to differ for a goal to be reached.
///
/// It begins with no difference. Where the goal is not reached, a rule has an outcome that it must not have: each way
/// of giving it another one is tried, with as few differences as that takes. Every set that reaches the goal contains
/// the differences of one of these ways, so that none is missed; smaller sets come first, so that those that contain
/// others are known.
struct ChangeSearch {
  typealias Changes = [Int: RuleTrace.Outcome]

  private let goal: ChoiceGoal
  private let outcomes: [RuleTrace.Outcome]
  private var attempts: Int

  init(_ goal: ChoiceGoal, outcomes: [RuleTrace.Outcome], limit: Int) {
    (self.goal, self.outcomes, attempts) = (goal, outcomes, limit)
  }

  /// The sets, smaller ones first, each sorted by the numbers of the conditions.
  mutating func solutions() -> [[(condition: Int, outcome: RuleTrace.Outcome)]] {
    var found: [Changes] = []
    var known: Set<Changes> = [[:]]
    var levels: [[Changes]] = [[[:]]]
    while let size = levels.firstIndex(where: { !$0.isEmpty }), attempts > 0 {
      for changes in exchange(&levels[size], []).sorted(by: comesFirst) where attempts > 0 {
        attempts -= 1
        if found.contains(where: { $0.keys.allSatisfy { changes[$0] != nil } }) { continue }
        guard let violated = violated(by: changes) else {
          found.append(changes)
          continue
        }
        for way in ways(violated.rule, violated.bound, changes) where known.insert(way).inserted {
          while levels.count <= way.count { levels.append([]) }
          levels[way.count].append(way)
        }
      }
    }
    return found.map { changes in changes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }

  /// Those with more certain outcomes come first.
  private func comesFirst(_ first: Changes, _ second: Changes) -> Bool {
    func rank(_ changes: Changes) -> Int { changes.values.count { $0 == .indeterminate } }
    if rank(first) != rank(second) { return rank(first) < rank(second) }
    return first.keys.sorted().lexicographicallyPrecedes(second.keys.sorted())
  }

  private func violated(by changes: Changes) -> (rule: Logic, bound: OutcomeBound)? {
    var outcomes = outcomes
    for (condition, outcome) in changes { outcomes[condition] = outcome }
    return goal.constraints.first { !$0.bound.admits($0.rule.outcome(outcomes)) }
  }

  /// The ways of giving a rule an outcome, by differences in addition to those that there are.
  private func ways(_ rule: Logic, _ bound: OutcomeBound, _ changes: Changes) -> [Changes] {
    switch rule {
    case .constant(let outcome): return bound.admits(outcome) ? [changes] : []
    case .condition(let index):
      if let outcome = changes[index] { return bound.admits(outcome) ? [changes] : [] }
      if bound.admits(outcomes[index]) { return [changes] }
      return bound.outcomes.map { changes.merging([index: $0]) { $1 } }
    case .not(let part): return ways(part, bound.negated, changes)
    case .all(let parts): return bound.isLower ? each(parts, bound, changes) : one(parts, bound, changes)
    case .any(let parts): return bound.isLower ? one(parts, bound, changes) : each(parts, bound, changes)
    }
  }

  private func each(_ parts: [Logic], _ bound: OutcomeBound, _ changes: Changes) -> [Changes] {
    parts.reduce([changes]) { ways, part in Array(Set(ways.flatMap { self.ways(part, bound, $0) })) }
  }

  private func one(_ parts: [Logic], _ bound: OutcomeBound, _ changes: Changes) -> [Changes] {
    Array(Set(parts.flatMap { ways($0, bound, changes) }))
  }
}

private func exchange<Value>(_ value: inout Value, _ new: Value) -> Value {
  defer { value = new }
  return value
}
