import Foundation
import Testing

@testable import storefront

@Suite("Moment")
struct MomentTests {
  @Test(
    "A moment is parsed and printed in one form",
    arguments: ["2026-12-24T18:00", "2024-02-29T00:00", "0999-01-01T23:59"])
  func roundTrip(_ text: String) {
    #expect(Moment(text)?.description == text)
  }

  @Test(
    "Text that is no moment is refused",
    arguments: [
      "", "noon", "2026-12-24", "2026-12-24 18:00", "2026-12-24T18:00:00", "2026-12-24T18:00Z", "26-12-24T18:00",
      "2026-13-01T00:00", "2026-00-01T00:00", "2026-02-29T00:00", "2026-04-31T00:00", "2026-12-24T24:00",
      "2026-12-24T18:60", " 2026-12-24T18:00",
    ])
  func refused(_ text: String) {
    #expect(Moment(text) == nil)
  }

  @Test("A date gives the moment in Coordinated Universal Time, and each day has its own number")
  func date() {
    let moment = Moment(Date(timeIntervalSince1970: 1_795_168_800))
    #expect(moment.description == "2026-11-20T10:00")
    #expect(moment.dayNumber == 20_261_120)
  }
}
