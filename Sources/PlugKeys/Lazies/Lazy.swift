public import Plug

/// A value that is made on its first use and then kept.
///
/// ```swift
/// let heavy = Lazy { Heavy() }
/// heavy.instance  // makes the value
/// heavy.instance  // returns the same value
/// ```
///
/// Unlike a `lazy var`, threads can share it: the value is made exactly once, and other threads wait for it. Use it
/// directly, or register its ``get()`` so that an injector returns the same value:
///
/// ```swift
/// try services.register(heavy.get)
/// ```
public final class Lazy<Instance: Sendable>: Sendable {
  @usableFromInline let standalone: Standalone

  /// Creates a value that is made when it is first used.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes the value. If it throws, the next use tries again.
  public init(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Instance
  ) {
    standalone = Standalone(Lazy.self, Injection.lazySingleton(make).definition, fileID, line)
  }

  /// The value. Reading it traps with a diagnostic if it cannot be made; ``get()`` throws the error instead.
  @inlinable public var instance: Instance {
    do throws(InjectorError) {
      return try get()
    } catch {
      standalone.trap(Lazy.self, error)
    }
  }

  /// Gets the value.
  ///
  /// - Returns: The value, which is made if this is its first use.
  /// - Throws: `InjectorError.constructionFailed` with the error that the closure throws;
  ///   `InjectorError.circularDependency` if the closure uses the value itself;
  ///   `InjectorError.mainActorRequired` if the closure is isolated to the main actor and the caller is not;
  ///   `InjectorError.actorUnsupported` if it is isolated to another actor.
  /// - Complexity: O(1) for a value that exists.
  @inlinable
  public func get() throws(InjectorError) -> Instance {
    try standalone.box().open(as: Instance.self)
  }

  /// Whether the value has been made.
  public var isMade: Bool { standalone.isMade }
}
