import Testing

@testable import Plug

private final class Detail: Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}

extension Injector {
  fileprivate var detail: Provider<Detail, Int, String> {
    provide(fileID: "Shop/Detail.swift", line: 5) { id, name, _ in Detail("\(id) \(name)") }
  }

  fileprivate var loadedDetail: Provider<Detail, Int> {
    provide { id, injector in Detail("\(id) \(try injector.get(Detail.self).text)") }
  }

  fileprivate var keptDetail: Provider<Detail, Int> {
    provide(lifetime: .lazySingleton) { id, _ in Detail("\(id)") }
  }
}

private func loaded() async -> String { "loaded" }

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

  @Test("is overridden for all arguments by an injection, with the lifetime of the injection")
  func overridingInjection() throws {
    try injector.detail.override(.lazySingleton { Detail("any") })
    let detail = injector.detail(1, "one")
    #expect(detail.text == "any" && injector.detail(2, "two") === detail)
    try injector.detail.override(.factory { Detail("new") })
    #expect(injector.detail(1, "one") !== injector.detail(1, "one"))
    try injector.detail.reset()
    #expect(injector.detail(2, "two").text == "2 two")
  }

  @Test("first loads what its closure needs")
  func loading() async throws {
    try injector.register(as: Detail.self, injectable: .lazySingleton { Detail(await loaded()) })
    #expect(throws: InjectorError.self) { try injector.loadedDetail.get(1) }
    #expect(try await injector.loadedDetail.load(1).text == "1 loaded")
    #expect(injector.loadedDetail(2).text == "2 loaded")
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
          - Change them before seal(), or use an injector that is not sealed.
        """)
    #expect(throws: InjectorError.self) { try injector.detail.reset() }
    #expect(injector.detail(1, "one").text == "1 one")
  }
}

@globalActor private actor Elsewhere {
  static let shared = Elsewhere()
}
