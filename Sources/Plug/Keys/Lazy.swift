/// A value that is made on its first use, and kept.
///
/// ```swift
/// let heavy = Lazy { Heavy() }
/// heavy.instance  // makes the value
/// heavy.instance  // returns the same value
/// ```
///
/// Unlike a `lazy var`, it can be shared between threads: the value is made exactly once, and threads that use it
/// meanwhile wait for it. Use it by itself, or register its ``get()``, and the injector returns the same value:
///
/// ```swift
/// try services.register(heavy.get)
/// ```
public final class Lazy<Instance: Sendable>: Sendable {
  @usableFromInline let cell: Cell<Instance>
  @usableFromInline let place: (fileID: StaticString, line: UInt)

  /// Creates a value that is made when it is first used.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes the value. If it throws, nothing is kept and the next use tries again.
  public init(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Instance
  ) {
    place = (fileID, line)
    let declaration = Declaration(Lazy.self, tag: nil, location: CodeLocation(fileID: "\(fileID)", line: Int(line)))
    cell = Cell(Injection.Factory(make), .lazySingleton, declaration: declaration)
  }

  /// The value. Reading it traps with a diagnostic if it cannot be made; ``get()`` throws the error instead.
  @inlinable public var instance: Instance {
    orTrap("\(typeName(Lazy.self)).instance cannot be read.", place.fileID, place.line) { () throws(InjectorError) in
      try get()
    }
  }

  /// Gets the value.
  ///
  /// - Returns: The value, which is made if this is its first use.
  /// - Throws: ``InjectorError/constructionFailed(_:underlying:)`` with what the closure throws;
  ///   ``InjectorError/circularDependency(_:path:)`` if the closure uses the value itself;
  ///   ``InjectorError/mainActorRequired(_:)`` if the closure is isolated to the main actor and the caller is not;
  ///   ``InjectorError/actorUnsupported(_:actor:)`` if it is isolated to another actor.
  /// - Complexity: O(1) for a value that exists.
  @inlinable
  public func get() throws(InjectorError) -> Instance {
    try cell.standaloneInstance()
  }

  /// Whether the value has been made.
  public var isMade: Bool { cell.isolated().hasInstance }
}
