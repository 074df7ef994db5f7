import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

/// Kleene's outcomes of a rule in many worlds at once, a bit of each word for each world.
private struct Outcomes {
  var satisfied: [UInt64]
  /// The worlds where the rule is satisfied or indeterminate.
  var possible: [UInt64]

  var negated: Self { Self(satisfied: possible.map(~), possible: satisfied.map(~)) }

  func combined(with other: Self, _ combine: (UInt64, UInt64) -> UInt64) -> Self {
    Self(
      satisfied: zip(satisfied, other.satisfied).map(combine), possible: zip(possible, other.possible).map(combine))
  }
}

/// A rule that is evaluated in all worlds at once.
private indirect enum NumberedFormula {
  case condition(Int)
  case not(NumberedFormula)
  case all(NumberedFormula, NumberedFormula)
  case any(NumberedFormula, NumberedFormula)

  var rule: Rule<[RuleTrace.Outcome]> {
    switch self {
    case .condition(let number): reading(number)
    case .not(let part): !part.rule
    case .all(let first, let second): first.rule && second.rule
    case .any(let first, let second): first.rule || second.rule
    }
  }

  /// - Parameter conditions: The outcomes of each condition.
  func outcomes(_ conditions: [Outcomes]) -> Outcomes {
    switch self {
    case .condition(let number): conditions[number]
    case .not(let part): part.outcomes(conditions).negated
    case .all(let first, let second): first.outcomes(conditions).combined(with: second.outcomes(conditions), &)
    case .any(let first, let second): first.outcomes(conditions).combined(with: second.outcomes(conditions), |)
    }
  }
}

private struct Unknown: Error {}

private func reading(_ number: Int) -> Rule<[RuleTrace.Outcome]> {
  Rule("condition \(number)") { outcomes in
    if outcomes[number] == .indeterminate { throw Unknown() }
    return outcomes[number] == .satisfied
  }
}

private let outcomes: [RuleTrace.Outcome] = [.unsatisfied, .indeterminate, .satisfied]

/// All worlds of `count` conditions: the ternary digits of a world's number are the outcomes of its conditions.
private struct Worlds {
  let count: Int
  let conditions: [Outcomes]

  init(of count: Int) {
    self.count = count
    let size = (0..<count).reduce(1) { size, _ in size * 3 }
    var step = 1
    conditions = (0..<count).map { _ in
      var satisfied = [UInt64](repeating: 0, count: size / 64 + 1)
      var possible = satisfied
      for index in 0..<size {
        let (digit, bit) = (index / step % 3, UInt64(1) << UInt64(index % 64))
        if digit == 2 { satisfied[index / 64] |= bit }
        if digit > 0 { possible[index / 64] |= bit }
      }
      step *= 3
      return Outcomes(satisfied: satisfied, possible: possible)
    }
  }

  /// The conditions, as bits, whose outcomes differ from the ones in `world`, for each world.
  func differences(from world: [Int]) -> [Int] {
    world.enumerated().reduce([0]) { differences, condition in
      (0..<3).flatMap { outcome in
        outcome == condition.element ? differences : differences.map { $0 | 1 << condition.offset }
      }
    }
  }

  /// The smallest sets of conditions, as bits, whose change leads from one world to a good one.
  func smallest(_ differences: [Int], to good: [UInt64]) -> [Int] {
    var leading = Array(repeating: false, count: 1 << count)
    for (place, word) in good.enumerated() {
      var rest = word
      while rest != 0 {
        let index = place * 64 + rest.trailingZeroBitCount
        if index < differences.count { leading[differences[index]] = true }
        rest &= rest - 1
      }
    }
    var containing = leading
    return leading.indices.filter { set in
      let isLarger = (0..<count).contains { set & 1 << $0 != 0 && containing[set ^ 1 << $0] }
      if isLarger { containing[set] = true }
      return leading[set] && !isLarger
    }
  }
}

extension [Explanation.Change] {
  /// The conditions, as bits.
  fileprivate var conditions: Int { reduce(0) { $0 | 1 << $1.number } }

  /// Applies the changes to a world.
  fileprivate func applied(to world: [Int]) -> [Int] {
    reduce(into: world) { $0[$1.number] = outcomes.firstIndex(of: $1.outcome) ?? 0 }
  }
}

extension Explanation.Change {
  fileprivate var number: Int { Int(condition.name.dropFirst("condition ".count)) ?? 0 }
}

@Suite("The changes of an explanation, against all worlds", .repeatable)
struct ExplanationChangesReferenceTests {
  private static let conditions = 8

  @Test("are the smallest sets, for random points of up to eight conditions")
  func reference() throws {
    let all = (0...Self.conditions).map(Worlds.init)
    func formula(_ depth: Int, _ count: Int, _ random: inout SplitMix64) -> NumberedFormula {
      switch depth == 0 ? 0 : Int.random(in: 0..<5, using: &random) {
      case 0, 1: .condition(Int.random(in: 0..<count, using: &random))
      case 2: .not(formula(depth - 1, count, &random))
      case 3: .all(formula(depth - 1, count, &random), formula(depth - 1, count, &random))
      default: .any(formula(depth - 1, count, &random), formula(depth - 1, count, &random))
      }
    }
    try Rounds.run(20) { round in
      var random = round.random
      let worlds = all[Int.random(in: 2...Self.conditions, using: &random)]
      let formulas = (0..<Int.random(in: 1...5, using: &random)).map { _ in formula(3, worlds.count, &random) }
      let world = (0..<worlds.count).map { _ in Int.random(in: 0...2, using: &random) }
      let point = PluginPoint<Int, [RuleTrace.Outcome]>("point") {
        for (number, formula) in formulas.enumerated() {
          Candidate("\(number)", .factory { number }).when(formula.rule)
        }
      }
      let explanation = point.explain(in: world.map { outcomes[$0] })
      let differences = worlds.differences(from: world)
      var free = [UInt64](repeating: .max, count: differences.count / 64 + 1)
      for (number, formula) in formulas.enumerated() {
        let applying = formula.outcomes(worlds.conditions).satisfied
        let good = zip(applying, free).map(&)
        let found = explanation.changes(toSelect: "\(number)")
        let expected = worlds.smallest(differences, to: good)
        #expect(found.map(\.conditions).sorted() == expected, "\(number)\n\(explanation)")
        let areRight = found.allSatisfy { changes in
          let index = changes.applied(to: world).reversed().reduce(0) { $0 * 3 + $1 }
          return good[index / 64] >> UInt64(index % 64) & 1 == 1
        }
        #expect(areRight, "\(number)\n\(explanation)")
        free = zip(free, applying).map { $0 & ~$1 }
      }
    }
  }
}
