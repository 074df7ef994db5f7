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
///
/// A lazy value belongs to the program, so it must not use a service of a scope: that throws
/// `InjectorError.captiveDependency`. ``Plug/Injector/lazy(fileID:line:_:)`` makes one that belongs to a scope.
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

  fileprivate init(_ standalone: Standalone) { self.standalone = standalone }

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
  ///   `InjectorError.captiveDependency` if it uses a service of a scope that ends before the value;
  ///   `InjectorError.mainActorRequired` if the closure is isolated to the main actor and the caller is not;
  ///   `InjectorError.actorUnsupported` if it is isolated to another actor; `InjectorError.closed` if the injector of
  ///   the value is closed or released.
  /// - Complexity: O(1) for a value that exists.
  @inlinable
  public func get() throws(InjectorError) -> Instance {
    try standalone.box().open(as: Instance.self)
  }

  /// Whether the value has been made.
  public var isMade: Bool { standalone.isMade }
}

extension Injector {
  /// Creates a value that is made when it is first used, and that this injector keeps until it is closed or reset.
  ///
  /// ```swift
  /// let greeting = scope.lazy { "Hello, \(try $0.get(User.self).name)" }
  /// greeting.instance  // makes the value
  /// ```
  ///
  /// After a reset, the next use makes another value. After the injector has been closed or released, a use throws
  /// `InjectorError.closed`. The lazy value does not keep the injector. Use the injector that the closure receives,
  /// because a closure that captures the injector keeps it.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes the value from services of this injector. If it throws, the next use tries again.
  /// - Returns: The lazy value.
  public func lazy<Instance: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Instance
  ) -> Lazy<Instance> {
    let definition = Injection.scoped(make).definition
    return Lazy(Standalone(Lazy<Instance>.self, definition, in: self, fileID, line))
  }
}
