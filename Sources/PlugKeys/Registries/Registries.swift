import Plug

/// The state and the hooks that all ``Registry`` classes share.
public enum Registries {
  /// The injector that keeps the shared instances of all registries.
  static let injector = Injector()

  /// The injector, or its copy in an isolated test.
  static var current: Injector { injector.active }

  private static var shared: RegistryState {
    current.updateAttachment(RegistryState.self) { $0 ?? RegistryState() } ?? RegistryState()
  }

  /// The names of the registries that have vended a mock so far, in the order of first use.
  ///
  /// A registry vends a mock when it is used before anything has been assigned to it.
  public static var vendedMocks: [String] { shared.content.withLock { $0.mocks.map(\.name) } }

  /// The names of the given registries that have vended a mock.
  package static func vendedMocks(of registries: [any Registry.Type]) -> [String] {
    shared.content.withLock { content in
      content.mocks.filter { mock in registries.contains { $0 == mock.type } }.map(\.name)
    }
  }

  /// A closure that runs when a registry makes a mock, because it is used before an assignment; `nil` by default.
  ///
  /// ```swift
  /// Registries.onVendingMock = { logger.warning("\($0) is mocked") }
  /// ```
  ///
  /// The closure receives the name of the registry, on the thread that uses it. Independently of this closure, vending
  /// a mock traps with a diagnostic if the environment variable `PLUG_TRAP_ON_MOCK` is set to anything but `0`, except
  /// in tests.
  public static var onVendingMock: (@Sendable (_ registry: String) -> Void)? {
    get { shared.content.withLock { $0.onVendingMock } }
    set { set(\.onVendingMock, to: newValue) }
  }

  /// A closure that runs when an assignment is refused, because the registry already has one. By default, it prints the
  /// refusal to standard error.
  public static var onRefusal: @Sendable (RegistryRefusal) -> Void {
    get { shared.content.withLock { $0.onRefusal } }
    set { set(\.onRefusal, to: newValue) }
  }

  /// Replaces a hook. Releases the old one outside of the lock, because that may run a user's code.
  private static func set<Hook>(_ hook: any WritableKeyPath<RegistryState.Content, Hook> & Sendable, to new: Hook)
  where Hook: Sendable {
    let old = shared.content.withLock { content in
      defer { content[keyPath: hook] = new }
      return content[keyPath: hook]
    }
    withExtendedLifetime(old) {}
  }

  /// Checks that registries have been assigned, for a test of the app's launch.
  ///
  /// ```swift
  /// extension App {
  ///   static let registries: [any Registry.Type] = [
  ///     CoreRegistry.self, RoutingRegistry.self,
  ///   ]
  /// }
  ///
  /// setUpRegistries()
  /// try Registries.checkAssigned(App.registries)
  /// ```
  ///
  /// Swift cannot list the classes of a program, so keep such a list next to the code that assigns the registries. A
  /// registry that is missing from the list appears in ``vendedMocks`` when it is used without an assignment.
  ///
  /// - Parameter registries: The registries to check.
  /// - Throws: ``UnassignedRegistries`` with all registries that have no assignment.
  public static func checkAssigned(_ registries: [any Registry.Type]) throws(UnassignedRegistries) {
    let names = registries.filter { !$0.isAssigned }.map { typeName($0) }
    guard names.isEmpty else {
      throw UnassignedRegistries(names: names, count: registries.count, vendedMocks: vendedMocks)
    }
  }

  /// Forgets that a registry has vended a mock, or has an assignment.
  static func forget(_ registry: any Registry.Type) {
    shared.content.withLock { content in
      content.mocks.removeAll { $0.type == registry }
      content.assignments[ObjectIdentifier(registry)] = nil
    }
  }

  /// Records an assignment, unless there was an earlier one in the program, or in this isolated test.
  ///
  /// - Returns: The location of the earlier assignment; `nil` if there was none.
  static func claim(_ registry: any Registry.Type, at location: CodeLocation) -> CodeLocation? {
    shared.content.withLock { content in
      if let first = content.assignments[ObjectIdentifier(registry)] { return first }
      content.assignments[ObjectIdentifier(registry)] = location
      return nil
    }
  }

  /// Records that a registry vends a mock, and calls the hook.
  static func noteMock(
    of registry: String, _ type: (any Registry.Type)? = nil, isForbidden: Bool = isMockForbidden
  ) {
    let receive = shared.content.withLock { content in
      content.mocks.append((type, registry))
      return content.onVendingMock
    }
    // The requests of the hook are not dependencies of the mock.
    if let receive { Injector.apart { receive(registry) } }
    if isForbidden { fatalError(RegistryMock(registry: registry).description) }
  }

  private static var isMockForbidden: Bool {
    !["", "0"].contains(environmentVariable("PLUG_TRAP_ON_MOCK") ?? "") && !isTestProcess
  }
}

/// The shared state of all registries of the program, or of an isolated test.
private final class RegistryState: Attachment {
  struct Content {
    var mocks: [(type: (any Registry.Type)?, name: String)] = []
    var assignments: [ObjectIdentifier: CodeLocation] = [:]
    var onVendingMock: (@Sendable (_ registry: String) -> Void)?
    var onRefusal: @Sendable (RegistryRefusal) -> Void = { printError($0.description) }
  }

  let content: Guarded<Content>

  init(_ content: Content = Content()) { self.content = Guarded(content) }

  /// A test has the hooks of the program and its own mocks. It can assign a registry that the program has assigned.
  func copy(for injector: Injector) -> RegistryState? {
    var content = content.withLock { $0 }
    (content.mocks, content.assignments) = ([], [:])
    return RegistryState(content)
  }
}
