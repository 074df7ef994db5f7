import TestSupport
import Testing

@testable import Plug

@Suite("Spelling", .repeatable)
struct SpellingTests {
  /// The algorithm of Wagner and Fischer, without a band.
  private func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first.utf8), Array(second.utf8))
    var row = Array(0...second.count)
    for (i, a) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in second.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
        diagonal = above
      }
    }
    return row[second.count]
  }

  @Test("The distance of two names is the Levenshtein distance, or exceeds the limit")
  func distances() throws {
    try Rounds.run(500) { round in
      var random = round.random
      func name() -> String {
        String((0..<Int.random(in: 0...9, using: &random)).map { _ in "abcé".randomElement(using: &random) ?? "a" })
      }
      let (first, second) = (name(), name())
      let expected = distance(first, second)
      let limit = Int.random(in: 0...9, using: &random)
      var spelling = Spelling(first)
      let found = spelling.distance(to: second, atMost: limit)
      #expect(found == (expected <= limit ? expected : nil), "\(first), \(second), at most \(limit)")
    }
  }

  @Test("The nearest of many names have the least distance, and at most half of each name differs")
  func nearest() {
    func nearest(_ wanted: String, _ names: [String]) -> [String] {
      Spelling.nearest(to: wanted, among: names) { $0 }
    }
    #expect(nearest("Payments", ["PaymentClient", "Paymants", "Pavments", "Nothing"]) == ["Paymants", "Pavments"])
    #expect(nearest("Payments", ["Payments", "Payment"]) == ["Payments"])
    #expect(nearest("Payments", ["Search", "Int", ""]) == [])
    #expect(nearest("", ["a", "ab"]) == [])
  }
}
