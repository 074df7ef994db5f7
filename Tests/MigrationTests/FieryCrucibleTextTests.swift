import Plug
import Testing

/// Stands in for what an app's frameworks have.
@MainActor
private final class Window {
  let backgroundColor: String
  var rootViewController: TabBarController?
  private(set) var isKeyAndVisible = false

  init(backgroundColor: String) {
    self.backgroundColor = backgroundColor
  }

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
  let model: Model
  weak var parent: TabBarController?
  weak var theme: Theme?

  init(model: Model) {
    self.model = model
  }
}

/// Kept weakly: as long as a view controller shows it.
private final class Theme: Sendable {}

private final class Model: Sendable {
  let theme: Theme

  init(theme: Theme) {
    self.theme = theme
  }
}

@MainActor
private final class Application {
  var factory: Injector?

  func launch() throws {
    try factory?.get(Window.self).makeKeyAndVisible()
  }
}

extension Injector.Tag {
  fileprivate static let first: Self = "first"
  fileprivate static let second: Self = "second"
}

@Suite("Fiery Crucible's example in Plug's words")
@MainActor
struct FieryCrucibleTextTests {
  /// Shared is `lazySingleton`, weak shared is `weakSingleton`, unshared is `factory`, scoped is `graph`.
  private func makeFactory() throws -> Injector {
    let factory = Injector()
    try factory.register(
      as: Application.self,
      injectable: .lazySingleton { @MainActor in Application() }.configure { @MainActor application, injector in
        application.factory = injector
      })
    try factory.register(
      as: Window.self,
      injectable: .lazySingleton { @MainActor in Window(backgroundColor: "white") }
        .configure { @MainActor window, injector in window.rootViewController = try injector.get(TabBarController.self)
        })
    try factory.register(
      as: TabBarController.self,
      injectable: .graph { @MainActor in TabBarController() }.configure { @MainActor controller, injector in
        controller.viewControllers = [try injector.get(tag: .first), try injector.get(tag: .second)]
      })
    for tag in [Injector.Tag.first, .second] {
      try factory.register(
        as: ViewController.self, tag: tag,
        injectable: .factory { @MainActor in ViewController(model: try $0.get()) }
          .configure { @MainActor controller, injector in
            controller.parent = try injector.get(TabBarController.self)
            controller.theme = try injector.get(Theme.self)
          })
    }
    try factory.register(injectable: .factory(wiring: Model.init))
    try factory.register(injectable: .weakSingleton { Theme() })
    return factory
  }

  @Test("launches the application with its window and its tabs")
  func launch() throws {
    let factory = try makeFactory()
    try factory.get(Application.self).launch()
    let window = try factory.get(Window.self)
    #expect(window.isKeyAndVisible && window.backgroundColor == "white")
    #expect(window.rootViewController?.viewControllers.count == 2)
    try factory.get(Application.self).factory = nil
  }

  @Test("Shared: one instance for as long as the factory lives")
  func shared() throws {
    weak var window: Window?
    do {
      let factory = try makeFactory()
      window = try factory.get(Window.self)
      #expect(try window === factory.get(Window.self))
    }
    #expect(window == nil)
  }

  @Test("Weak shared: one instance for as long as something else holds it, and then another")
  func weakShared() throws {
    let factory = try makeFactory()
    weak var theme: Theme?
    do {
      let controller = try factory.get(TabBarController.self).viewControllers[0]
      let other = try factory.get(Model.self)
      theme = controller.theme
      #expect(theme != nil && controller.model.theme === theme && other.theme === theme)
    }
    #expect(theme == nil)
    _ = try factory.get(Model.self)
  }

  @Test("Unshared: a new instance for each request")
  func unshared() throws {
    let factory = try makeFactory()
    #expect(try factory.get(Model.self) !== factory.get(Model.self))
  }

  @Test("Scoped: one instance during a request, also where references are circular, and another for the next")
  func scoped() throws {
    let factory = try makeFactory()
    let (first, second) = (try factory.get(TabBarController.self), try factory.get(TabBarController.self))
    #expect(first !== second && first.viewControllers[0] !== first.viewControllers[1])
    for controller in [first, second] {
      #expect(controller.viewControllers.allSatisfy { $0.parent === controller })
    }
  }
}
