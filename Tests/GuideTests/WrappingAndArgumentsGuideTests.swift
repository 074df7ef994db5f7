import Plug
import PlugTesting
import Testing

private protocol SearchProvider: Sendable { func search(_ words: String) -> [String] }
private struct Catalogue: SearchProvider {
  func search(_ words: String) -> [String] { ["tea"] }
}

private struct LoggingSearch: SearchProvider {
  let (inner, log): (any SearchProvider, Log)

  init(_ inner: any SearchProvider, log: Log) {
    (self.inner, self.log) = (inner, log)
  }

  func search(_ words: String) -> [String] {
    log.add(words)
    return inner.search(words)
  }
}

private struct TimingSearch: SearchProvider {
  let inner: any SearchProvider

  init(_ inner: any SearchProvider) { self.inner = inner }

  func search(_ words: String) -> [String] { inner.search(words) + ["0 ms"] }
}

private protocol API: Sendable { func fetch(_ path: String) -> String }
private struct LiveAPI: API {
  func fetch(_ path: String) -> String { "200" }
}

private struct LoggingAPI: API {
  let (inner, log): (any API, Log)

  init(_ inner: any API, log: Log) {
    (self.inner, self.log) = (inner, log)
  }

  func fetch(_ path: String) -> String {
    log.add(path)
    return inner.fetch(path)
  }
}

private struct UserID: Hashable { let number: Int }
private struct Locale: Hashable { let name: String }
private struct Store: Sendable {
  static let sample = Store(name: "sample")
  let name: String
}

private struct Detail: Equatable {
  let text: String

  init(_ id: UserID, _ locale: Locale, store: Store) {
    text = "\(id.number) in \(locale.name) from \(store.name)"
  }
}

@MainActor private final class PageModel {
  let text: String

  init(_ id: UserID, store: Store) {
    text = "\(id.number) from \(store.name)"
  }
}

private protocol Tool: Sendable { var symbol: String { get } }
private struct Brush: Tool { let symbol = "b" }
private struct Eraser: Tool { let symbol = "e" }

nonisolated extension Injector.Name { fileprivate static let services: Self = "wrapping guide" }

nonisolated extension Injector {
  fileprivate var api: Provider<any API> { provide(.lazySingleton { LiveAPI() }) }
}

nonisolated extension Injector {
  fileprivate var detail: Provider<Detail, UserID, Locale> {
    provide { id, locale, injector in
      Detail(id, locale, store: try injector.get())
    }
  }
}

nonisolated extension Injector {
  fileprivate var page: MainActorProvider<PageModel, UserID> {
    provide { id, injector in
      PageModel(id, store: try injector.get())
    }
  }
}

@Suite("The guide Decorators, arguments, and several at once", .isolated)
struct WrappingAndArgumentsGuideTests {
  private let services = Injector(.services)
  private let log = Log()
  private let id = UserID(number: 1)
  private let locale = Locale(name: "fr")

  init() throws {
    try services.register(.singleton(log))
    try services.register(.singleton(Store(name: "disk")))
  }

  @Test("A decorator logs every search")
  func decorating() throws {
    try services.decorate((any SearchProvider).self, id: "logging") {
      inner, injector in
      LoggingSearch(inner, log: try injector.get())
    }
    try services.register((any SearchProvider).self) { Catalogue() }
    #expect(try services.get((any SearchProvider).self).search("green tea") == ["tea"])
    #expect(log.lines == ["green tea"])
  }

  @Test("A scope decorates an inherited service for itself")
  func decoratingInScope() throws {
    try services.register((any SearchProvider).self) { Catalogue() }
    let request = services.makeScope("request")
    try request.decorate((any SearchProvider).self, id: "timing") {
      inner, _ in
      TimingSearch(inner)
    }
    #expect(try request.get((any SearchProvider).self).search("tea") == ["tea", "0 ms"])
    #expect(try services.get((any SearchProvider).self).search("tea") == ["tea"])
  }

  @Test("A provider is decorated before its first use")
  func decoratingProviders() throws {
    try services.api.decorate(id: "logging") { inner, injector in
      LoggingAPI(inner, log: try injector.get())
    }
    #expect(services.api().fetch("/basket") == "200" && log.lines == ["/basket"])
  }

  @Test("A closure takes the arguments that a get passes")
  func arguments() throws {
    try services.register(Detail.self, taking: UserID.self, Locale.self) {
      id, locale, injector in
      Detail(id, locale, store: try injector.get())
    }
    let detail = try services.get(Detail.self, with: id, locale)
    #expect(detail.text == "1 in fr from disk")
    let error = #expect(throws: InjectorError.self) { try services.get(Detail.self, with: locale) }
    guard case .argumentsMismatch(_, let expected, let found) = try #require(error) else { throw try #require(error) }
    #expect(expected == [["UserID", "Locale"]] && found == ["Locale"])
  }

  @Test("A provider with arguments is called and overridden, also in a scope")
  func providers() throws {
    let detail = services.detail(id, locale)
    #expect(detail.text == "1 in fr from disk")
    let scope = services.makeScope("preview")
    try override(in: scope)
    #expect(scope.detail(id, locale).text == "1 in fr from sample")
    #expect(services.detail(id, locale) == detail)
    try scope.detail.reset()
    #expect(scope.detail(id, locale) == detail)
  }

  private func override(in services: Injector) throws {
    try services.detail.override { id, locale, _ in
      Detail(id, locale, store: .sample)
    }
  }

  @Test("A view model is made on the main actor")
  func mainActor() async {
    @MainActor func display(_ page: PageModel) {
      log.add(page.text)
    }
    @MainActor func show(_ id: UserID) {
      display(services.page(id))
    }
    await show(id)
    #expect(log.lines == ["1 from disk"])
  }

  @Test("An initializer takes all implementations")
  func collections() throws {
    try services.contribute((any SearchProvider).self, .lazySingleton { Catalogue() }, id: "catalogue")
    struct SearchBar { let providers: [any SearchProvider] }
    try services.register(wiring: SearchBar.init)
    #expect(try services.get(SearchBar.self).providers.map { $0.search("tea") } == [["tea"]])
  }

  @Test("A property has all implementations by their ids")
  func properties() throws {
    try services.contribute((any Tool).self, .lazySingleton { Brush() }, id: "brush")
    try services.contribute((any Tool).self, .lazySingleton { Eraser() }, id: "eraser")
    struct Palette { @Injected(.services) var tools: [String: any Tool] }
    #expect(Palette().tools.mapValues(\.symbol) == ["brush": "b", "eraser": "e"])
  }
}
