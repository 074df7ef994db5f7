import Plug
import PlugTesting
import Testing

private struct Session: Sendable { let host: String }

private protocol API: Sendable { var name: String { get } }
private struct MockAPI: API { let name = "mock" }
private struct LiveAPI: API {
  let session: Session
  var name: String { session.host }
}

@MainActor private final class Model { let title = "Home" }

nonisolated extension Injector.Name { fileprivate static let services: Self = "providers guide" }

nonisolated extension Injector {
  fileprivate var api: Provider<any API> {
    provide { try LiveAPI(session: $0.get()) }
  }
}

private struct Screen { @Injected(\.api, in: .services) var api }

nonisolated extension Injector {
  fileprivate var model: MainActorProvider<Model> {
    provide(.lazySingleton { @MainActor in Model() })
  }
}

@MainActor
private struct Page { @Injected(\.model, in: .services) var model }

@Suite("The guide Providers", .isolated)
struct ProvidersGuideTests {
  private let services = Injector(.services)

  @Test("A provider is called, injected and overridden")
  func providers() throws {
    try services.register(.singleton(Session(host: "shop.example")))
    let screen = Screen()
    let api = services.api()
    try services.api.override(.singleton(MockAPI()))
    #expect(api.name == "shop.example" && screen.api.name == "mock")
  }

  @Test("A main-actor provider is injected into a type of the main actor")
  @MainActor
  func mainActor() {
    #expect(Page().model === services.model() && Page().model.title == "Home")
  }
}
