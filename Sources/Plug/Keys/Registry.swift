/// The dependencies of one framework as stored properties of a class, mocked until the app assigns the real ones.
///
/// ```swift
/// public final class CoreRegistry: Registry {
///   public let defaults: any KeyValueStore
///   public init(defaults: any KeyValueStore) { self.defaults = defaults }
///
///   public static func createMockShared() -> CoreRegistry {
///     CoreRegistry(defaults: MemoryStore())
///   }
/// }
///
/// // Once, at launch:
/// let live = CoreRegistry(defaults: UserDefaultsStore())
/// CoreRegistry.assignDesiredImplementation(to: live)
///
/// // From anywhere in the framework:
/// CoreRegistry.shared.defaults
/// ```
///
/// Initialize every property in the initializer. Then a new dependency is a compile error wherever a registry is
/// created. Keep a list of the app's registries, and test with ``Registries/checkAssigned(_:)`` that the launch assigns
/// all of them.
public protocol Registry: AnyObject, Sendable {
  /// Makes the instance that is shared until one is assigned.
  ///
  /// It runs at most once, and should contain mocks only.
  static func createMockShared() -> Self
}

extension Registry {
  /// The assigned instance; before the assignment, a mock that is made once.
  ///
  /// Making the mock calls ``Registries/onVendingMock``. The property can be read from any thread.
  public static var shared: Self {
    orTrap("\(typeName(self)).shared failed.", #fileID, #line) { () throws(InjectorError) in
      try Injector.registries.get(RegistryKey<Self>.self) {
        let declaration = Declaration(
          RegistryKey<Self>.self, tag: nil, location: CodeLocation(fileID: #fileID, line: #line))
        return Cell(Injection.Factory { makeMock() }, .lazySingleton, declaration: declaration)
      }
    }
  }

  /// Assigns the instance that everyone shares from now on, in place of the mock.
  ///
  /// Only the first assignment takes effect. A later one is refused and reported to ``Registries/onRefusal``, which by
  /// default prints it to standard error. In an isolated test, an assignment is visible in that test only.
  ///
  /// - Parameters:
  ///   - shared: The instance.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: Whether the instance is now shared.
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

  /// Whether an instance has been assigned.
  public static var isAssigned: Bool {
    Injector.registries.isolated().registrations.entry(RegistryKey<Self>.self)?.lifetime == .singleton
  }

  /// Forgets the assignment and the mock in an isolated test.
  package static func forgetShared() throws(InjectorError) {
    let injector = try Injector.registries.isolatedForChange(of: RegistryKey<Self>.self)
    try injector.replace(RegistryKey<Self>.self, by: nil)
    Registries.forgetMock(of: typeName(self))
  }

  /// The name that diagnostics show.
  package static var registryName: String { typeName(self) }

  private static func makeMock() -> Self {
    Registries.noteMock(of: typeName(self))
    return createMockShared()
  }
}

extension Injector {
  /// The injector that keeps the shared instances of all registries.
  fileprivate static let registries = Injector(depth: 0)
}
