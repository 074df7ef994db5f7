extension Injector {
  /// Registers an implementation of a service.
  ///
  /// ```swift
  /// try services.register(
  ///   as: Networking.self, injectable: .lazySingleton { HTTPNetworking() })
  /// ```
  ///
  /// If the service also has candidates, this registration is the fallback: it always applies and comes last. In a
  /// scope, it replaces what the scope inherits for the service.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the injection.
  ///   - tag: Distinguishes the service from others of the same type.
  ///   - injection: How an instance is made, and how long it lives.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` unless the injector allows rewriting;
  ///   ``InjectorError/actorUnsupported(_:actor:)``, ``InjectorError/lifetimeUnsupported(_:lifetime:reason:)``,
  ///   ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``. A registration that throws changes nothing.
  @discardableResult
  @inlinable
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, injectable injection: Injection<Service>,
    fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) -> Injector {
    try register(Key(type, tag), injection.definition, fileID, line)
    return self
  }

  /// Registers a lazy singleton made by a closure.
  ///
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: What ``register(as:tag:injectable:fileID:line:)`` throws.
  @discardableResult
  @inlinable
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) throws(InjectorError) -> Injector {
    try register(Key(type, tag), Definition(.lazySingleton, Injection.Factory(make).recipe), fileID, line)
    return self
  }

  /// Registers a lazy singleton made from other services.
  ///
  /// ```swift
  /// try services.register { try Repository(network: $0.get()) }
  /// ```
  ///
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: What ``register(as:tag:injectable:fileID:line:)`` throws.
  @discardableResult
  @inlinable
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) throws(InjectorError) -> Injector {
    try register(Key(type, tag), Definition(.lazySingleton, Injection.Factory(make).recipe), fileID, line)
    return self
  }

  /// Removes everything registered for a service, or one of its candidates, and releases the instances. Scopes inside
  /// keep what they have made of it until they are closed, but give it to nobody any more.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  ///   - candidate: The id of the candidate to remove; `nil` to remove everything.
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: ``InjectorError/notRegistered(_:)``; ``InjectorError/argumentsMismatch(_:expected:found:)`` if the
  ///   service is registered with arguments only; ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``.
  @discardableResult
  public func unregister<Service: Sendable>(
    type: Service.Type, tag: Tag? = nil, candidate: String? = nil
  ) throws(InjectorError) -> Injector {
    let injector = redirected() ?? self
    if let candidate {
      try injector.unregister(candidate: candidate, of: Key(type, tag))
    } else {
      try injector.remove(Key(type, tag))
    }
    return self
  }

  /// Returns whether anything is registered for a service here or in an injector around this one, even with arguments
  /// only.
  ///
  /// Use ``isRegistered(type:tag:taking:_:)`` to check for particular arguments.
  ///
  /// - Complexity: O(1); in a scope, O(*n*) for *n* injectors it is inside of.
  public func isRegistered<Service: Sendable>(type: Service.Type, tag: Tag? = nil) -> Bool {
    let key = Key(type, tag)
    let injector = redirected() ?? self
    return (try? injector.find(key)) ?? nil != nil
      || injector.levels.contains {
        $0.cells.contains { $0.registration.maker != nil && $0.registration.servedKey == key }
      }
  }

  /// Validates the injector and fixes its registrations: from now on every change throws ``InjectorError/sealed(_:)``.
  ///
  /// Lazy singletons that have not been made yet are still made on their first request. Sealing twice has no further
  /// effect.
  ///
  /// ```swift
  /// try services.seal(.strict)
  /// ```
  ///
  /// - Parameter strictness: Whether closures whose dependencies are unknown pass.
  /// - Returns: A report of what needs attention: its ``ValidationReport/opaque`` are the services that could not be
  ///   checked, because nothing tells what their closures ask for.
  /// - Throws: ``InjectorError/invalid(_:_:)`` if ``validate(_:)`` finds problems; then the injector is not sealed.
  ///   ``InjectorError/closed(_:)``.
  @discardableResult
  public func seal(_ strictness: Strictness = .lenient) throws(InjectorError) -> ValidationReport {
    let injector = redirected() ?? self
    let report = try injector.validate(strictness)
    if !injector.isSealed { try injector.sealItself() }
    return report
  }

  /// Whether the registrations are fixed.
  public var isSealed: Bool { (redirected() ?? self).state.withLock { $0.phase == .sealed } }
}

// Overloads that nobody can call: with them, the compiler says what is wrong with a likely mistake, and what to write.
// `Tests/Refused` shows each one.

@available(*, unavailable, message: "use register(injectable: .lazySingleton { try await … }), and load it")
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

extension Injector {
  /// Refuses an injection without its label.
  @available(*, unavailable, message: "label the injection: register(as: …, injectable: …)")
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, _ injection: Injection<Service>
  ) throws(InjectorError) -> Injector { fatalError() }

  /// Refuses a service without its label.
  @available(*, unavailable, message: "label the service: register(as: …) { … }")
  public func register<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, _ make: @escaping @Sendable () throws -> Service
  ) throws(InjectorError) -> Injector { fatalError() }

  /// Refuses a service without its label.
  @available(*, unavailable, message: "label the service: register(as: …) { … }")
  public func register<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, _ make: @escaping @Sendable (Injector) throws -> Service
  ) throws(InjectorError) -> Injector { fatalError() }

  /// Refuses a text as a tag.
  @available(*, unavailable, message: "make a tag of the text: Injector.Tag(rawValue: …)")
  public func get<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: String
  ) throws(InjectorError) -> Service { fatalError() }

  /// Refuses a context or arguments without their label.
  @available(*, unavailable, message: "label the context or the arguments: get(…, in: shopper), get(…, with: id)")
  public func get<Service: Sendable, Value: Sendable>(
    _ type: Service.Type, _ value: Value
  ) throws(InjectorError) -> Service { fatalError() }
}
