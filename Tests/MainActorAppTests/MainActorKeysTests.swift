import Plug
import PlugKeys
import Synchronization
import Testing

// Typed keys in an app target that isolates everything to the main actor by default.

enum Title: Property {
  static var defaultValue: String { "untitled" }
}

struct Uptime: Feature {
  var seconds: @Sendable () -> Double

  static func load(in injector: Injector) -> Uptime {
    let title = injector[Title.self]
    return Uptime { Double(title.count) }
  }
}

final class Window {
  let title: String

  init(title: String) {
    self.title = title
  }
}

extension Injector {
  nonisolated var network: Provider<any Networking> { provide(.lazySingleton { HTTPNetworking() }) }

  nonisolated var window: MainActorProvider<Window> {
    provide(.lazySingleton { @MainActor in Window(title: $0[Title.self]) })
  }
}

extension Injector {
  var dialog: MainActorProvider<Window> { provide(.lazySingleton { @MainActor in Window(title: "dialog") }) }
}

extension Injector {
  var greeting: MainActorProvider<Window, String, Int> {
    provide { name, count, injector in
      Window(title: "\(injector[Title.self]): \(name) \(count)")
    }
  }

  nonisolated var tab: MainActorProvider<Window, Int> {
    provide(lifetime: .scoped) { @MainActor number, _ in Window(title: "tab \(number)") }
  }
}

final class Page {
  @Injected(\.network, in: .app) var network
  @Injected(\.window, in: .app) var window
  @Injected(\.dialog, in: .app) var dialog
}

@Suite("Typed keys in an app that isolates everything to the main actor", .serialized)
struct MainActorKeysTests {
  @Test("Properties are read and set as elsewhere")
  func property() {
    let services = Injector()
    #expect(services[Title.self] == "untitled")
    services[Title.self] = "plug"
    #expect(services[Title.self] == "plug")
  }

  @Test("Features are loaded as elsewhere, and from other actors too")
  func feature() async {
    let services = Injector()
    #expect(services[Uptime.self].seconds() == 8)
    let elsewhere = await Task.detached { services[Uptime.self].seconds() }.value
    #expect(elsewhere == 8)
  }

  @Test("A provider is asked from anywhere, a main-actor one from the main actor")
  func providers() async throws {
    let services = Injector(.app)
    #expect(services.network().fetch() == "http")
    #expect(Page().network.fetch() == "http")
    #expect(services.window().title == "untitled")
    #expect(try services.window.get() === services.window())
    try services.window.provider.override(.lazySingleton { @MainActor in Window(title: "other") })
    let title = await Task.detached { await services.window().title }.value
    #expect(title == "other")
    try services.window.provider.reset()
    #expect(services.window().title == "untitled")
  }

  @Test("A provider that takes arguments is asked on the main actor, and hops there from elsewhere")
  func arguments() async throws {
    let services = Injector(.app)
    #expect(services.greeting("ada", 1).title == "untitled: ada 1")
    let scope = services.makeScope()
    let tab = scope.tab(1)
    let elsewhere = await Task.detached { await scope.tab(1) }.value
    #expect(elsewhere === tab)
    try services.greeting.provider.override { @MainActor name, _, _ in Window(title: name) }
    #expect(try services.greeting.get("bo", 2).title == "bo")
  }

  @Test("A property is injected with a main-actor provider, which it asks on the main actor only")
  func injected() async throws {
    let services = Injector(.app)
    let page = Page()
    let error = await Task.detached { [other = page.$dialog] in
      #expect(throws: InjectorError.self) { try other.get() }
    }.value
    #expect(
      error?.description == """
        injected.get() failed: Window is made on the main actor, and this call ran elsewhere.
          service:        Window
          injector:       app
          chain:          Window
          asked at:       \(error?.facts.requestedAt?.description ?? "")
        To fix this:
          - Get it once on the main actor, for example at launch. After that, any thread can get it.
          - Or hop to the main actor: try await MainActor.run { try injected.get() }.
        """)
    #expect(page.window === services.window())
    #expect(page.dialog.title == "dialog")
    #expect(page.dialog === services.dialog())
    let kept = await Task.detached { [other = page.$dialog] in other.wrappedValue }.value
    #expect(kept === page.dialog)
  }

  @Test("Values of a property are followed on the main actor")
  func values() async {
    let services = Injector()
    var titles: [String] = []
    for await title in services.values(of: Title.self) {
      titles.append(title)
      if title == "second" { break }
      services[Title.self] = titles.count == 1 ? "first" : "second"
    }
    #expect(titles == ["untitled", "first", "second"])
  }
}
