package import Plug

/// A class that stores the dependencies of one framework, with mocks until the app assigns the real ones.
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
/// Pass every dependency to the initializer, so that a new one is a compile error wherever a registry is created. Keep
/// a list of the app's registries, and test with ``Registries/checkAssigned(_:)`` that the launch assigns all of them.
public protocol Registry: AnyObject, Sendable {
  /// Makes the shared instance that is used until one is assigned.
  ///
  /// It runs at most once, and should contain mocks only.
  static func createMockShared() -> Self
}

extension Registry {
  /// The assigned instance, or, before the assignment, a mock that is made once.
  ///
  /// Making the mock calls ``Registries/onVendingMock``. The property can be read from any thread.
  public static var shared: Self {
    do {
      return try Registries.current.provide(key, "", 0) {
        Registration(
          key, Injection.lazySingleton { makeMock() }.definition, depth: 0,
          location: CodeLocation(fileID: #fileID, line: #line))
      }.open()
    } catch {
      trap("\(typeName(self)).shared failed.", error, #fileID, #line)
    }
  }

  /// Assigns the shared instance, in place of the mock.
  ///
  /// Only the first assignment takes effect. A later one is refused, and ``Registries/onRefusal`` receives a report,
  /// which it prints to standard error by default. An assignment in an isolated test is visible only in that test.
  ///
  /// - Parameters:
  ///   - shared: The instance.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: Whether the assignment took effect.
  @discardableResult
  public static func assignDesiredImplementation(
    to shared: Self, fileID: String = #fileID, line: Int = #line
  ) -> Bool {
    let location = CodeLocation(fileID: fileID, line: line)
    let cell = Cell(Registration(key, Injection.singleton(shared).definition, depth: 0, location: location))
    var assignedAt = Registries.claim(self, at: location)
    if assignedAt == nil {
      do throws(InjectorError) {
        try Registries.current.replace(key, by: cell)
        return true
      } catch {
        assignedAt = error.facts.registeredAt
      }
    }
    Registries.onRefusal(RegistryRefusal(registry: typeName(self), refusedAt: location, assignedAt: assignedAt))
    return false
  }

  /// Whether an instance has been assigned.
  public static var isAssigned: Bool { (try? Registries.current.cell(of: key))??.isAssigned ?? false }

  /// Forgets the assignment and the mock in an isolated test.
  package static func forgetShared() throws(InjectorError) {
    try Registries.injector.isolatedForChange(of: key).replace(key, by: nil)
    Registries.forget(self)
  }

  package static var key: Key { Key(RegistryKey<Self>.self) }

  private static func makeMock() -> Self {
    Registries.noteMock(of: typeName(self), self)
    return createMockShared()
  }
}

/// The key of the shared instance of a registry class.
package enum RegistryKey<Shared: Registry>: TypedKey {
  package static func name(tag: String?) -> String { typeName(Shared.self) }
  package static func expression(tag: String?) -> String { "\(typeName(Shared.self)).shared" }
  package static var kind: SubjectKind { .key }
}

extension Cell {
  /// Whether the instance was given, and is not a mock.
  fileprivate var isAssigned: Bool { registration.lifetime == .singleton }
}
