extension Injector {
  /// Gets a service: the shared instance or a new one, as its injection says.
  ///
  /// ```swift
  /// let network = try services.get(Networking.self)
  /// let database: any Database = try services.get(tag: "replica")
  /// ```
  ///
  /// If the service has candidates with rules, their context is got from the injector by its type.
  ///
  /// An optional gives `nil` where nothing is registered for the service, or no candidate applies, unless something is
  /// registered for the optional type itself: `let cache: (any Cache)? = try services.get()`. The same holds wherever
  /// services are asked for by type: in `wiring:`, with a context or arguments, in a load, as an ``Injected`` property.
  ///
  /// - Parameters:
  ///   - type: The service; can be left out where the result tells it.
  ///   - tag: The tag it is registered with.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: ``InjectorError/notRegistered(_:)``, ``InjectorError/noCandidate(_:_:)``,
  ///   ``InjectorError/contextMissing(_:context:)``, or what went wrong while an instance was made, of this
  ///   service or of one that it needs.
  /// - Complexity: O(1) for an instance that exists.
  @_disfavoredOverload  // A key is a Sendable type too.
  @inlinable
  public func get<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Service {
    do throws(InjectorError) {
      if registrations.instrumentation.isActive { return try getOnSlowPath(type, tag, fileID, line) }
      return try registrations.get(type, tag, for: self)
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  /// Gets a service; `nil` if it is not registered, or no candidate applies.
  ///
  /// If it is there but cannot be made, the program ends with the diagnosis; ``get(_:tag:fileID:line:)`` throws it.
  @inlinable
  public subscript<Service: Sendable>(
    type: Service.Type, tag tag: Tag? = nil, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> Service? {
    orTrap("\(self)[\(typeName(type)).self] failed.", fileID, line) { () throws(InjectorError) in
      try find(type, tag, fileID, line)
    }
  }

  /// Gets a service whose type is told by the result; if that fails, the program ends with the diagnosis.
  ///
  /// Use it where a service that is missing is a mistake in the program; ``get(_:tag:fileID:line:)`` throws instead.
  @inlinable
  public func resolve<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Service {
    orTrap("resolve() as \(typeName(type)) failed.", fileID, line) { () throws(InjectorError) in
      try get(type, tag: tag, fileID: fileID, line: line)
    }
  }

  /// Gets a service whose type is told by the result; `nil` if it is not registered, or no candidate applies.
  ///
  /// If it is there but cannot be made, the program ends with the diagnosis; ``get(_:tag:fileID:line:)`` throws it.
  @inlinable
  public func resolveOptional<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Service? {
    orTrap("resolveOptional() as \(typeName(type)) failed.", fileID, line) { () throws(InjectorError) in
      try find(type, tag, fileID, line)
    }
  }

  /// Gets every implementation of a service that applies, in order; none if it is not registered.
  ///
  /// - Throws: ``InjectorError/contextMissing(_:context:)``, or what went wrong while an instance was made.
  public func getAll<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> [Service] {
    try withActiveInjector(type, tag, fileID, line) { injector throws(InjectorError) in
      try injector.lookUp(type, tag, isOptional: true)?.all(for: injector) ?? []
    }
  }

  /// Gets a service; `nil` if it is not registered, or no candidate applies.
  @inlinable
  func find<Service: Sendable>(
    _ type: Service.Type, _ tag: Tag?, _ fileID: StaticString, _ line: UInt
  ) throws(InjectorError) -> Service? {
    if let instance = registrations.instance(type, tag) { return instance }
    return try withActiveInjector(type, tag, fileID, line) { injector throws(InjectorError) in
      if let entry = try injector.lookUp(type, tag, isOptional: true) { return try entry.first(for: injector) }
      return try injector.deriveIfRegistered(type, tag)
    }
  }
}
