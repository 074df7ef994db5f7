import Plug
import PlugKeys
import Synchronization
import Testing

// What Docs/Migrating/From-FieryCrucible.md shows, in the same words.

private final class Session: Sendable {}
private final class Theme: Sendable {}
private final class Label: Sendable {}
private final class Cart: Sendable {}
private final class Catalogue: Sendable {}

private struct Total: Sendable {
  let cart: Cart

  init(of cart: Cart) {
    self.cart = cart
  }
}

private struct Page: Sendable {
  let title: String
}

/// Stand in for what an app's frameworks have.
@MainActor
private final class Window {
  var backgroundColor: String?
  var root: TabBar?
}

@MainActor
private final class TabBar {
  weak var factory: Injector?
  var window: Window?
}

nonisolated extension Injector {
  fileprivate var session: Provider<Session> { provide(.lazySingleton { Session() }) }
  fileprivate var theme: Provider<Theme> { provide(.weakSingleton { Theme() }) }
  fileprivate var label: Provider<Label> { provide(.factory { Label() }) }
  fileprivate var cart: Provider<Cart> { provide(.graph { Cart() }) }
  fileprivate var total: Provider<Total> { provide(.factory { Total(of: try $0.cart.get()) }) }
  fileprivate var weakPage: Provider<Page> { provide(.weakSingleton { Page(title: "Weak") }) }
}

nonisolated extension Injector {
  fileprivate var window: MainActorProvider<Window> {
    provide(
      .lazySingleton { @MainActor in
        let window = Window()
        window.backgroundColor = "white"
        return window
      }.configure { @MainActor window, factory in
        window.root = try factory.root.get()
      })
  }

  fileprivate var root: MainActorProvider<TabBar> {
    provide(
      .graph { @MainActor in TabBar() }
        .configure { @MainActor root, factory in root.factory = factory })
  }
}

/// Two that are configured with each other.
@MainActor
private final class Screen {
  var isConfigured = false
  var findsOtherConfigured: Bool?
}

private struct SignInRefused: Error, Equatable {}

private final class Account: Sendable {
  let session: Session

  init(session: Session) {
    self.session = session
  }
}

private final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  @discardableResult
  func increment() -> Int {
    count.add(1, ordering: .relaxed).newValue
  }
}

@Suite("The page for users of Fiery Crucible")
struct FromFieryCrucibleTests {
  @Test("The four lifetimes are declared as properties, and called as methods were")
  func providers() throws {
    let factory = Injector()
    let session = try factory.session.get()
    #expect(factory.session() === session)
    let theme = factory.theme()
    #expect(factory.theme() === theme)
    let labels = (factory.label(), factory.label())
    #expect(labels.0 !== labels.1)
    let carts = (factory.cart(), factory.total().cart)
    #expect(carts.0 !== carts.1)
  }

  @Test("A method that is overridden in a subclass becomes a provider that is overridden in an injector")
  func overriding() throws {
    let (factory, other) = (Injector(), Injector())
    let guest = Session()
    try factory.session.override(.singleton(guest))
    #expect(factory.session() === guest && other.session() !== guest)
  }

  @Test("A service without a property is registered and got by its type")
  func types() throws {
    let factory = Injector()
    try factory.register(.lazySingleton { Catalogue() })
    #expect(try factory.get(Catalogue.self) === factory.get(Catalogue.self))
  }

  @Test("A main-actor object is set up in its closure, and then configured with the factory that was asked")
  @MainActor
  func window() {
    let factory = Injector()
    let window = factory.window()
    #expect(window.backgroundColor == "white" && window.root?.factory === factory)
  }

  @Test("A scoped service there is not scoped here: outside of a scope that is an error")
  func scoped() throws {
    let factory = Injector()
    try factory.register(.scoped { Cart() })
    do {
      _ = try factory.get(Cart.self)
      Issue.record("get should have thrown.")
    } catch InjectorError.scopeRequired(let facts) {
      #expect(facts.service == "Cart")
    }
    let scope = factory.makeScope("checkout")
    #expect(try scope.get(Cart.self) === scope.get(Cart.self))
  }

  @Test("What a configuration asks for is configured before it, and both are before anyone else gets them")
  @MainActor
  func configurationOrder() throws {
    let factory = Injector()
    for (name, partner) in [("list", "map"), ("map", "list")] as [(Injector.Tag, Injector.Tag)] {
      try factory.register(
        tag: name,
        .lazySingleton { @MainActor in Screen() }.configure { @MainActor screen, factory in
          screen.findsOtherConfigured = try factory.get(Screen.self, tag: partner).isConfigured
          screen.isConfigured = true
        })
    }
    let list = try factory.get(Screen.self, tag: "list")
    let map = try factory.get(Screen.self, tag: "map")
    #expect([list.findsOtherConfigured, map.findsOtherConfigured] == [true, false])
    #expect(list.isConfigured && map.isConfigured)
  }

  @Test("A circle of configurations ends where it comes to an instance that the request has made, wherever it begins")
  @MainActor
  func unsharedCircle() throws {
    let factory = Injector()
    try factory.register(
      Window.self,
      .factory { @MainActor in Window() }.configure { @MainActor window, factory in
        window.root = try factory.get(TabBar.self)
      })
    try factory.register(
      TabBar.self,
      .graph { @MainActor in TabBar() }.configure { @MainActor root, factory in
        root.window = try factory.get(Window.self)
      })
    let window = try factory.get(Window.self)
    #expect(window.root?.window?.root === window.root)
    #expect(window.root?.window !== window)
    window.root?.window = nil
    let root = try factory.get(TabBar.self)
    #expect(root.window?.root === root)
    root.window = nil
  }

  @Test("A configuration that throws leaves neither its instance nor what refers to it behind")
  func failure() throws {
    let (factory, made, attempts) = (Injector(), Counter(), Counter())
    try factory.register(
      .lazySingleton {
        made.increment()
        return Session()
      }.configure { _, _ in
        if attempts.increment() == 1 { throw SignInRefused() }
      })
    try factory.register { injector in
      made.increment()
      return Account(session: try injector.get())
    }
    do {
      _ = try factory.get(Account.self)
      Issue.record("get should have thrown.")
    } catch InjectorError.constructionFailed(let facts, let underlying) {
      #expect(facts.service == "Session" && underlying as? SignInRefused == SignInRefused())
    }
    #expect(made.value == 2)
    #expect(try factory.get(Account.self).session === factory.get(Session.self))
    #expect(made.value == 4 && attempts.value == 2)
  }

  @Test("Instances that differ by a value are registered with a tag")
  func tags() throws {
    let factory = Injector()
    try factory.register(
      tag: "privacy", .lazySingleton { Page(title: "Privacy") })
    try factory.register(tag: "imprint", .lazySingleton { Page(title: "Imprint") })
    #expect(try factory.get(Page.self, tag: "privacy").title == "Privacy")
    #expect(try factory.get(Page.self, tag: "imprint").title == "Imprint")
  }

  @Test("A structure cannot be held weakly: its registration throws, and so does its provider")
  func weakStructures() throws {
    let factory = Injector()
    let requests: [() throws -> Void] = [
      { try factory.register(.weakSingleton { Page(title: "Weak") }) },
      { _ = try factory.weakPage.get() },
    ]
    for request in requests {
      do {
        try request()
        Issue.record("The structure should have been refused.")
      } catch InjectorError.lifetimeUnsupported(_, let lifetime) {
        #expect(lifetime == .weakSingleton)
      }
    }
  }
}
