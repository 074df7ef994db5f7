import TestSupport
import Testing

@testable import Plug

private struct Season: Sendable {}

private struct Banner: Sendable {
  let search: any Networking
}

private struct Strip: Sendable {
  let searches: [any Networking]
}

private struct Badge: Sendable {
  let search: (any Networking)?
}

@Suite("Candidates, in validation")
struct CandidateValidationTests {
  let injector = Injector("shop")

  @Test("that can never apply are a problem if a service depends on them", arguments: [true, false])
  func none(isEmpty: Bool) throws {
    try injector.register(
      PluginPoint<any Networking, Injector>("search", fileID: "Shop/Search.swift", line: 8) {
        if !isEmpty {
          Candidate("off", fileID: "Shop/Search.swift", line: 9) { Instance() }.when(.disabled)
          PluginPoint("beta", when: .disabled) {
            Candidate("new", fileID: "Shop/Search.swift", line: 10) { Instance() }
          }
        }
      })
    try injector.validate()
    try injector.register(injectable: .lazySingleton(wiring: Banner.init))
    #expect(throws: InjectorError.self) { try injector.get(Banner.self) }
    let error = #expect(throws: InjectorError.self) { try injector.seal() }
    let text = try #require(error).description.split(separator: "\n").prefix(4).joined(separator: "\n")
    #expect(
      text == """
        Injector "shop" is not valid: 1 problem in 2 services.
        1. Networking has no candidate that can ever apply, but is needed by Banner.
           at Shop/Search.swift:8
           Register one without a rule as the fallback, or remove the services that need it.
        """)
  }

  @Test("that can never apply are no problem for a collection, an optional, or a service with a fallback")
  func answered() throws {
    try injector.register(PluginPoint<any Networking, Season>("search") {})
    try injector.register(injectable: .singleton(Season()))
    try injector.register(injectable: .lazySingleton(wiring: Strip.init))
    try injector.register(as: Int.self) { "\(String(describing: $0[(any Networking).self]))".count }
    _ = (try injector.get(Strip.self), try injector.get(Int.self))
    try injector.validate()
    try injector.register(injectable: .lazySingleton(wiring: Banner.init))
    #expect(throws: InjectorError.self) { try injector.validate() }
    try injector.register(as: (any Networking).self) { Instance() }
    try injector.seal()
  }
}
