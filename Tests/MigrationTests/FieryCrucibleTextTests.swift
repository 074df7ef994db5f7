import Plug
import PlugOperations
import Testing

// The usage that fiery-crucible.md shows. Each test names what the text promises; those about how long an instance
// lives are in FieryCrucibleLifetimeTests.swift.

/// Stands in for what an app's frameworks have.
@MainActor
private final class Window {
  var backgroundColor: String?
  var rootViewController: TabBarController?
  private(set) var isKeyAndVisible = false

  func makeKeyAndVisible() {
    isKeyAndVisible = true
  }
}

@MainActor
private final class TabBarController {
  var viewControllers: [ViewController] = []
}

@MainActor
private final class ViewController {
  let title: String
  let model: Model
  weak var parent: TabBarController?

  init(title: String, model: Model) {
    self.title = title
    self.model = model
  }
}

private final class Model: Sendable {}

@MainActor
private final class Application {
  var factory: Injector?

  func launch() throws {
    try factory?.mainWindow.get().makeKeyAndVisible()
  }
}

/// Shared is `lazySingleton`, weak shared is `weakSingleton`, unshared is `factory`, scoped is `graph`.
extension Injector {
  fileprivate var application: MainActorProvider<Application> {
    provide(
      .lazySingleton { @MainActor in Application() }.configure { @MainActor application, factory in
        application.factory = factory
      })
  }

  fileprivate var mainWindow: MainActorProvider<Window> {
    provide(
      .lazySingleton { @MainActor in
        let window = Window()
        window.backgroundColor = "white"
        return window
      }.configure { @MainActor window, factory in
        window.rootViewController = try factory.rootViewController.get()
      })
  }

  fileprivate var rootViewController: MainActorProvider<TabBarController> {
    provide(
      .graph { @MainActor in TabBarController() }.configure { @MainActor controller, factory in
        controller.viewControllers = [try factory.shopTab.get(), try factory.cartTab.get()]
      })
  }

  fileprivate var shopTab: MainActorProvider<ViewController> {
    provide(
      .factory { @MainActor in ViewController(title: "Shop", model: try $0.model.get()) }
        .configure { @MainActor tab, factory in tab.parent = try factory.rootViewController.get() })
  }

  fileprivate var cartTab: MainActorProvider<ViewController> {
    provide(
      .factory { @MainActor in ViewController(title: "Cart", model: try $0.model.get()) }
        .configure { @MainActor tab, factory in tab.parent = try factory.rootViewController.get() })
  }

  fileprivate var model: Provider<Model> { provide(.lazySingleton { Model() }) }
}

/// An object that is given another after it has been made.
@MainActor
private final class Screen {
  let name: String
  var other: Screen?
  var title: String?
  var isConfigured = false

  init(_ name: String) {
    self.name = name
  }
}

@MainActor
private final class Headline {
  let screen: Screen
  let text: String?

  init(above screen: Screen) {
    self.screen = screen
    text = screen.title
  }
}

private final class Prices: Sendable { init(_ taxes: Taxes) {} }
private final class Taxes: Sendable { init(_ prices: Prices) {} }

@MainActor
private final class Log {
  var lines: [String] = []
}

/// The injection of one of the four lifetimes.
private func injection<Service: Sendable>(
  _ lifetime: Lifetime, _ make: @escaping @MainActor @Sendable (Injector) throws -> Service
) -> Injection<Service> {
  switch lifetime {
  case .weakSingleton: .weakSingleton(make)
  case .factory: .factory(make)
  case .graph: .graph(make)
  default: .lazySingleton(make)
  }
}

@Suite("The usage of fiery-crucible.md")
@MainActor
struct FieryCrucibleTextTests {
  private nonisolated static let lifetimes: [Lifetime] = [.lazySingleton, .weakSingleton, .factory, .graph]

  @Test("The example: the application launches with its window and its tabs")
  func launch() throws {
    let factory = Injector()
    try factory.application().launch()
    let window = factory.mainWindow()
    #expect(window.isKeyAndVisible && window.backgroundColor == "white")
    #expect(window.rootViewController?.viewControllers.map(\.title) == ["Shop", "Cart"])
    #expect(factory.application().factory === factory)
    factory.application().factory = nil
  }

