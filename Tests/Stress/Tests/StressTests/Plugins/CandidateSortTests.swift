import TestSupport
import Testing

@testable import Plug

@Suite("Candidates with random orders", .repeatable)
struct CandidateSortTests {
  @Test("are in the order of a topological sort that always takes the first possible candidate")
  func sorted() throws {
    try Rounds.run(100) { round in
      var random = round.random
      let count = Int.random(in: 1...9, using: &random)
      var after = Array(repeating: Set<Int>(), count: count)
      var candidates = (0..<count).map { (id: "\($0)", order: CandidateOrder()) }
      for _ in 0..<Int.random(in: 0...count * 2, using: &random) {
        let (one, other) = (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
        // Orders along a shuffled sequence form no cycle.
        guard (one * 7 + 3) % 10 < (other * 7 + 3) % 10 else { continue }
        after[other].insert(one)
        if Bool.random(using: &random) {
          candidates[other].order.after.append("\(one)")
        } else {
          candidates[one].order.before.append("\(other)")
        }
      }
      var expected: [Int] = []
      while let next = (0..<count).first(where: { !expected.contains($0) && after[$0].isSubset(of: expected) }) {
        expected.append(next)
      }
      #expect(topologicalOrder(of: candidates) == expected)
    }
  }

  @Test("appear once each, whatever the orders are")
  func anything() throws {
    try Rounds.run(100) { round in
      var random = round.random
      let count = Int.random(in: 1...9, using: &random)
      let candidates = (0..<count).map { number in
        let id = { "\(Int.random(in: 0..<count, using: &random))" }
        return (
          id: "\(number)", order: CandidateOrder(after: [id()], before: Bool.random(using: &random) ? [id()] : [])
        )
      }
      #expect(topologicalOrder(of: candidates).sorted() == Array(0..<count))
    }
  }
}
