/// All ``Registry`` classes together: which of them are mocked, and what is done about that.
public enum Registries {
  /// What is known where no test is isolated.
  static let outside = RegistryState()

  private static var shared: RegistryState { Sandbox.current?.registries ?? outside }

  /// The names of the registries that have vended a mock so far, in that order.
  public static var vendedMocks: [String] { shared.content.withLock { $0.mocks.map(\.self) } }

  /// Runs when a registry makes a mock, because it is used before anything has been assigned; by default nothing.
  ///
  /// Independently of that, the program ends with the diagnosis if its environment has the variable
  /// `PLUG_TRAP_ON_MOCK`, with any value but `0`, and it is no test.
  public static var onVendingMock: (@Sendable (_ registry: String) -> Void)? {
    get { shared.content.withLock { $0.onVendingMock } }
    set { set(\.onVendingMock, to: newValue) }
  }

  /// Runs when something is assigned to a registry that has been assigned before; by default it is printed to standard
  /// error.
  public static var onRefusal: @Sendable (RegistryRefusal) -> Void {
    get { shared.content.withLock { $0.onRefusal } }
    set { set(\.onRefusal, to: newValue) }
  }

  /// Replaces a hook. The old one is released outside of the lock, since code of others may go with it.
  private static func set<Hook>(_ hook: any WritableKeyPath<RegistryState.Content, Hook> & Sendable, to new: Hook)
  where Hook: Sendable {
    let old = shared.content.withLock { content in
      defer { content[keyPath: hook] = new }
      return content[keyPath: hook]
    }
    withExtendedLifetime(old) {}
  }

  /// Checks that registries have been assigned: for a test of the app's launch.
  ///
  /// ```swift
  /// extension App { static let registries: [any Registry.Type] = [CoreRegistry.self, RoutingRegistry.self] }
  ///
  /// setUpRegistries()
  /// try Registries.checkAssigned(App.registries)
  /// ```
  ///
  /// Swift cannot list the classes of a program. So keep such a list next to the code that assigns them; what it lacks
  /// stands in ``vendedMocks`` as soon as it is used.
  ///
  /// - Throws: ``UnassignedRegistries`` with all that are not.
  public static func checkAssigned(_ registries: [any Registry.Type]) throws(UnassignedRegistries) {
    let names = registries.filter { !$0.isAssigned }.map { typeName($0) }
    guard names.isEmpty else {
      throw UnassignedRegistries(names: names, count: registries.count, vendedMocks: vendedMocks)
    }
  }

  /// Forgets that a registry has vended a mock.
  static func forgetMock(of registry: String) {
    shared.content.withLock { $0.mocks.removeAll { $0 == registry } }
  }

  static func noteMock(of registry: String, isForbidden: Bool = isMockForbidden) {
    let receive = shared.content.withLock { content in
      content.mocks.append(registry)
      return content.onVendingMock
    }
    receive?(registry)
    if isForbidden { fatalError(RegistryMock(registry: registry).description) }
  }

  private static var isMockForbidden: Bool {
    !["", "0"].contains(environmentVariable("PLUG_TRAP_ON_MOCK") ?? "") && !isTestProcess
  }
}

/// What all registries have in common.
final class RegistryState: Sendable {
  struct Content {
    var mocks: [String] = []
    var onVendingMock: (@Sendable (_ registry: String) -> Void)?
    var onRefusal: @Sendable (RegistryRefusal) -> Void = { printError($0.description) }
  }

  let content: Guarded<Content>

  init(withHooksOf other: RegistryState? = nil) {
    var content = other?.content.withLock { $0 } ?? Content()
    content.mocks = []
    self.content = Guarded(content)
  }
}
