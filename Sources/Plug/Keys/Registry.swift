/// What one framework needs, as stored properties of a class that everyone in it can reach; mocked until the app
/// assigns the real one.
///
/// ```swift
/// public final class CoreRegistry: Registry {
///   public let defaults: any KeyValueStore
///   public init(defaults: any KeyValueStore) { self.defaults = defaults }
///
///   public static func createMockShared() -> CoreRegistry { CoreRegistry(defaults: MemoryStore()) }
/// }
///
/// CoreRegistry.assignDesiredImplementation(to: CoreRegistry(defaults: UserDefaultsStore()))  // once, at launch
/// CoreRegistry.shared.defaults                                                               // from anywhere
/// ```
///
/// Let every property be given in the initializer: then a new one is a compile error wherever a registry is made. Keep
/// a list of an app's registries, and test with ``Registries/checkAssigned(_:)`` that the launch assigns them all.
public protocol Registry: AnyObject, Sendable {
  /// Makes what is shared until something is assigned. It runs at most once, and has mocks only.
  static func createMockShared() -> Self
}

extension Registry {
  /// What has been assigned; until then, one mock.
  ///
  /// When the mock is made, ``Registries/onVendingMock`` runs.
  public static var shared: Self {
    orTrap("\(typeName(self)).shared failed.", #fileID, #line) { () throws(InjectorError) in
      try Injector.registries.get(RegistryKey<Self>.self) {
        let declaration = Declaration(
          RegistryKey<Self>.self, tag: nil, location: CodeLocation(fileID: #fileID, line: #line))
        return Cell(Injection.Factory { makeMock() }, .lazySingleton, declaration: declaration)
      }
    }
  }

  /// Makes everyone share a registry from now on, in place of the mock.
  ///
  /// Only the first one counts. Whoever assigns another is refused; ``Registries/onRefusal`` says so, by default on
  /// standard error.
  ///
  /// - Parameters:
  ///   - shared: The registry.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: Whether it is the one that is shared now.
  @discardableResult
  public static func assignDesiredImplementation(
    to shared: Self, fileID: String = #fileID, line: Int = #line
  ) -> Bool {
    let location = CodeLocation(fileID: fileID, line: line)
    let cell = Injection.singleton(shared).makeCell(Declaration(RegistryKey<Self>.self, tag: nil, location: location))
    do throws(InjectorError) {
      let injector = Injector.registries.isolatedForSetUp(at: location)
      try injector.replace(RegistryKey<Self>.self, by: cell) { $0.lifetime == .singleton }
      return true
    } catch {
      Registries.onRefusal(
        RegistryRefusal(registry: typeName(self), refusedAt: location, assignedAt: error.facts.registeredAt))
      return false
    }
  }

  /// Whether something has been assigned.
  public static var isAssigned: Bool {
    Injector.registries.isolated().registrations.entry(RegistryKey<Self>.self)?.lifetime == .singleton
  }

  /// Forgets, in an isolated test, what has been assigned, and the mock.
  package static func forgetShared() throws(InjectorError) {
    let injector = try Injector.registries.isolatedForChange(of: RegistryKey<Self>.self)
    try injector.replace(RegistryKey<Self>.self, by: nil)
    Registries.forgetMock(of: typeName(self))
  }

  /// The name in diagnostics.
  package static var registryName: String { typeName(self) }

  private static func makeMock() -> Self {
    Registries.noteMock(of: typeName(self))
    return createMockShared()
  }
}

extension Injector {
  /// What all registries share.
  fileprivate static let registries = Injector(depth: 0)
}
