import TestSupport
import Testing

@testable import Plug

@Suite("Spelling")
struct SpellingTests {
  @Test("The nearest of many names have the least distance, and at most half of each name differs")
  func nearest() {
    func nearest(_ wanted: String, _ names: [String]) -> [String] {
      nearestNames(to: wanted, among: names).map { names[$0] }
    }
    #expect(nearest("Payments", ["PaymentClient", "Paymants", "Pavments", "Nothing"]) == ["Paymants", "Pavments"])
    #expect(nearest("Payments", ["Payments", "Payment"]) == ["Payments"])
    #expect(nearest("Payments", ["Search", "Int", ""]) == [])
    #expect(nearest("", ["a", "ab"]) == [])
    #expect(nearest("sitting", ["kitten", "sting"]) == ["sting"])
  }
}
