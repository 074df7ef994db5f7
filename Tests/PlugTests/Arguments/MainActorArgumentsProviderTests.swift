import Plug
import TestSupport
import Testing

@MainActor private final class Page {
  let title: String

  init(_ title: String) {
    self.title = title
  }
}

extension Injector {
  fileprivate var page: Provider<Page, Int, String> {
    provide { @MainActor id, name, injector in
      let shop: String = try injector.get()
      return Page("\(shop) \(id) \(name)")
    }
  }

  fileprivate var keptPage: Provider<Page, Int> {
    provide(lifetime: .lazySingleton) { @MainActor id, _ in Page("\(id)") }
  }
}

@Suite("A provider with arguments on the main actor")
struct MainActorArgumentsProviderTests {
  let services = Injector("services")

  @Test("makes instances there, and loads them from elsewhere")
  func making() async throws {
    try services.register(as: String.self) { "shop" }
    let pages = try await [services.page.load(1, "one"), services.page.load(2, "two")]
    let titles = await MainActor.run { pages.map(\.title) }
    #expect(titles == ["shop 1 one", "shop 2 two"])
  }

  @Test("throws where it would make an instance elsewhere, and says where to do it")
  nonisolated func elsewhere() async {
    let error = #expect(throws: InjectorError.self) {
      try services.page.get(1, "one", fileID: "Shop/Page.swift", line: 3)
    }
    #expect(
      error?.description == #"""
        injector.page(…) failed: \.page is made on the main actor, and this call ran elsewhere.
          service:        \.page
          injector:       services
          chain:          \.page
          asked at:       Shop/Page.swift:3
          registered at:  PlugTests/MainActorArgumentsProviderTests.swift:15
        To fix this:
          - Hop to the main actor: try await MainActor.run { try Injector["services"].page(…) }.
        """#)
  }

  @Test("keeps one instance for equal arguments, if it is declared with a lifetime")
  @MainActor func kept() {
    let page = services.keptPage(1)
    #expect(services.keptPage(1) === page)
    #expect(services.keptPage(2) !== page)
  }

  @Test("is overridden, reset and decorated from anywhere")
  @MainActor func changes() throws {
    try services.register(as: String.self) { "shop" }
    try services.page.override { @MainActor id, name, _ in Page("\(name) \(id)") }
    #expect(services.page(1, "one").title == "one 1")
    try services.page.reset()
    #expect(services.page(1, "one").title == "shop 1 one")
    let other = Injector()
    try other.register(as: String.self) { "other" }
    try other.page.decorate { @MainActor inner, _ in Page("<\(inner.title)>") }
    #expect(other.page(1, "one").title == "<other 1 one>")
  }

  @Test("throws the error of its closure")
  @MainActor func failing() {
    let error = #expect(throws: InjectorError.self) { try services.page.get(1, "one") }
    guard case .notRegistered(let facts) = error else {
      Issue.record("It should have thrown that the text is not registered.")
      return
    }
    #expect(facts.chain == ["\\.page", "String"])
  }
}
