import Testing

@testable import Plug

private final class Detail: Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}

extension Injector {
  fileprivate var detail: ArgumentsProvider<Detail, Int, String> {
    provide(fileID: "Shop/Detail.swift", line: 5) { id, name, _ in Detail("\(id) \(name)") }
  }

  fileprivate var keptDetail: ArgumentsProvider<Detail, Int> {
    provide(lifetime: .lazySingleton) { id, _ in Detail("\(id)") }
  }
}

@Suite("A provider with arguments")
struct ArgumentsProviderTests {
  let injector = Injector("services")

  @Test("can be overridden and reset, in a scope for that scope")
  func overriding() throws {
    #expect(injector.detail(1, "one").text == "1 one")
    try injector.detail.override { id, name, _ in Detail("\(name) \(id)") }
    #expect(injector.detail(1, "one").text == "one 1")
    let scope = injector.makeScope()
    #expect(scope.detail(1, "one").text == "one 1")
    try scope.detail.override { _, _, injector in Detail("scope") }
    #expect([scope.detail(1, "one").text, injector.detail(1, "one").text] == ["scope", "one 1"])
    try scope.detail.reset()
    #expect(scope.detail(1, "one").text == "one 1")
    try injector.detail.reset()
    #expect(injector.detail(1, "one").text == "1 one")
  }

  @Test("keeps instances as it declares, also when it is overridden, and an override releases existing ones")
  func kept() throws {
    let first = injector.keptDetail(1)
    #expect(injector.keptDetail(1) === first)
    try injector.keptDetail.override { id, _ in Detail("other \(id)") }
    let second = injector.keptDetail(1)
    #expect(second.text == "other 1")
    #expect(injector.keptDetail(1) === second)
    try injector.keptDetail.reset()
    #expect(injector.keptDetail(1).text == "1")
    #expect(injector.keptDetail(1) !== first)
  }

  @Test("cannot be overridden in a sealed injector, nor by a closure of another actor")
  func refused() throws {
    _ = injector.detail(1, "one")
    let actor = Injector("actor")
    let unsupported = #expect(throws: InjectorError.self) {
      try actor.detail.override { @Elsewhere _, _, _ in Detail("elsewhere") }
    }
    guard case .actorUnsupported(_, actor: "Elsewhere") = try #require(unsupported) else {
      throw try #require(unsupported)
    }
    try injector.seal()
    let sealed = #expect(throws: InjectorError.self) { try injector.detail.override { _, _, _ in Detail("late") } }
    #expect(
      sealed?.description == """
        The registrations of \\.detail cannot change: the injector is sealed.
          service:        \\.detail
          injector:       services
          registered at:  Shop/Detail.swift:5
        To fix this:
          - Register and unregister before seal(), or use an injector that is not sealed.
        """)
    #expect(throws: InjectorError.self) { try injector.detail.reset() }
    #expect(injector.detail(1, "one").text == "1 one")
  }
}

@globalActor private actor Elsewhere {
  static let shared = Elsewhere()
}
