import Plug
import PlugTesting
import Testing

private final class Greeter: Sendable {
  let payments: any Payments
  init(_ payments: any Payments) { self.payments = payments }
}

@Suite("A singleton that reads the current scope in a test", .isolated)
struct CaptiveOverrideTests {
  private let root = Injector("root")

  init() throws {
    try root.register { Greeter(try #require(Injector.current).get()) }
    try root.register(as: (any Payments).self, injectable: .factory { LivePayments() })
  }

  @Test("gets its dependencies from its own injector, not from an override in the scope")
  func service() throws {
    let scope = root.makeScope("request")
    try scope.override(as: (any Payments).self, injectable: .factory { FakePayments() })
    #expect(try scope.run { try scope.get(Greeter.self) }.payments.name == "live")
  }

  @Test("gets an override that the test makes in the singleton's own injector")
  func own() throws {
    let scope = root.makeScope("request")
    try root.override(as: (any Payments).self, injectable: .singleton(FakePayments()))
    #expect(try scope.run { try scope.get(Greeter.self) }.payments.name == "fake")
  }
}
