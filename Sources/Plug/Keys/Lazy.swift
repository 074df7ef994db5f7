/// A value that is made at the first use, and kept.
///
/// ```swift
/// let heavy = Lazy { Heavy() }
/// heavy.instance  // made here
/// heavy.instance  // the same
/// ```
///
/// Any number of threads may use it: the value is made exactly once. It can stand alone or be registered in an
/// ``Injector``, see ``Injector/register(as:tag:_:fileID:line:)-(_,_,Lazy<Service>,_,_)``.
public final class Lazy<Instance: Sendable>: Sendable {
  @usableFromInline let cell: Cell<Instance>
  @usableFromInline let place: (fileID: StaticString, line: UInt)

  /// Creates a value that is made when it is needed.
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

  /// The value. If it cannot be made, the program ends with the diagnosis; ``get()`` throws that.
  @inlinable public var instance: Instance {
    orTrap("\(typeName(Lazy.self)).instance cannot be read.", place.fileID, place.line) { () throws(InjectorError) in
      try get()
    }
  }

  /// Gets the value.
  ///
  /// - Throws: What the closure throws, as ``InjectorError/constructionFailed(_:underlying:)``;
  ///   ``InjectorError/circularDependency(_:path:)`` if it needs itself; ``InjectorError/mainActorRequired(_:)``,
  ///   ``InjectorError/actorUnsupported(_:actor:)``.
  /// - Complexity: O(1) for a value that exists.
  @inlinable
  public func get() throws(InjectorError) -> Instance {
    try cell.standaloneInstance()
  }

  /// Whether the value has been made.
  public var isMade: Bool { cell.isolated().hasInstance }
}

extension Injector {
  /// Registers a lazy value: the injector gives what it gives.
  ///
  /// - Returns: The injector, for the next registration.
  @discardableResult
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, _ lazy: Lazy<Service>, fileID: String = #fileID,
    line: Int = #line
  ) throws(InjectorError) -> Injector {
    try register(
      as: type, tag: tag, injectable: .lazySingleton { try lazy.get() }, fileID: fileID, line: line)
    return self
  }
}
