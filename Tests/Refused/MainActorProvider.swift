// A main-actor provider cannot be asked from elsewhere, and a property is injected with one on the main actor.
import Plug

@MainActor final class Window {}

extension Injector {
  var window: MainActorProvider<Window> { provide(.lazySingleton { @MainActor in Window() }) }
}

@MainActor func show(_ services: Injector) -> Window { services.window() }

@MainActor struct Desk {
  @Injected(\.window) var window
}

#if REFUSED
  nonisolated func makeDesk() -> Injected<Window> {
    Injected(\.window)  // error: call to main actor-isolated initializer
  }

  nonisolated func hide(_ services: Injector) -> Window {
    services.window()  // error: call to main actor-isolated instance method 'callAsFunction(fileID:line:)'
  }
#endif
