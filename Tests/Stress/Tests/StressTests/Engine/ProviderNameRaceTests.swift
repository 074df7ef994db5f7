import TestSupport
import Testing

@testable import Plug

@Suite("The names of providers under several threads", .repeatable)
struct ProviderNameRaceTests {
  @Test("are the same object for the same place, from any thread, and another for another file")
  func identity() throws {
    try race(threads: 8) { _ in
    } body: { _, _ in
      ProviderName.at("Shop/API.swift", 7, "identity").identity
    } check: { _, names in
      #expect(Set(names).count == 1)
    }
    let names = [
      ProviderName.at("Shop/API.swift", 7, "identity"), .at("Shop/API.swift", 8, "identity"),
      .at("Desk/API.swift", 7, "identity"),
    ]
    #expect(Set(names.map(\.identity)).count == 3)
  }
}
