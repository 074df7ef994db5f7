import Testing

@testable import Plug

/// A rule that is evaluated for all outcomes of all conditions at once, with 0, 1 and 2 for Kleene's values.
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

  /// - Parameter outcomes: Of each condition the outcome in each world.
  func outcomes(_ outcomes: [[UInt8]]) -> [UInt8] {
    switch self {
    case .condition(let number): return outcomes[number]
    case .not(let part): return part.outcomes(outcomes).map { 2 - $0 }
    case .all(let first, let second):
      return zip(first.outcomes(outcomes), second.outcomes(outcomes)).map { min($0, $1) }
    case .any(let first, let second):
      return zip(first.outcomes(outcomes), second.outcomes(outcomes)).map { max($0, $1) }
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

/// All worlds of so many conditions, and which conditions differ in each from the first world.
private struct Worlds {
  let outcomes: [[UInt8]]
  let changed: [Int]

  init(_ count: Int, from world: [UInt8]) {
    let size = (0..<count).reduce(1) { size, _ in size * 3 }
    var (outcomes, changed) = ([[UInt8]](), [Int](repeating: 0, count: size))
    var step = 1
    for condition in 0..<count {
      outcomes.append((0..<size).map { UInt8($0 / step % 3) })
      for index in 0..<size where outcomes[condition][index] != world[condition] { changed[index] |= 1 << condition }
      step *= 3
    }
    (self.outcomes, self.changed) = (outcomes, changed)
  }
}

@Suite("What would have to change, against all worlds")
struct ExplanationChangesReferenceTests {
  #if DEBUG
    private static let (points, conditions) = (40, 5)
  #else
    private static let (points, conditions) = (300, 12)
  #endif

  @Test("is every smallest set, for random points of up to twelve conditions")
  func reference() {
    var random = SplitMix64(seed: 19)
    func formula(_ depth: Int, _ count: Int) -> NumberedFormula {
      switch depth == 0 ? 0 : Int.random(in: 0..<5, using: &random) {
      case 0, 1: .condition(Int.random(in: 0..<count, using: &random))
      case 2: .not(formula(depth - 1, count))
      case 3: .all(formula(depth - 1, count), formula(depth - 1, count))
      default: .any(formula(depth - 1, count), formula(depth - 1, count))
      }
    }
    for _ in 0..<Self.points {
      let count = Int.random(in: 2...Self.conditions, using: &random)
      let formulas = (0..<Int.random(in: 1...5, using: &random)).map { _ in formula(3, count) }
      let world = (0..<count).map { _ in UInt8.random(in: 0...2, using: &random) }
      let point = PluginPoint<Int, [RuleTrace.Outcome]>("point") {
        for (number, formula) in formulas.enumerated() {
          Candidate("\(number)", .factory { number }).when(formula.rule)
        }
      }
      let explanation = point.explain(in: world.map { [.unsatisfied, .indeterminate, .satisfied][Int($0)] })
      let worlds = Worlds(count, from: world)
      let applying = formulas.map { $0.outcomes(worlds.outcomes) }
      for target in formulas.indices {
        let expected = smallest(worlds) { index in
          applying[target][index] == 2 && !applying[..<target].contains { $0[index] == 2 }
        }
        let found = explanation.changes(toSelect: "\(target)").map { changes in
          changes.reduce(0) { $0 | 1 << (Int($1.condition.name.dropFirst("condition ".count)) ?? 0) }
        }
        #expect(found.sorted() == expected, "\(target)\n\(explanation)")
      }
    }
  }

  /// The sets of conditions, as bits, that contain no other such set.
  private func smallest(_ worlds: Worlds, where isGood: (Int) -> Bool) -> [Int] {
    var sets: Set<Int> = []
    for index in worlds.changed.indices where !sets.contains(worlds.changed[index]) && isGood(index) {
      sets.insert(worlds.changed[index])
    }
    return sets.filter { set in !sets.contains { $0 != set && $0 & set == $0 } }.sorted()
  }
}
