extension Injector {
  /// Registers a service that is made from arguments, anew for each request.
  ///
  /// ```swift
  /// try services.register(as: Detail.self, taking: UserID.self, Locale.self) { id, locale, injector in
  ///   Detail(id, locale, store: try injector.get())
  /// }
  /// let detail = try services.get(Detail.self, with: id, locale)
  /// ```
  ///
  /// A service may be registered for several lists of arguments. If what asks for one is to be checked by the compiler,
  /// declare an ``ArgumentsProvider``.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: Tells it apart from others of the same type.
  ///   - first: The type of the first argument.
  ///   - rest: The types of the others.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes an instance from the arguments, with the injector that was asked.
  /// - Returns: The injector, for the next registration.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` if that is registered for the same types and the injector does not
  ///   allow rewriting, ``InjectorError/actorUnsupported(_:actor:)``, ``InjectorError/sealed(_:)``. Nothing has changed
  ///   then.
  @discardableResult
  public func register<Service: Sendable, First: Sendable, each Rest: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, taking first: First.Type,
    _ rest: repeat (each Rest).Type, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) -> Injector {
    let declaration = Declaration(
      ArgumentsKey<Service, First, repeat each Rest>.self, tag: tag, location: CodeLocation(fileID: fileID, line: line))
    try register(ArgumentsEntry(make, .factory, declaration: declaration))
    return self
  }

  /// Registers a service of which one instance is kept for equal arguments.
  ///
  /// ```swift
  /// try services.register(as: Detail.self, taking: UserID.self, lifetime: .scoped) { id, injector in
  ///   Detail(id, store: try injector.get())
  /// }
  /// ```
  ///
  /// Equal means that all arguments are equal. An instance lives as long as the injector that keeps it: `scoped` as long as
  /// a scope; with `lazySingleton` there may be as many, for as long as the injector lives, as there are different
  /// arguments.
  ///
  /// - Returns: The injector, for the next registration.
  /// - Throws: ``InjectorError/lifetimeUnsupported(_:lifetime:reason:)`` for another lifetime than these two and `factory`;
  ///   else as without a lifetime.
  @discardableResult
  public func register<Service: Sendable, First: Hashable & Sendable, each Rest: Hashable & Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, taking first: First.Type,
    _ rest: repeat (each Rest).Type, lifetime: Lifetime, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) -> Injector {
    let declaration = Declaration(
      ArgumentsKey<Service, First, repeat each Rest>.self, tag: tag, location: CodeLocation(fileID: fileID, line: line))
    try register(ArgumentsEntry(make, lifetime, comparable: makeComparable(), declaration: declaration))
    return self
  }

  /// Gets a service that is made from arguments.
  ///
  /// - Parameters:
  ///   - type: The service; can be left out where the result tells it.
  ///   - tag: The tag it is registered with.
  ///   - first: The first argument.
  ///   - rest: The others.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: ``InjectorError/argumentsMismatch(_:expected:found:)`` if the service is registered for other arguments,
  ///   ``InjectorError/notRegistered(_:)``, or what went wrong while the instance was made.
  @inlinable
  public func get<Service: Sendable, First: Sendable, each Rest: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, with first: First, _ rest: repeat each Rest,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Service {
    let key = ArgumentsKey<Service, First, repeat each Rest>.self
    return try withActiveInjector(key, tag, fileID, line) { injector throws(InjectorError) in
      guard let entry = try injector.lookUp(key, tag) else {
        return try injector.derive(type, tag, with: first, repeat each rest)
      }
      return try entry.instance(first, repeat each rest, for: injector)
    }
  }

  /// Removes what is registered for a service that is made from arguments. Its instances are released.
  ///
  /// - Returns: The injector, for the next registration.
  /// - Throws: ``InjectorError/notRegistered(_:)``, ``InjectorError/sealed(_:)``.
  @discardableResult
  public func unregister<Service: Sendable, First: Sendable, each Rest: Sendable>(
    type: Service.Type, tag: Tag? = nil, taking first: First.Type, _ rest: repeat (each Rest).Type
  ) throws(InjectorError) -> Injector {
    let injector = isolatedForSetUp()
    let key = ArgumentsKey<Service, First, repeat each Rest>.self
    guard injector.registrations.has(key, tag) else { throw injector.absence(of: key, tag: tag, isRemoval: true) }
    try injector.replace(key, tag: tag, by: nil)
    return self
  }

  /// Whether a service is registered for arguments of these types.
  public func isRegistered<Service: Sendable, First: Sendable, each Rest: Sendable>(
    type: Service.Type, tag: Tag? = nil, taking first: First.Type, _ rest: repeat (each Rest).Type
  ) -> Bool {
    let key = ArgumentsKey<Service, First, repeat each Rest>.self
    return sequence(first: isolated().registrations, next: \.parent).contains { $0.has(key, tag) }
  }
}
