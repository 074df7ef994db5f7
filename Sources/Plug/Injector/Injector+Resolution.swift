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
  /// - Parameters:
  ///   - type: The service; can be left out where the result tells it.
  ///   - tag: The tag it is registered with.
  /// - Throws: ``InjectorError/notRegistered(_:)``, ``InjectorError/noCandidate(_:_:)``,
  ///   ``InjectorError/contextMissing(_:context:underlying:)``, or what went wrong while an instance was made, of this
  ///   service or of one that it needs.
  /// - Complexity: O(1) for an instance that exists.
  public func get<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil
  ) throws(InjectorError) -> Service {
    guard let entry = registry.entry(type, tag) else { throw missing(type, tag: tag) }
    return try entry.instance(for: self)
  }

  /// Gets a service; `nil` if it is not registered, or no candidate applies.
  ///
  /// If it is there but cannot be made, the program ends with the diagnosis; ``get(_:tag:)`` throws it.
  public subscript<Service: Sendable>(
    type: Service.Type, tag tag: Tag? = nil, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> Service? {
    optional("\(self)[\(typeName(type)).self] cannot be answered.", tag, fileID, line) { () throws(InjectorError) in
      try get(type, tag: tag)
    }
  }

  /// Gets a service whose type is told by the result; if that fails, the program ends with the diagnosis.
  ///
  /// Use it where a service that is missing is a mistake in the program; ``get(_:tag:)`` throws instead.
  public func resolve<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Service {
    orTrap("resolve() as \(typeName(type)) failed.", fileID, line) { () throws(InjectorError) in
      try get(type, tag: tag)
    }
  }

  /// Gets a service whose type is told by the result; `nil` if it is not registered, or no candidate applies.
  ///
  /// If it is there but cannot be made, the program ends with the diagnosis; ``get(_:tag:)`` throws it.
  public func resolveOptional<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Service? {
    optional("resolveOptional() as \(typeName(type)) failed.", tag, fileID, line) { () throws(InjectorError) in
      try get(type, tag: tag)
    }
  }

  /// Gets every implementation of a service that applies, in order; none if it is not registered.
  ///
  /// - Throws: ``InjectorError/contextMissing(_:context:underlying:)``, or what went wrong while an instance was made.
  public func getAll<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil
  ) throws(InjectorError) -> [Service] {
    guard let entry = registry.entry(type, tag) else { return [] }
    return try entry.instances(for: self)
  }

  private func optional<Service>(
    _ headline: @autoclosure () -> String, _ tag: Tag?, _ fileID: StaticString, _ line: UInt,
    _ body: () throws(InjectorError) -> Service
  ) -> Service? {
    orTrap(headline(), fileID, line) { () throws(InjectorError) in try nilIfAbsent(Service.self, tag, body) }
  }
}

/// Turns the errors of a service that is not there for anybody, or not for this context, into `nil`.
func nilIfAbsent<Service>(
  _ type: Service.Type, _ tag: Injector.Tag?, _ body: () throws(InjectorError) -> Service
) throws(InjectorError) -> Service? {
  do throws(InjectorError) {
    return try body()
  } catch {
    switch error {
    case .notRegistered(let facts) where facts.concernsCaller(of: type, tag): return nil
    case .noCandidate(let facts, _) where facts.concernsCaller(of: type, tag): return nil
    default: throw error
    }
  }
}

extension InjectorError.Facts {
  /// Whether the service itself, asked for right here, is what the error is about, and not one that it needs.
  fileprivate func concernsCaller(of type: any Any.Type, _ tag: Injector.Tag?) -> Bool {
    service == typeName(type) && self.tag == tag?.rawValue && chain.count == ThreadContext.current.trail.count + 1
  }
}
