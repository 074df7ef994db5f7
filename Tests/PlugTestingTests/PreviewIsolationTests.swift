import Plug
import PlugTesting
import Testing

private struct Screen: Sendable {
  @Injected private var payments: any Payments
  init(_ injector: Injector) { _payments = Injected(injector: injector) }
  var shown: String { payments.name }
}

@Suite("Previews and isolated tests")
struct PreviewIsolationTests {
  @Test(
    "A test or a preview can register, contribute, decorate and unregister although the injector is sealed",
    arguments: [false, true])
  func changes(isPreview: Bool) throws {
    let shop = try Injector.shop(isSealed: true)
    func names() throws -> [String] { try shop.getAll((any Payments).self).map(\.name) }
    func change() throws {
      try shop.contribute((any Payments).self, id: "card") { FakePayments("card") }
      try shop.contribute((any Payments).self, id: "gift") { FakePayments("gift") }
      try shop.decorate((any Payments).self) { inner, _ in FakePayments("new " + inner.name) }
      #expect(try names() == ["new card", "new gift", "new live"])
      try shop.unregister((any Payments).self, candidate: "card")
      #expect(try names() == ["new gift", "new live"])
      try shop.register(injectable: .singleton(Shopper("bo")))
      #expect(try shop.get(Shopper.self).id == "bo")
      try shop.unregister(Shopper.self)
      #expect(!shop.isRegistered(Shopper.self))
    }
    try isPreview ? Injector.preview(change) : withIsolatedInjectors(change)
    #expect(try names() == ["live"] && !shop.isRegistered(Shopper.self))
  }

  @Test("A preview in an isolated test starts with the test's overrides, and does not change the test", .isolated)
  func preview() throws {
    let injector = try Injector.shop(isSealed: true)
    try injector.override(as: (any Payments).self, injectable: .singleton(FakePayments("test")))
    let (first, second) = try Injector.preview {
      let first = Screen(injector).shown
      try injector.register(as: (any Payments).self) { FakePayments("preview") }
      return (first, Screen(injector))
    }
    #expect([first, second.shown, Screen(injector).shown] == ["test", "preview", "test"])
  }

  @Test("A preview's property keeps the preview's services when an isolated test reads it")
  func reading() throws {
    let injector = try Injector.shop(isSealed: true)
    let screen = try Injector.preview {
      try injector.register(as: (any Payments).self) { FakePayments("preview") }
      return Screen(injector)
    }
    try withIsolatedInjectors {
      try injector.override(as: (any Payments).self, injectable: .singleton(FakePayments("test")))
      #expect([screen.shown, Screen(injector).shown] == ["preview", "test"])
    }
    #expect(screen.shown == "preview")
  }

  @Test("An isolated test inside a preview starts with the preview's services, and can override them")
  func isolation() throws {
    let injector = try Injector.shop(isSealed: true)
    let screen = try Injector.preview {
      try injector.register(as: (any Payments).self) { FakePayments("preview") }
      let screen = Screen(injector)
      withIsolatedInjectors {
        #expect(screen.shown == "preview")
        #expect(injector.paymentsName == "preview")
      }
      try withIsolatedInjectors {
        try injector.override(as: (any Payments).self, injectable: .singleton(FakePayments("test")))
        #expect(screen.shown == "test")
      }
      return screen
    }
    #expect(screen.shown == "preview")
  }
}
