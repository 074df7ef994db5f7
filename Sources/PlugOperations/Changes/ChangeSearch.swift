import Plug

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
    case .all(let parts): .of(.all, parts) { $0.outcome(outcomes) }
    case .any(let parts): .of(.any, parts) { $0.outcome(outcomes) }
    }
  }
}

/// A requirement on the outcome of a rule: a lower or an upper bound in Kleene's order.
struct OutcomeBound: Sendable {
  /// Whether the outcome has to be at least the bound, or at most.
  let isLower: Bool
  let bound: RuleTrace.Outcome

  static var satisfied: Self { Self(isLower: true, bound: .satisfied) }
  static var notSatisfied: Self { Self(isLower: false, bound: .indeterminate) }

  var negated: Self { Self(isLower: !isLower, bound: bound.negated) }

  /// The outcomes that the bound admits, the most certain ones first.
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

/// The requirements for the selection of a candidate.
struct ChoiceGoal: Sendable {
  struct Candidate: Sendable {
    let id: String
    let place: Int
    let priority: Int
    /// The number that the candidate draws, if it has a weight. The lowest number wins.
    let lot: Double?
    let applies: Logic
  }

  /// Each rule with its required bound.
  private(set) var constraints: [(rule: Logic, bound: OutcomeBound)] = []

  /// Returns the goals, of which one has to be reached.
  ///
  /// - Parameter candidates: The candidates, in the order in which they are chosen.
  static func goals(toSelect target: Int, of candidates: [Candidate]) -> [ChoiceGoal] {
    let chosen = candidates[target]
    guard let lot = chosen.lot else { return [ChoiceGoal(chosen, without: candidates[..<target])] }
    // One of the drawing candidates must come first of all applicable ones. The lowest number among them wins.
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

/// A set of conditions, by their numbers.
struct ConditionSet: Hashable, Sendable {
  private var words: [UInt64]
  private(set) var count = 0

  init(of size: Int) { words = Array(repeating: 0, count: (size + 63) / 64) }

  func contains(_ number: Int) -> Bool { words[number >> 6] >> UInt64(number & 63) & 1 == 1 }

  mutating func insert(_ number: Int) {
    if contains(number) { return }
    words[number >> 6] |= 1 << UInt64(number & 63)
    count += 1
  }

  func isSubset(of other: Self) -> Bool { zip(words, other.words).allSatisfy { $0 & ~$1 == 0 } }
}

/// Finds the smallest sets of conditions whose outcomes have to differ for a goal to be reached.
///
/// The search begins without changes. While the goal is not reached, a rule has an outcome that it must not have. Every
/// set that reaches the goal then changes one of a few conditions: if the rule needs all of its parts, a condition of
/// the first part that fails; if one part is enough, a condition of any part. The search tries each of these, smaller
/// sets first, so that it misses no set. A step takes time proportional to the size of the rules, at most.
struct ChangeSearch {
  typealias Change = (condition: Int, outcome: RuleTrace.Outcome)

  private struct Changes: Hashable {
    var outcomes: [Int: RuleTrace.Outcome] = [:]
    var set: ConditionSet

    var uncertain: Int { outcomes.values.count { $0 == .indeterminate } }
  }

  /// The remaining work: the numbers of sets to try and of comparisons between sets.
  struct Budget {
    var attempts: Int
    var comparisons: Int

    init(attempts: Int) {
      self.attempts = max(attempts, 0)
      let (product, isTooMuch) = self.attempts.multipliedReportingOverflow(by: 100)
      comparisons = isTooMuch ? .max : product
    }

    var isSpent: Bool { attempts <= 0 || comparisons <= 0 }
  }

  private let goal: ChoiceGoal
  private let outcomes: [RuleTrace.Outcome]

  init(_ goal: ChoiceGoal, outcomes: [RuleTrace.Outcome]) { (self.goal, self.outcomes) = (goal, outcomes) }

  /// Finds the sets, smaller ones first, each sorted by the numbers of the conditions.
  ///
  /// - Returns: Whether there are no others.
  func run(_ budget: inout Budget, _ find: ([Change], ConditionSet) -> Void) -> Bool {
    let start = Changes(set: ConditionSet(of: outcomes.count))
    var (level, found) = ([start], [ConditionSet]())
    while !level.isEmpty {
      var (next, known, same) = ([Changes](), Set<Changes>(), Set<ConditionSet>())
      // Sets with more certain outcomes come first, since only one set is kept for the same conditions.
      for changes in level.sorted(by: { $0.uncertain < $1.uncertain }) {
        if budget.isSpent { return false }
        budget.attempts -= 1
        budget.comparisons -= found.count
        if same.contains(changes.set) || found.contains(where: { $0.isSubset(of: changes.set) }) { continue }
        guard let violated = violated(by: changes) else {
          same.insert(changes.set)
          find(changes.outcomes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, changes.set)
          continue
        }
        for step in steps(violated.rule, violated.bound, changes) {
          var further = changes
          further.outcomes[step.condition] = step.outcome
          further.set.insert(step.condition)
          if known.insert(further).inserted { next.append(further) }
        }
      }
      found += same
      level = next
    }
    return true
  }

  private func outcomes(with changes: Changes) -> [RuleTrace.Outcome] {
    var outcomes = outcomes
    for (condition, outcome) in changes.outcomes { outcomes[condition] = outcome }
    return outcomes
  }

  private func violated(by changes: Changes) -> (rule: Logic, bound: OutcomeBound)? {
    let outcomes = outcomes(with: changes)
    return goal.constraints.first { !$0.bound.admits($0.rule.outcome(outcomes)) }
  }

  /// The changes to try next. Every set with which a rule meets a bound that it violates changes one of the conditions.
  private func steps(_ rule: Logic, _ bound: OutcomeBound, _ changes: Changes) -> [Change] {
    let outcomes = outcomes(with: changes)
    func steps(_ rule: Logic, _ bound: OutcomeBound) -> [Change] {
      switch rule {
      case .constant: return []
      case .condition(let index):
        // A changed condition is not changed again.
        return changes.set.contains(index) ? [] : bound.outcomes.map { (index, $0) }
      case .not(let part): return steps(part, bound.negated)
      case .all(let parts): return bound.isLower ? first(parts, bound) : parts.flatMap { steps($0, bound) }
      case .any(let parts): return bound.isLower ? parts.flatMap { steps($0, bound) } : first(parts, bound)
      }
    }
    func first(_ parts: [Logic], _ bound: OutcomeBound) -> [Change] {
      parts.first { !bound.admits($0.outcome(outcomes)) }.map { steps($0, bound) } ?? []
    }
    return steps(rule, bound)
  }
}
