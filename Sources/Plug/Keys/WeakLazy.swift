/// An object that is made when it is needed, and kept for as long as somebody else holds it.
///
/// ```swift
/// let database = WeakLazy { Database() }
/// var first: Database? = database.instance  // made here
/// database.instance === first               // the same
/// first = nil                               // gone
/// database.instance                         // another
/// ```
///
/// Any number of threads may use it. Only objects can be held like that: if what is made is no instance of a class,
/// reading it is an error.
public final class WeakLazy<Instance: Sendable>: Sendable {
  @usableFromInline let cell: Cell<Instance>
  @usableFromInline let place: (fileID: StaticString, line: UInt)

  /// Creates an object that is made when it is needed.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes the object. If it throws, nothing is kept and the next use tries again.
  public init(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Instance
  ) {
    place = (fileID, line)
    let declaration = Declaration(WeakLazy.self, tag: nil, location: CodeLocation(fileID: "\(fileID)", line: Int(line)))
    cell = Cell(Injection.Factory(make), .weakSingleton, declaration: declaration)
  }

  /// The object. If it cannot be made, the program ends with the diagnosis; ``get()`` throws that.
  @inlinable public var instance: Instance {
    orTrap("\(typeName(WeakLazy.self)).instance cannot be read.", place.fileID, place.line) {
      () throws(InjectorError) in
      try get()
    }
  }

  /// Gets the object.
  ///
  /// - Throws: What the closure throws, as ``InjectorError/constructionFailed(_:underlying:)``;
  ///   ``InjectorError/circularDependency(_:path:)`` if it needs itself; ``InjectorError/mainActorRequired(_:)``,
  ///   ``InjectorError/actorUnsupported(_:actor:)``, ``InjectorError/lifetimeUnsupported(_:lifetime:reason:)``.
  @inlinable
  public func get() throws(InjectorError) -> Instance {
    try cell.standaloneInstance()
  }

  /// Whether somebody holds the object.
  public var isMade: Bool { cell.isolated().hasInstance }
}

extension Injector {
  /// Registers an object that is kept for as long as somebody holds it: the injector gives what it gives.
  ///
  /// - Returns: The injector, for the next registration.
  @discardableResult
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, _ lazy: WeakLazy<Service>, fileID: String = #fileID,
    line: Int = #line
  ) throws(InjectorError) -> Injector {
    try register(
      as: type, tag: tag, injectable: .weakSingleton { try lazy.get() }, fileID: fileID, line: line)
    return self
  }
}
