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
  fileprivate var page: MainActorProvider<Page, Int, String> {
    provide { id, name, injector in
      let shop: String = try injector.get()
      return Page("\(shop) \(id) \(name)")
    }
  }

  fileprivate var keptPage: MainActorProvider<Page, Int> {
    provide(lifetime: .lazySingleton) { @MainActor id, _ in Page("\(id)") }
  }
}

@Suite("A provider with arguments on the main actor")
struct MainActorArgumentsProviderTests {
  let services = Injector("services")

  @Test("makes instances there, also for requests from elsewhere")
  func making() async throws {
    try services.register(as: String.self) { "shop" }
    let pages = try await [services.page(1, "one"), services.page.get(2, "two")]
    let titles = await MainActor.run { pages.map(\.title) }
    #expect(titles == ["shop 1 one", "shop 2 two"])
  }

  @Test("keeps one instance for equal arguments, if it is declared with a lifetime")
  @MainActor func kept() {
    let page = services.keptPage(1)
    #expect(services.keptPage(1) === page)
    #expect(services.keptPage(2) !== page)
  }

  @Test("is overridden, reset and decorated from anywhere")
  func changes() async throws {
    try services.register(as: String.self) { "shop" }
    try services.page.provider.override { @MainActor id, name, _ in Page("\(name) \(id)") }
    #expect(await services.page(1, "one").title == "one 1")
    try services.page.provider.reset()
    #expect(await services.page(1, "one").title == "shop 1 one")
    let other = Injector()
    try other.register(as: String.self) { "other" }
    try other.page.provider.decorate { @MainActor inner, _ in Page("<\(inner.title)>") }
    #expect(await other.page(1, "one").title == "<other 1 one>")
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