  @Test("Type safety: what comes back has the type that was declared, and one name for two types is two things")
  func typeSafety() throws {
    let factory = Injector()
    let model: Model = factory.model()
    #expect(try factory.model.get() === model)
    try factory.register(tag: "limit", .singleton(7))
    try factory.register(tag: "limit", .singleton("seven"))
    #expect(try factory.get(Int.self, tag: "limit") == 7 && factory.get(String.self, tag: "limit") == "seven")
  }

  @Test("Simple: one line declares a factory, and its name, called, gives the instance")
  func simplicity() {
    let factory = Injector()
    #expect(factory.model() === factory.model())
  }

  @Test("No name is given: factories of one type are told apart by the properties that declare them")
  func names() {
    let controller = Injector().rootViewController()
    #expect(controller.viewControllers.map(\.title) == ["Shop", "Cart"])
  }

  @Test("Constructor injection: an initializer is given what other factories make")
  func constructorInjection() {
    let factory = Injector()
    let tabs = factory.rootViewController().viewControllers
    #expect(tabs.map { $0.model === factory.model() } == [true, true])
  }

  @Test("Setter injection: a property is set with what other factories make, once there is an instance")
  func setterInjection() {
    let window = Injector().mainWindow()
    #expect(window.rootViewController?.viewControllers.map(\.title) == ["Shop", "Cart"])
  }

  @Test("Circular references: setter injection lets instances refer to each other")
  func circularReferences() {
    let controller = Injector().rootViewController()
    #expect(controller.viewControllers.map { $0.parent === controller } == [true, true])
  }

  @Test("Circular references: initializers that need each other are refused with their path", arguments: lifetimes)
  func circularInitializers(lifetime: Lifetime) throws {
    let factory = Injector()
    try factory.register(injection(lifetime) { try Prices($0.get()) })
    try factory.register(injection(lifetime) { try Taxes($0.get()) })
    do {
      _ = try factory.get(Prices.self)
      Issue.record("get should have thrown.")
    } catch InjectorError.circularDependency(_, let path) {
      #expect(path == ["Prices", "Taxes", "Prices"])
    }
  }

  @Test("Each instance is configured when it is constructed, before what needs it is", arguments: lifetimes)
  func phases(lifetime: Lifetime) throws {
    let (factory, log) = (Injector(), Log())
    for (name, needs) in [("window", "root"), ("root", "tab"), ("tab", nil)] as [(String, Injector.Tag?)] {
      try factory.register(
        tag: Injector.Tag(rawValue: name),
        injection(lifetime) { factory in
          let screen = Screen(name)
          if let needs { screen.other = try factory.get(Screen.self, tag: needs) }
          log.lines.append("make \(name)")
          return screen
        }.configure { @MainActor _, _ in log.lines.append("configure \(name)") })
    }
    _ = try factory.get(Screen.self, tag: "window")
    #expect(
      log.lines == ["make tab", "configure tab", "make root", "configure root", "make window", "configure window"])
  }

  @Test("Two services refer to each other by setter injection: one finds the other, the other finds it configured")
  func references() throws {
    let (factory, log) = (Injector(), Log())
    for (name, partner) in [("list", "map"), ("map", "list")] as [(String, Injector.Tag)] {
      try factory.register(
        tag: Injector.Tag(rawValue: name),
        .graph { @MainActor in Screen(name) }.configure { @MainActor screen, factory in
          let other = try factory.get(Screen.self, tag: partner)
          log.lines.append("\(name) finds \(other.name), configured: \(other.isConfigured)")
          screen.other = other
          screen.isConfigured = true
        })
    }
    try factory.register(
      [Screen].self, .factory { [try $0.get(tag: "list"), try $0.get(tag: "map")] })
    let screens = try factory.get([Screen].self)
    #expect(log.lines == ["map finds list, configured: false", "list finds map, configured: true"])
    #expect(screens[0].other === screens[1] && screens[1].other === screens[0])
    screens[0].other = nil
  }

  @Test(
    "A factory closure sets properties before other objects get the instance, in each of the four lifetimes",
    arguments: lifetimes)
  func settingUp(lifetime: Lifetime) throws {
    let factory = Injector()
    try factory.register(
      injection(lifetime) { _ in
        let screen = Screen("sale")
        screen.title = "Sale"
        return screen
      }.configure { @MainActor screen, _ in screen.isConfigured = true })
    try factory.register(.factory { @MainActor in Headline(above: try $0.get()) })
    let headline = try factory.get(Headline.self)
    #expect(headline.text == "Sale" && headline.screen.isConfigured)
  }
}
