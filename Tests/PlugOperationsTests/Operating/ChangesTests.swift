import Foundation
import Plug
import PlugOperations
import TestSupport
import Testing

/// Conditions that are named after their numbers.
private struct Guest: Sendable {
  var values: [Bool]
  var isYoung: Bool { values[0] }
  var isOld: Bool { values[1] }

  subscript(index: Int) -> Bool { values[index] }
}

private func condition(_ number: Int) -> Rule<Guest> { Rule("condition \(number)") { $0.values[number] } }

@Suite("The changes that would select a candidate")
struct ChangesTests {
  /// A candidate that needs one of three conditions from each of the given groups.
  private func explanation(groups: Int) -> Explanation {
    let rules = (0..<groups).map { group in (0..<3).map { condition(group * 3 + $0) }.reduce(.never, ||) }
    let point = PluginPoint<Int, Guest>("point") { Candidate("one", .singleton(1)).when(rules.reduce(.always, &&)) }
    return point.explain(in: Guest(values: Array(repeating: false, count: groups * 3)))
  }

  @Test("are listed completely for a few groups of conditions, and marked as complete")
  func complete() {
    let changes = explanation(groups: 3).changes(toSelect: "one")
    #expect(changes.count == 27)
    #expect(changes.allSatisfy { $0.count == 3 })
    #expect(changes.isComplete)
  }

  @Test("are searched for only up to the given limit", .timeLimit(.minutes(10)))
  func limited() {
    let explanation = explanation(groups: 12)
    let start = ContinuousClock.now
    let changes = explanation.changes(toSelect: "one", limit: 10)
    #expect(changes.isEmpty && !changes.isComplete)
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(!explanation.changes(toSelect: "one", limit: 0).isComplete)
    #expect(!explanation.changes(toSelect: "one", limit: -1).isComplete)
  }

  @Test("distinguish conditions that print alike but read different properties")
  func subjects() throws {
    let point = PluginPoint<Int, Guest>("point") {
      Candidate("one", .singleton(1)).when(.equals(\.isYoung, true) && .equals(\.isOld, true))
      Candidate("two", .singleton(2)).when(.equals(\.[0], true) && .equals(\.[1], true) && .equals(\.[0], true))
    }
    let explanation = point.explain(in: Guest(values: [false, false]))
    for id in ["one", "two"] {
      let changes = explanation.changes(toSelect: id)
      #expect(changes.map(\.count) == [2], "\(changes.map(\.self))")
    }
    let stored = try JSONDecoder().decode(Explanation.self, from: JSONEncoder().encode(explanation))
    #expect(stored == explanation)
    #expect(stored.changes(toSelect: "two").map(\.count) == [2])
    let oneYoung = point.explain(in: Guest(values: [true, false]))
    #expect(oneYoung.changes(toSelect: "one").map(\.count) == [1])
  }

  @Test("include no set that contains a smaller one, if the candidate is drawn by weight")
  func drawn() {
    let point = PluginPoint<Int, Guest>("point") {
      for number in 0..<4 {
        Candidate("\(number)", .singleton(number)).when(condition(number)).weight(1, by: \.id)
      }
    }
    let explanation = point.explain(in: Guest(values: [true, true, true, false]))
    for number in 0..<4 {
      let changes = explanation.changes(toSelect: "\(number)")
      #expect(changes.isComplete && !changes.isEmpty)
      let sets = changes.map { Set($0.map(\.condition.name)) }
      #expect(!sets.contains { set in sets.contains { $0.isStrictSubset(of: set) } })
    }
  }
}

extension Guest {
  fileprivate var id: String { "somebody" }
}
