public import Plug

/// An object that is made when it is needed, and kept for as long as anything else holds it.
///
/// ```swift
/// let database = WeakLazy { Database() }
/// var first: Database? = database.instance  // makes an object
/// database.instance === first               // true
/// first = nil                               // releases the object
/// database.instance                         // makes another one
/// ```
///
/// Use it directly, or register its ``get()`` so that an injector returns the same object:
///
/// ```swift
/// try services.register(.weakSingleton(database.get))
/// ```
///
/// It belongs to the program, so it must not use a service of a scope: register a weak singleton in the scope instead.
/// Threads can share it. Only objects can be held weakly: reading an instance that is not an object traps, and
/// ``get()`` throws `InjectorError.lifetimeUnsupported`.
public final class WeakLazy<Instance: Sendable>: Sendable {
  @usableFromInline let standalone: Standalone

  /// Creates an object that is made when it is needed.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes the object. If it throws, the next use tries again.
  public init(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Instance
  ) {
    standalone = Standalone(WeakLazy.self, Injection.weakSingleton(make).definition, fileID, line)
  }

  /// The object. Reading it traps with a diagnostic if it cannot be made; ``get()`` throws the error instead.
  @inlinable public var instance: Instance {
    do throws(InjectorError) {
      return try get()
    } catch {
      standalone.trap(WeakLazy.self, error)
    }
  }

  /// Gets the object.
  ///
  /// - Returns: The object, which is made if nothing holds one.
  /// - Throws: `InjectorError.constructionFailed` with the error that the closure throws;
  ///   `InjectorError.circularDependency` if the closure uses the object itself;
  ///   `InjectorError.captiveDependency` if it uses a service of a scope;
  ///   `InjectorError.mainActorRequired` if the closure is isolated to the main actor and the caller is not;
  ///   `InjectorError.actorUnsupported` if it is isolated to another actor;
  ///   `InjectorError.lifetimeUnsupported` if the instance is not an object.
  @inlinable
  public func get() throws(InjectorError) -> Instance {
    try standalone.box().open(as: Instance.self)
  }

  /// Whether anything holds the object.
  public var isMade: Bool { standalone.isMade }
}
