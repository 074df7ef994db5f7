// A main-actor provider cannot be asked from elsewhere.
import Plug

@MainActor final class Window {}

extension Injector {
  var window: MainActorProvider<Window> { provide(.lazySingleton { @MainActor in Window() }) }
}

@MainActor func show(_ services: Injector) -> Window { services.window() }

#if REFUSED
  nonisolated func hide(_ services: Injector) -> Window {
    services.window()  // error: call to main actor-isolated instance method 'callAsFunction(fileID:line:)'
  }
#endif
