import Plug
import PlugTesting
import Testing

@Suite("Overriding with a closure")
struct OverrideByClosureTests {
  private static let services = Injector { services in
    try services.register(as: (any Sender).self) { Mail() }
    try services.register { 3 }
  }

  private protocol Sender: Sendable { var name: String { get } }

  private struct Mail: Sender { let name = "mail" }

  private struct Fake: Sender { let name: String }

  @Test("The closure makes a lazy singleton of the test from the test's services", .isolated)
  func closures() throws {
    try Self.services.override(as: (any Sender).self) { Fake(name: "fake \(try $0.get(Int.self))") }
    try Self.services.override { 4 }
    #expect(try Self.services.get((any Sender).self).name == "fake 4")
  }

  @Test("The program keeps its own instance when a test overrides the service with a closure")
  func program() throws {
    #expect(try Self.services.get((any Sender).self).name == "mail")
  }
}
