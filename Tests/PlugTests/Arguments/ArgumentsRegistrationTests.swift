import TestSupport
import Testing

@testable import Plug

private struct Detail: Sendable {}

@Suite("A service registered only with arguments")
struct ArgumentsRegistrationTests {
  let injector = Injector("details")

  @Test("is registered, in a scope too, under its tag")
  func isRegistered() throws {
    try injector.register(Detail.self, tag: "long", taking: Int.self) { _, _ in Detail() }
    let scope = injector.makeScope()
    #expect(injector.isRegistered(Detail.self, tag: "long") && scope.isRegistered(Detail.self, tag: "long"))
    #expect(!injector.isRegistered(Detail.self) && !injector.isRegistered(Int.self))
    try injector.unregister(Detail.self, tag: "long", taking: Int.self)
    #expect(!injector.isRegistered(Detail.self, tag: "long"))
  }

  @Test("is unregistered with the types of the arguments, and the error says so")
  func unregister() throws {
    try injector.register(
      Detail.self, taking: Int.self, String.self, fileID: "Shop/Detail.swift", line: 1
    ) { _, _, _ in Detail() }
    let error = #expect(throws: InjectorError.self) { try injector.unregister(Detail.self) }
    #expect(
      error?.description == """
        unregister(Detail.self) was refused: Detail takes (Int, String).
          service:        Detail
          injector:       details
          registered at:  Shop/Detail.swift:1
        To fix this:
          - Name the argument types: try Injector["details"].unregister(Detail.self, taking: …).
        """)
  }

  @Test("is reported as missing, not as mismatched, if it is registered after a failed look-up")
  func registeredMeanwhile() throws {
    try injector.register(Detail.self, taking: Int.self) { _, _ in Detail() }
    let missing = injector.absence(of: ServiceKey(ArgumentsKey<Detail, Int>.self, nil))
    guard case .notRegistered = missing else { throw missing }
    let other = injector.absence(of: ServiceKey(ArgumentsKey<Detail, String>.self, nil))
    guard case .argumentsMismatch(_, let expected, let found) = other else { throw other }
    #expect(expected == [["Int"]] && found == ["String"])
  }

  @Test("is reported as missing with its tag")
  func tag() throws {
    try injector.register(Detail.self, taking: Int.self, fileID: "Shop/Detail.swift", line: 1) { _, _ in Detail() }
    let error = #expect(throws: InjectorError.self) {
      try injector.get(Detail.self, tag: "long", with: 3, fileID: "Shop/Page.swift", line: 2)
    }
    #expect(
      error?.description == """
        get(Detail.self, tag: "long", with: …) failed: nothing is registered for Detail(Int) (tag "long").
          service:        Detail(Int) (tag "long")
          injector:       details
          chain:          Detail(Int) (tag "long")
          asked at:       Shop/Page.swift:2
        To fix this:
          - Register it before you ask for it: try Injector["details"].register(Detail.self, tag: "long", taking: Int.self) { … }.
        """)
  }
}
