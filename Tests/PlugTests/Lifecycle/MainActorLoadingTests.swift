import Plug
import TestSupport
import Testing

@MainActor private final class Screen {
  nonisolated let title: String

  init(_ title: String) {
    self.title = title
  }
}

private struct Router: Sendable {
  let screen: Screen
}

@globalActor private actor StorageActor {
  static let shared = StorageActor()
}

@StorageActor private final class Storage {
  init() { StorageActor.assertIsolated() }
}

extension Injector {
  fileprivate var screen: MainActorProvider<Screen> { provide(.lazySingleton { @MainActor in Screen("provided") }) }
}

@Suite("Loading on actors", .timeLimit(.minutes(10)))
struct MainActorLoadingTests {
  let injector = Injector()

  @Test("a background task loads a service of the main actor, and a service that needs it")
  func mainActor() async throws {
    try injector.register { @MainActor in Screen("home") }
    try injector.register { try Router(screen: $0.get()) }
    let router: Router = try await injector.load()
    #expect(router.screen.title == "home")
    #expect(try injector.get(Screen.self) === router.screen)
  }

  @Test("a main-actor provider is loaded from anywhere, and got on the main actor")
  func provider() async throws {
    let screen = try await injector.screen.load()
    #expect(await MainActor.run { injector.screen() } === screen)
  }

  @Test("start makes eager services, on the main actor too")
  func eager() async throws {
    let log = Log()
    try injector.register(
      injectable: .lazySingleton { @MainActor in
        log.add("screen")
        return Screen("eager")
      }.eager())
    try injector.register(
      as: Instance.self,
      injectable: .lazySingleton {
        log.add("lazy")
        return Instance()
      })
    try await injector.start()
    #expect(log.lines == ["screen"])
    #expect(try injector.get(Screen.self).title == "eager")
  }

  @Test("a synchronous closure of another global actor is called asynchronously")
  func globalActor() async throws {
    try injector.register(injectable: .lazySingleton { @StorageActor in Storage() })
    #expect(throws: InjectorError.self) { try injector.get(Storage.self) }
    let storage = try await injector.load(Storage.self)
    #expect(try injector.get(Storage.self) === storage)
  }

  @Test("a factory of another actor is refused, since nothing keeps its instances")
  func globalActorFactory() throws {
    let error = #expect(throws: InjectorError.self) {
      try injector.register(
        injectable: .factory { @StorageActor in Storage() }, fileID: "Shop/Main.swift", line: 3)
    }
    guard case .actorUnsupported(_, let actor) = try #require(error) else { throw try #require(error) }
    #expect(actor == "StorageActor")
  }

  @Test("an asynchronous closure of the main actor runs there, from a configuration on")
  func asynchronous() async throws {
    try injector.register(
      injectable: .lazySingleton { @MainActor in
        await Task.yield()
        MainActor.assertIsolated()
        return Screen("loaded")
      }.configure { @MainActor screen, _ in
        MainActor.assertIsolated()
        #expect(screen.title == "loaded")
      })
    let screen = try await injector.load(Screen.self)
    #expect(screen.title == "loaded")
  }

  @Test("a factory cannot be eager")
  func eagerFactory() throws {
    let error = #expect(throws: InjectorError.self) {
      try injector.register(
        as: Instance.self, injectable: .factory { Instance() }.eager(), fileID: "Shop/Main.swift", line: 3)
    }
    #expect(
      "\(try #require(error))" == """
        register(Instance.self) was refused: onClose and eager() have no effect, as no injector keeps factory instances.
          service:        Instance
          injector:       (unnamed)
          chain:          Instance
        To fix this:
          - Use scoped or lazySingleton with them, or remove them, and close the instance where you use it.
        """)
  }
}
