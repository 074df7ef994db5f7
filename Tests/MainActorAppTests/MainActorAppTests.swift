import Plug
import Testing

// An app target that isolates everything to the main actor by default.

protocol Networking: Sendable {
  nonisolated func fetch() -> String
}

nonisolated struct HTTPNetworking: Networking {
  func fetch() -> String { "http" }
}

final class Settings {
  var title = "settings"
}

final class ViewModel {
  let network: any Networking
  let settings: Settings
  var isReady = false

  init(network: any Networking, settings: Settings) {
    self.network = network
    self.settings = settings
  }
}

final class Screen {
  @Injected(.app) var network: any Networking
  @Injected(.app) var viewModel: ViewModel
}

extension Injector.Name {
  nonisolated static let app: Self = "app"
}

nonisolated private let settingsLine = 7

struct Account: PrivateContext {
  var email = "ada@example.org"

  static var privateProperties: [PartialKeyPath<Account>] { [\.email] }
}

/// An actor that no synchronous request can run on.
@globalActor actor Database {
  static let shared = Database()
}

@Database final class Store {}

func loadSettings() async throws -> Settings {
  await Task.yield()
  return Settings()
}

@Suite("An app that isolates everything to the main actor", .serialized)
struct MainActorAppTests {
  @Test("hides private properties in explanations on every thread")
  func privacy() async {
    let rule = Rule<Account>.equals(\.email, "bob@example.org")
    let elsewhere = await Task.detached { "\(rule.trace(in: Account()))" }.value
    #expect(
      ["\(rule.trace(in: Account()))", elsewhere] == Array(repeating: #"- email == "bob@example.org": •••"#, count: 2))
  }

  private func makeServices(_ name: Injector.Name? = nil) throws -> Injector {
    let services = Injector(name)
    try services.register((any Networking).self) { HTTPNetworking() }
    try services.register(line: settingsLine) { @MainActor in Settings() }
    try services.register(
      .lazySingleton(wiring: ViewModel.init).configure { @MainActor viewModel, _ in
        viewModel.isReady = true
      })
    try services.register(tag: "closure") { @MainActor injector in
      ViewModel(network: try injector.get(), settings: try injector.get())
    }
    try services.register(tag: "new", .factory { @MainActor in Settings() })
    return services
  }

  @Test("registers, gets and injects its view models and services")
  func app() throws {
    let services = try makeServices(.app)
    let viewModel = try services.get(ViewModel.self)
    #expect(viewModel.isReady && viewModel.network.fetch() == "http")
    #expect(try viewModel.settings === services.get(Settings.self))
    #expect(try services.get(ViewModel.self, tag: "closure") !== viewModel)
    let screen = Screen()
    #expect(screen.viewModel === viewModel && screen.network.fetch() == "http")
    withExtendedLifetime(services) {}
  }

  @Test("chooses main-actor candidates")
  func candidates() throws {
    let point = PluginPoint<Settings, Int>("settings") {
      Candidate("one") { @MainActor in Settings() }.when(.equals(\.self, 1))
      Candidate("two", .factory { @MainActor in Settings() })
    }
    #expect(point.plugins(in: 1).count == 2 && point.plugins(in: 2).count == 1)
  }

  @Test("throws off the main actor until the service has been made there, and reads it from then on")
  func elsewhere() async throws {
    let services = try makeServices("services")
    let refused = await Task.detached {
      Result { () throws(InjectorError) in _ = try services.get(Settings.self) }
    }.value
    guard case .failure(let error) = refused else {
      Issue.record("The request should have thrown.")
      return
    }
    guard case .mainActorRequired = error else { throw error }
    #expect(
      error.description == """
        get(Settings.self) failed: Settings is made on the main actor, and this call ran elsewhere.
          service:        Settings
          injector:       services
          chain:          Settings
          asked at:       \(error.facts.requestedAt.map(String.init(describing:)) ?? "")
          registered at:  \(#fileID):\(settingsLine)
        To fix this:
          - Get it once on the main actor, for example at launch. After that, any thread can get it.
          - Or load it from any actor: try await Injector["services"].load(Settings.self).
        """)
    let made = try services.get(Settings.self)
    let read = try await Task.detached { try services.get(Settings.self) }.value
    #expect(read === made)
  }

  @Test("never takes another thread for the main actor, however idle that is")
  func race() async throws {
    let services = try makeServices()
    var refusals = 0
    for _ in 0..<2_000 {
      refusals += await Task.detached {
        do throws(InjectorError) {
          _ = try services.get(Settings.self)
          return 0
        } catch .mainActorRequired {
          return 1
        } catch {
          return 0
        }
      }.value
    }
    #expect(refusals == 2_000)
  }

  @Test("reports a dependency that must be made on the main actor, and one that is made anew")
  func nestedElsewhere() async throws {
    let services = try makeServices()
    await #expect(throws: Never.self) {
      try await Task.detached {
        do throws(InjectorError) {
          _ = try services.get(ViewModel.self)
          Issue.record("The first request should have thrown.")
        } catch .mainActorRequired(let facts) {
          #expect(facts.chain == ["ViewModel"])
        }
        do throws(InjectorError) {
          _ = try services.get(Settings.self, tag: "new")
          Issue.record("The second request should have thrown.")
        } catch .mainActorRequired(let facts) {
          #expect(facts.chain == [#"Settings (tag "new")"#])
        }
      }.value
    }
  }

  @Test("is told at registration that a closure belongs to an actor which a get cannot run on")
  func otherActor() throws {
    let services = Injector("services")
    let error = #expect(throws: InjectorError.self) {
      try services.register(.factory { @Database in Store() })
    }
    #expect(
      error?.description == """
        register(Store.self) was refused: a closure of its injection is isolated to Database.
          service:        Store
          injector:       services
        To fix this:
          - Use lazySingleton or scoped, whose instances can be loaded asynchronously.
          - Or make the closure nonisolated or @MainActor: get is synchronous and cannot call another actor.
        """)
    #expect(!services.isRegistered(Store.self))
  }

  @Test("loads what is made asynchronously, on the main actor and on another, and decorates and closes it")
  func asynchronous() async throws {
    let services = Injector("services")
    try services.register { @Database in Store() }
    try services.register(Settings.self, .lazySingleton { try await loadSettings() })
    try services.decorate(Settings.self) { inner, _ in
      inner
    }
    let settings = try await services.load(Settings.self)
    #expect(try services.get(Settings.self) === settings)
    let store = try await services.load(Store.self)
    #expect(try services.get(Store.self) === store)
    try await services.start()
    #expect(await services.close().isEmpty)
  }
}
