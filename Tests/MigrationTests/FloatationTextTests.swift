import Plug
import PlugKeys
import PlugTesting
import Synchronization
import Testing

// The usage that floatation.md shows, in Swift 6 mode. Each test names what the text promises.

private protocol ExperimentLauncher: Sendable {
  var name: String { get }
}

private protocol KeyValueStore: Sendable {
  func value(_ key: String) -> String?
}

private struct MockExperimentLauncher: ExperimentLauncher {
  let name = "mock"
}

private struct LiveExperimentLauncher: ExperimentLauncher {
  let name = "live"
}

private final class MockKeyValueStore: KeyValueStore {
  private let values: Mutex<[String: String]>

  init(_ values: [String: String] = [:]) {
    self.values = Mutex(values)
  }

  func value(_ key: String) -> String? { values.withLock { $0[key] } }
  func set(_ value: String, _ key: String) { values.withLock { $0[key] = value } }
}

private final class CoreRegistry: Registry {
  let experimentLauncher: any ExperimentLauncher
  let userDefaults: any KeyValueStore

  init(experimentLauncher: any ExperimentLauncher, userDefaults: any KeyValueStore) {
    self.experimentLauncher = experimentLauncher
    self.userDefaults = userDefaults
  }

  static func createMockShared() -> CoreRegistry {
    CoreRegistry(experimentLauncher: MockExperimentLauncher(), userDefaults: MockKeyValueStore())
  }
}

/// The registry of another framework, which knows nothing of the first.
private final class RoutingRegistry: Registry {
  let home: String

  init(home: String) {
    self.home = home
  }

  static func createMockShared() -> RoutingRegistry { RoutingRegistry(home: "mock://home") }
}

private struct FeatureScreen {
  let experimentLauncher: any ExperimentLauncher

  init(experimentLauncher: any ExperimentLauncher = CoreRegistry.shared.experimentLauncher) {
    self.experimentLauncher = experimentLauncher
  }
}

private enum App {
  static let registries: [any Registry.Type] = [
    CoreRegistry.self, RoutingRegistry.self,
  ]

  static func setUpRegistries() {
    CoreRegistry.assignDesiredImplementation(
      to: CoreRegistry(
        experimentLauncher: LiveExperimentLauncher(),
        userDefaults: MockKeyValueStore()))
    RoutingRegistry.assignDesiredImplementation(
      to: RoutingRegistry(home: "shop://home"))
  }
}

/// Every test begins with registries to which nothing has been assigned, and they run in parallel.
@Suite("The usage of floatation.md", .isolated)
struct FloatationTextTests {
  @Test("A dependency is one expression away, and never nil, because a mock stands in until something is assigned")
  func shared() {
    #expect(CoreRegistry.shared.experimentLauncher.name == "mock")
  }

  @Test("The mock is made once, and then it is shared")
  func memoized() {
    #expect(CoreRegistry.shared === CoreRegistry.shared)
  }

  @Test("The app puts its own implementation in place of the mock")
  func assigned() {
    App.setUpRegistries()
    #expect(CoreRegistry.shared.experimentLauncher.name == "live")
    #expect(RoutingRegistry.shared.home == "shop://home")
  }

  @Test("Only one implementation can be assigned: nobody can replace it later")
  func onlyOnce() async {
    await #expect(processExitsWith: .success) { assignTwice() }
  }

  @Test("A shared instance is the default of a parameter, for which a test passes its own")
  func defaultArgument() {
    #expect(FeatureScreen().experimentLauncher.name == "mock")
    #expect(FeatureScreen(experimentLauncher: LiveExperimentLauncher()).experimentLauncher.name == "live")
  }

  @Test("Each framework has a registry of its own, which is assigned by itself")
  func flat() {
    RoutingRegistry.assignDesiredImplementation(to: RoutingRegistry(home: "shop://home"))
    #expect(RoutingRegistry.isAssigned && !CoreRegistry.isAssigned)
  }

  @Test("A test sets up the mocks of a registry as it needs them")
  func configureMocks() {
    (CoreRegistry.shared.userDefaults as? MockKeyValueStore)?.set("dark", "theme")
    #expect(CoreRegistry.shared.userDefaults.value("theme") == "dark")
  }

  @Test("After a reset, as before each test, there is a new mock, and something may be assigned again")
  func reset() throws {
    let mock = CoreRegistry.shared
    App.setUpRegistries()
    try CoreRegistry.reset()
    try RoutingRegistry.reset()
    #expect(CoreRegistry.shared !== mock)
    #expect(CoreRegistry.shared.experimentLauncher.name == "mock")
    #expect(RoutingRegistry.assignDesiredImplementation(to: RoutingRegistry(home: "again://home")))
  }

  @Test("A test of the launch finds every registry that has not been assigned")
  func everyRegistryIsAssigned() throws {
    #expect(throws: UnassignedRegistries.self) { try Registries.checkAssigned(App.registries) }
    App.setUpRegistries()
    try Registries.checkAssigned(App.registries)
  }

  @Test("Registries that have vended a mock are known by name, also those that no list has")
  func vendedMocks() {
    _ = (RoutingRegistry.shared, RoutingRegistry.shared, CoreRegistry.shared)
    let own = Registries.vendedMocks.filter { ["CoreRegistry", "RoutingRegistry"].contains($0) }
    #expect(own == ["RoutingRegistry", "CoreRegistry"])
  }

  @Test("Who vends a mock is told at once, so that a development build can stop there")
  func assertWhenVending() async {
    await #expect(processExitsWith: .success) { vendOneMock() }
  }
}

// The hooks belong to the whole program, so a test that sets them runs in a process of its own.

private func assignTwice() {
  let refused = Mutex<[String]>([])
  Registries.onRefusal = { refusal in refused.withLock { $0.append(refusal.registry) } }
  App.setUpRegistries()
  let isAssigned = RoutingRegistry.assignDesiredImplementation(to: RoutingRegistry(home: "other://home"))
  #expect(!isAssigned)
  #expect(RoutingRegistry.shared.home == "shop://home")
  #expect(refused.withLock { $0 } == ["RoutingRegistry"])
}

private func vendOneMock() {
  let vended = Mutex<[String]>([])
  Registries.onVendingMock = { registry in vended.withLock { $0.append(registry) } }
  _ = CoreRegistry.shared
  App.setUpRegistries()
  _ = (CoreRegistry.shared, RoutingRegistry.shared)
  #expect(vended.withLock { $0 } == ["CoreRegistry"])
}

private final class Database: Sendable {}

@Suite("The lazies of floatation.md")
struct FloatationLazyTests {
  @Test("A lazy instance is made at the first access, and never if nobody accesses it")
  func lazy() {
    let made = Mutex(0)
    let database = Lazy {
      made.withLock { $0 += 1 }
      return Database()
    }
    #expect(made.withLock { $0 } == 0)
    #expect(database.instance === database.instance)
    #expect(made.withLock { $0 } == 1)
  }

  @Test("A weak lazy instance lives as long as it is held, and the next access makes another")
  func weakLazy() {
    let made = Mutex(0)
    let database = WeakLazy {
      made.withLock { $0 += 1 }
      return Database()
    }
    func use() -> Bool {
      let first = database.instance
      return first === database.instance && database.isMade
    }
    #expect(use())
    #expect(!database.isMade)
    #expect(use())
    #expect(made.withLock { $0 } == 2)
  }
}
