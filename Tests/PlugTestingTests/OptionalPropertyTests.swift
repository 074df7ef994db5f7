import Plug
import PlugTesting
import Testing

private struct Screen {
  @Injected var payments: (any Payments)?
  @Injected var all: [any Payments]

  init(_ injector: Injector) {
    _payments = Injected(injector: injector)
    _all = Injected(injector: injector)
  }
}

@Suite("Optional and array properties in an isolated test")
struct OptionalPropertyTests {
  @Test("give the test's overrides, and the program's services afterwards")
  func overridden() throws {
    let injector = try Injector.shop()
    let screen = Screen(injector)
    try withIsolatedInjectors {
      try injector.override(as: (any Payments).self, injectable: .singleton(FakePayments("fake")))
      #expect(screen.payments?.name == "fake")
      #expect(screen.all.map(\.name) == ["fake"])
    }
    #expect(screen.payments?.name == "live")
    #expect(screen.all.map(\.name) == ["live"])
  }
}
