// A main-actor provider cannot be asked from elsewhere, whether it takes arguments or not, and a property is injected
// with one on the main actor.
import Plug

@MainActor final class Window {}
@MainActor final class Page { init(_ number: Int, _ title: String) {} }

extension Injector {
  var window: MainActorProvider<Window> { provide(.lazySingleton { @MainActor in Window() }) }
  var page: MainActorProvider<Page, Int, String> { provide { number, title, _ in Page(number, title) } }
}

@MainActor func show(_ services: Injector) -> Window { services.window() }
@MainActor func turn(_ services: Injector) -> Page { services.page(1, "one") }
nonisolated func turnElsewhere(_ services: Injector) async throws -> Page { try await services.page.get(2, "two") }

@MainActor struct Desk {
  @Injected(\.window) var window
}

#if REFUSED
  nonisolated func makeDesk() -> Injected<Window> {
    Injected(\.window)  // error: call to main actor-isolated initializer
  }

  nonisolated func hide(_ services: Injector) -> Window {
    services.window()  // error: call to main actor-isolated instance method 'callAsFunction(_:fileID:line:)'
  }

  nonisolated func turnBack(_ services: Injector) throws -> [Page] {
    [
      services.page(1, "one"),  // error: call to main actor-isolated instance method 'callAsFunction(_:fileID:line:)'
      try services.page.get(2, "two"),  // error: call to main actor-isolated instance method 'get(_:fileID:line:)'
    ]
  }

  @MainActor func mistake(_ services: Injector) -> [Page] {
    [
      services.page("one", "one"),  // error: cannot convert value of type 'String' to expected argument type 'Int'
      services.page(1),  // error: have the same shape
    ]
  }

  extension Injector {
    var unchecked: Provider<Page, Int> {
      provide { number, _ in Page(number, "") }  // error: call to main actor-isolated initializer
    }

    // error: cannot convert return expression of type 'Provider<Window>' to return type 'MainActorProvider<Window>'
    var closure: MainActorProvider<Window> { provide { Window() } }
  }
#endif
