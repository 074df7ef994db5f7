import TestSupport
import Testing

@testable import Plug

@Suite("Spelling", .repeatable)
struct SpellingTests {
  /// Wagner and Fischer, without a band.
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

  @Test("the distance of two names is that of Levenshtein, or more than the limit")
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

  @Test("the nearest of many names are those with the least distance, if at most half of a name differs")
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
