import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

/// The outcomes of the conditions.
private struct World: Sendable {
  var outcomes: [RuleTrace.Outcome]
}

private struct Unknown: Error {}

private func condition(_ number: Int) -> Rule<World> {
  Rule("condition \(number)") { world in
    switch world.outcomes[number] {
    case .satisfied: true
    case .unsatisfied: false
    case .indeterminate: throw Unknown()
    }
  }
}

/// Points with random rules.
private struct Drawing {
  var random: SplitMix64
  let conditions: Int

  mutating func rule(_ depth: Int) -> Rule<World> {
    let number = Int.random(in: 0..<10, using: &random)
    if depth == 0 || number < 4 { return condition(Int.random(in: 0..<conditions, using: &random)) }
    switch number {
    case 4: return number.isMultiple(of: 2) && Bool.random(using: &random) ? .always : .never
    case 5, 6: return !rule(depth - 1)
    case 7, 8: return rule(depth - 1) && rule(depth - 1)
    default: return rule(depth - 1) || rule(depth - 1)
    }
  }

  mutating func candidate(_ id: String) -> Candidate<String, World> {
    var candidate = Candidate<String, World>(
      id, .factory { id }, priority: Int.random(in: 0..<2, using: &random))
    if Int.random(in: 0..<5, using: &random) > 0 { candidate = candidate.when(rule(2)) }
    if Int.random(in: 0..<3, using: &random) == 0 { candidate = candidate.weight(1, by: \.id) }
    return candidate
  }

  mutating func point() -> PluginPoint<String, World> {
    let ids = (0..<Int.random(in: 1...4, using: &random)).map { "candidate \($0)" }
    let candidates = ids.map { candidate($0) }
    let split = Int.random(in: 0...ids.count, using: &random)
    return PluginPoint<String, World>("point") {
      for candidate in candidates[..<split] { candidate }
      PluginPoint("inner", when: rule(1)) { for candidate in candidates[split...] { candidate } }
    }
  }

  mutating func world() -> World {
    World(outcomes: (0..<conditions).map { _ in outcomes[Int.random(in: 0..<3, using: &random)] })
  }
}

private let outcomes: [RuleTrace.Outcome] = [.satisfied, .unsatisfied, .indeterminate]

extension World {
  fileprivate var id: String { "somebody" }
}

@Suite("The changes of an explanation", .repeatable)
struct ExplanationChangesTests {
  @Test("are the smallest sets of conditions that a search through all sets finds")
  func bruteForce() throws {
    try Rounds.run { round in
      var drawing = Drawing(random: round.random, conditions: 2 + round.number % 4)
      let (point, world) = (drawing.point(), drawing.world())
      let explanation = point.explain(in: world)
      for id in ["candidate 0", "candidate 1", "candidate 2", "candidate 3"] {
        let found = explanation.changes(toSelect: id).map { changes in
          Set(changes.map { $0.condition.name })
        }
        let expected = smallestSets(point, world) { $0.explain(in: $1).selected == id }
        #expect(Set(found) == Set(expected), "\(id)\n\(explanation)")
        #expect(found.count == expected.count)
        for changes in explanation.changes(toSelect: id) {
          #expect(point.explain(in: world.applying(changes)).selected == id)
        }
      }
    }
  }

  private func smallestSets(
    _ point: PluginPoint<String, World>, _ world: World, _ isGood: (PluginPoint<String, World>, World) -> Bool
  ) -> [Set<String>] {
    var good: [Set<Int>] = []
    func visit(_ index: Int, _ world: World, _ changed: Set<Int>, _ original: World) {
      if index == world.outcomes.count {
        if isGood(point, world) { good.append(changed) }
        return
      }
      for outcome in outcomes {
        var next = world
        next.outcomes[index] = outcome
        visit(index + 1, next, outcome == original.outcomes[index] ? changed : changed.union([index]), original)
      }
    }
    visit(0, world, [], world)
    let unique = Set(good)
    return unique.filter { set in !unique.contains { $0.isStrictSubset(of: set) } }
      .map { Set($0.map { "condition \($0)" }) }
  }
}

extension World {
  fileprivate func applying(_ changes: [Explanation.Change]) -> World {
    var world = self
    for change in changes {
      let number = Int(change.condition.name.dropFirst("condition ".count)) ?? 0
      world.outcomes[number] = change.outcome
    }
    return world
  }
}
