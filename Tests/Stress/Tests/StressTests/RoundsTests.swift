import TestSupport
import Testing

@Suite("Rounds")
struct RoundsTests {
  @Test("run in order, a few of them, and draw equal values for equal numbers")
  func few() throws {
    func drawn() throws -> [[UInt64]] {
      var drawn: [[UInt64]] = []
      try Rounds.run(3, at: SourceLocation(fileID: "StressTests/A.swift", filePath: "A.swift", line: 1, column: 1)) {
        var random = $0.random
        drawn.append([UInt64($0.number), random.next()])
      }
      return drawn
    }
    // The stress package runs as many rounds as fit into a given time.
    let (first, second) = (try drawn(), try drawn())
    let count = min(first.count, second.count)
    #expect(first.prefix(count) == second.prefix(count))
    #expect(first.map { $0[0] } == Array(0..<UInt64(first.count)))
    #expect(Set(first.map { $0[1] }).count == first.count)
  }
}
