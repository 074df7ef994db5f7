import Plug
import PlugTesting
import Testing

private final class Detail: Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}

extension Injector {
  fileprivate var detail: Provider<Detail, Int, Bool> {
    provide { id, isLong, _ in Detail("\(id) \(isLong)") }
  }

  fileprivate var keptDetail: Provider<Detail, Int> {
    provide(lifetime: .lazySingleton) { id, _ in Detail("\(id)") }
  }
}

@Suite("Overrides of services with arguments")
struct ArgumentsOverridesTests {
  private let services = Injector("services")

  @Test("A key path overrides a provider only in the test, in open and in sealed injectors", arguments: [false, true])
  func provider(isSealed: Bool) throws {
    if isSealed { try services.seal() }
    #expect(services.detail(1, true).text == "1 true")
    try withIsolatedInjectors {
      try services.override(\.detail) { id, _, _ in Detail("fake \(id)") }
      #expect(services.detail(1, true).text == "fake 1")
      try services.override(\.keptDetail) { id, _ in Detail("kept \(id)") }
      #expect(services.keptDetail(2).text == "kept 2")
      #expect(services.keptDetail(2) === services.keptDetail(2))
      try services.override(\.basket, injectable: .singleton(Basket(payments: FakePayments("of the provider"))))
      #expect(services.basket().payments.name == "of the provider")
    }
    #expect(services.detail(1, true).text == "1 true")
    #expect(services.keptDetail(2).text == "2")
  }

  @Test("An override of a provider is refused outside isolated tests")
  func unisolated() {
    let errors = [
      #expect(throws: InjectorError.self) { try services.override(\.detail) { _, _, _ in Detail("fake") } },
      #expect(throws: InjectorError.self) {
        try services.override(\.basket, injectable: .singleton(Basket(payments: FakePayments())))
      },
    ]
    #expect(
      errors.map { $0?.description }
        == ["detail", "basket"].map { name in
          """
          The override of \\.\(name) was refused: this code does not run in an isolated test.
            service:        \\.\(name)
            injector:       services
          To fix this:
            - Isolate the test: @Test(.isolated), or withIsolatedInjectors { … } around it.
          """
        })
    #expect(services.detail(1, true).text == "1 true")
  }

  @Test("The service of a provider cannot be overridden by its type", .isolated)
  func unreachable() {
    #expect(services.detail(1, true).text == "1 true")
    let error = #expect(throws: InjectorError.self) {
      try services.override(Detail.self, taking: Int.self, Bool.self) { _, _, _ in Detail("fake") }
    }
    #expect(
      error?.description == """
        override(Detail.self, taking: Int.self, Bool.self) { … } was refused: nothing is registered for \
        Detail(Int, Bool).
          service:        Detail(Int, Bool)
          injector:       services
        To fix this:
          - If a provider makes it, override the provider by its key path: \
        try Injector["services"].override(\\.…) { … }.
          - Or register it before you override it.
        """)
    #expect(services.detail(1, true).text == "1 true")
  }

  @Test("The error for wrong argument types shows the right types", .isolated)
  func mismatch() throws {
    try services.register(Detail.self, taking: Int.self, fileID: "Shop/Main.swift", line: 3) { id, _ in
      Detail("\(id)")
    }
    let error = #expect(throws: InjectorError.self) {
      try services.override(Detail.self, taking: String.self) { _, _ in Detail("fake") }
    }
    #expect(
      error?.description == """
        override(Detail.self, taking: String.self) { … } was refused: Detail takes (Int), but got (String).
          service:        Detail
          injector:       services
          registered at:  Shop/Main.swift:3
        To fix this:
          - Override it with the same argument types in the same order.
        """)
    try services.override(Detail.self, taking: Int.self) { id, _ in Detail("fake \(id)") }
    #expect(try services.makeScope().get(Detail.self, with: 3).text == "fake 3")
    try services.makeScope().override(Detail.self, taking: Int.self) { id, _ in Detail("scope \(id)") }
  }

  @Test("An error in an isolated test suggests only services that the test can see", .isolated)
  func nearest() throws {
    let program = Counted.program
    let copied = #expect(throws: InjectorError.self) { try program.get(Int.self, tag: "first") }
    #expect(copied?.facts.nearest == "Int (tag \"fist\")")
    try program.unregister(Int.self, tag: "fist")
    let removed = #expect(throws: InjectorError.self) { try program.get(Int.self, tag: "first") }
    #expect(removed?.facts.nearest == nil)
  }
}

private enum Counted {
  static let program = {
    let injector = Injector()
    _ = try? injector.register(as: Int.self, tag: "fist", injectable: .singleton(1))
    return injector
  }()
}
