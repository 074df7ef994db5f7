extension Injector {
  /// Registers an implementation of a service.
  ///
  /// ```swift
  /// try services.register((any Networking).self, .factory { HTTPNetworking() })
  /// ```
  ///
  /// If the service also has candidates, this registration is the fallback: it always applies and comes last. In a
  /// scope, it replaces the inherited registration.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the injection.
  ///   - tag: Distinguishes the service from others of the same type.
  ///   - injection: How an instance is made, and how long it lives.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` unless the injector allows rewriting;
  ///   ``InjectorError/actorUnsupported(_:actor:)``, ``InjectorError/lifetimeUnsupported(_:lifetime:)``,
  ///   ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``. A registration that throws changes nothing.
  @discardableResult
  public func register<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, _ injection: Injection<Service>, fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) -> Injector {
    try register(Key(type, tag), injection.definition, fileID, line)
    return self
  }

  /// Registers a lazy singleton made by a closure.
  ///
  /// ```swift
  /// try services.register((any Clock).self) { SystemClock() }
  /// try services.register { try Repository(network: $0.get()) }
  /// ```
  ///
  /// A closure that takes the injector gets other services from it. The type can be omitted where it is inferred from
  /// the closure.
  ///
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: What ``register(_:tag:_:fileID:line:)`` throws.
  @discardableResult @inlinable
  public func register<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) throws(InjectorError) -> Injector {
    try register(Key(type, tag), Definition(.lazySingleton, Injection.Factory(make).recipe), fileID, line)
    return self
  }

  /// Registers a lazy singleton made by an initializer whose parameters are resolved by type.
  ///
  /// ```swift
  /// try services.register(wiring: Forecast.init)
  /// ```
  ///
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: What ``register(_:tag:_:fileID:line:)`` throws.
  @_disfavoredOverload @discardableResult @inlinable
  public func register<Service: Sendable, each Dependency: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: String = #fileID, line: Int = #line,
    wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
  ) throws(InjectorError) -> Injector {
    try register(type, tag: tag, .lazySingleton(wiring: initializer), fileID: fileID, line: line)
  }

  /// Removes the registration of a service, or one of its candidates, and releases the instances.
  ///
  /// ```swift
  /// try services.unregister((any Clock).self)
  /// try services.unregister(Detail.self, taking: UserID.self, Locale.self)
  /// ```
  ///
  /// Scopes of this injector keep the instances that they have made until they are closed, but no request returns them.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  ///   - candidate: The id of the candidate to remove; `nil` to remove everything.
  ///   - arguments: The types of the arguments that the service is made from, if it is registered with arguments.
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: ``InjectorError/notRegistered(_:)``; ``InjectorError/argumentsMismatch(_:expected:found:)`` if the
  ///   service is registered with other arguments only; ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``.
  @discardableResult
  public func unregister<Service: Sendable, each Argument: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, candidate: String? = nil, taking arguments: repeat (each Argument).Type
  ) throws(InjectorError) -> Injector {
    let (injector, key) = (active, Key.of(type, tag, taking: repeat each arguments))
    if let candidate {
      try injector.unregister(candidate: candidate, of: key)
    } else {
      try injector.remove(key)
    }
    return self
  }

  /// Returns whether a service is registered here or in a parent.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  ///   - arguments: The types of the arguments that the service is made from. Without any, it may be registered with or
  ///     without arguments.
  /// - Complexity: O(1); in a scope, O(*n*) for *n* parents. Where a service that is made from arguments is registered,
  ///   O(*n*) for *n* registrations, if this one is not.
  public func isRegistered<Service: Sendable, each Argument: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, taking arguments: repeat (each Argument).Type
  ) -> Bool {
    let (injector, key) = (active, Key.of(type, tag, taking: repeat each arguments))
    return injector.visibleCell(of: key) != nil || !injector.registrationsWithArguments(of: key).isEmpty
  }
}

// Unavailable overloads, with which the compiler explains a likely mistake and its fix. `Tests/Refused` shows each one.

@available(*, unavailable, message: "use register(.lazySingleton { try await … }), and load it")
extension Injector {
  /// Refuses an asynchronous closure.
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, _ load: @escaping @Sendable () async throws -> Service
  ) throws(InjectorError) -> Injector { fatalError() }

  /// Refuses an asynchronous closure.
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil,
    _ load: @escaping @Sendable (Injector) async throws -> Service
  ) throws(InjectorError) -> Injector { fatalError() }
}

@available(*, unavailable, message: "state how the instance lives: register(.singleton(user)), register { User() }")
extension Injector {
  /// Refuses an instance.
  @_disfavoredOverload public func register<Service>(_ instance: Service, tag: Tag? = nil) throws { fatalError() }

  /// Refuses an instance.
  public func register<Service>(_ type: Service.Type, _ instance: Service) throws { fatalError() }
}

// The closure may take the injector, the type may be omitted, and both may have labels, as they had in Plug 0.4. The
// documentation shows the forms above only.
extension Injector {
  /// Registers a lazy singleton made from other services.
  @_documentation(visibility: internal) @discardableResult @inlinable
  public func register<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) throws(InjectorError) -> Injector {
    try register(Key(type, tag), Definition(.lazySingleton, Injection.Factory(make).recipe), fileID, line)
    return self
  }

  /// Registers an implementation of a service.
  @_documentation(visibility: internal) @discardableResult
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, _ injection: Injection<Service>, fileID: String = #fileID,
    line: Int = #line
  ) throws(InjectorError) -> Injector { try register(type, tag: tag, injection, fileID: fileID, line: line) }

  /// Registers an implementation of a service.
  @_documentation(visibility: internal) @discardableResult
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, injectable injection: Injection<Service>,
    fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) -> Injector { try register(type, tag: tag, injection, fileID: fileID, line: line) }

  /// Registers a lazy singleton made by a closure.
  @_documentation(visibility: internal) @discardableResult @inlinable
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) throws(InjectorError) -> Injector { try register(type, tag: tag, fileID: fileID, line: line, make) }

  /// Registers a lazy singleton made from other services.
  @_documentation(visibility: internal) @discardableResult @inlinable
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) throws(InjectorError) -> Injector { try register(type, tag: tag, fileID: fileID, line: line, make) }
}
