// The closure of a provider says that it makes the instance on the main actor. Anything can ask the provider.
import Plug

@MainActor final class Window {}
@MainActor final class Page { init(_ number: Int, _ title: String) {} }

extension Injector {
  var window: Provider<Window> { provide(.lazySingleton { @MainActor in Window() }) }
  var page: Provider<Page, Int, String> { provide { @MainActor number, title, _ in Page(number, title) } }
}

struct Desk {
  @Injected(\.window) var window
}

func turn(_ services: Injector) async throws -> Page { try await services.page.load(1, "one") }

#if REFUSED
  extension Injector {
    var unchecked: Provider<Page, Int> {
      provide { number, _ in Page(number, "") }  // error: call to main actor-isolated initializer
    }
  }
#endif
