extension Injector {
  /// Registers a service that is made from arguments.
  ///
  /// ```swift
  /// try services.register(
  ///   as: Detail.self, taking: UserID.self, Locale.self
  /// ) { id, locale, injector in
  ///   Detail(id, locale, store: try injector.get())
  /// }
  /// let detail = try services.get(Detail.self, with: id, locale)
  /// ```
  ///
  /// A service may be registered for several lists of arguments. To let the compiler check the arguments of each
  /// request, declare an ``ArgumentsProvider`` instead.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: Distinguishes the service from others of the same type.
  ///   - first: The type of the first argument.
  ///   - rest: The types of the other arguments.
  ///   - lifetime: Whether each request makes a new instance, or equal arguments share one.
  ///   - dependencies: The services without a tag that the closure requests, as ``Injection/depends(on:tag:)`` declares
  ///     them; `nil` if they are not declared. The first run is compared with them.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes an instance from the arguments and the injector that was asked.
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` if the service is registered for the same types of arguments and
  ///   the injector does not allow rewriting; ``InjectorError/actorUnsupported(_:actor:)``,
  ///   ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``. A registration that throws changes nothing.
  @discardableResult
  public func register<Service: Sendable, First: Sendable, each Rest: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, taking first: First.Type,
    _ rest: repeat (each Rest).Type, lifetime: ArgumentsLifetime<First, repeat each Rest> = .factory,
    dependsOn dependencies: [any Any.Type]? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) -> Injector {
    let injector = redirectedForSetUp(at: CodeLocation(fileID: fileID, line: line)) ?? self
    let key = Key(ArgumentsKey<Service, First, repeat each Rest>.self, tag)
    let registration = Maker.registration(
      key, make, lifetime, dependencies: dependencies, depth: injector.depth, CodeLocation(fileID: fileID, line: line))
    try injector.register(registration)
    return self
  }

  /// Gets a service that is made from arguments.
  ///
  /// ```swift
  /// let detail = try services.get(Detail.self, with: id, locale)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - first: The first argument.
  ///   - rest: The other arguments.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: A new instance, or the one kept for equal arguments.
  /// - Throws: ``InjectorError/argumentsMismatch(_:expected:found:)`` if the service is registered for other arguments;
  ///   ``InjectorError/notRegistered(_:)``; or what went wrong while the instance was made.
  public func get<Service: Sendable, First: Sendable, each Rest: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, with first: First, _ rest: repeat each Rest,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Service {
    do throws(InjectorError) {
      return try (redirected(fileID, line) ?? self).box(type, tag, with: first, repeat each rest).open()
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  /// Removes what is registered for a service made from arguments, and releases its instances.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  ///   - first: The type of the first argument.
  ///   - rest: The types of the other arguments.
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: ``InjectorError/notRegistered(_:)``, ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``.
  @discardableResult
  public func unregister<Service: Sendable, First: Sendable, each Rest: Sendable>(
    type: Service.Type, tag: Tag? = nil, taking first: First.Type, _ rest: repeat (each Rest).Type
  ) throws(InjectorError) -> Injector {
    let injector = redirected() ?? self
    let key = Key(ArgumentsKey<Service, First, repeat each Rest>.self, tag)
    try injector.remove(key)
    return self
  }

  /// Returns whether a service is registered for arguments of these types, here or in an injector around this one.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  ///   - first: The type of the first argument.
  ///   - rest: The types of the other arguments.
  public func isRegistered<Service: Sendable, First: Sendable, each Rest: Sendable>(
    type: Service.Type, tag: Tag? = nil, taking first: First.Type, _ rest: repeat (each Rest).Type
  ) -> Bool {
    let key = Key(ArgumentsKey<Service, First, repeat each Rest>.self, tag)
    return (try? (redirected() ?? self).find(key)) ?? nil != nil
  }

  private func box<Service: Sendable, First: Sendable, each Rest: Sendable>(
    _ type: Service.Type, _ tag: Tag?, with first: First, _ rest: repeat each Rest
  ) throws(InjectorError) -> AnyBox {
    let key = Key(ArgumentsKey<Service, First, repeat each Rest>.self, tag)
    if Key(type, tag).derivation != nil, try find(key) == nil {
      let source = ElementSource(injector: self) { (key) throws(InjectorError) in
        try self.boxIfRegistered(key.type, key.tag, isOptional: true, with: first, repeat each rest)
      }
      if let derived = try derive(Key(type, tag), from: source) { return derived }
    }
    if let box = try boxIfRegistered(type, tag, with: first, repeat each rest) { return box }
    throw absence(of: key)
  }

  private func boxIfRegistered<Service, First: Sendable, each Rest: Sendable>(
    _ type: Service.Type, _ tag: Tag?, isOptional: Bool = false, with first: First, _ rest: repeat each Rest
  ) throws(InjectorError) -> AnyBox? {
    let key = Key(ArgumentsKey<Service, First, repeat each Rest>.self, tag)
    return try Layers.answering(Request(key, isOptional: isOptional), by: self) { () throws(InjectorError) in
      while let cell = try find(key) {
        if let box = try box(of: cell, as: type, with: first, repeat each rest) { return box }
      }
      return nil
    }
  }

  /// Makes an instance of what is registered with arguments; `nil` if that has been removed or replaced.
  func box<Service, First: Sendable, each Rest: Sendable>(
    of cell: Cell, as type: Service.Type, with first: First, _ rest: repeat each Rest
  ) throws(InjectorError) -> AnyBox? {
    guard let maker = cell.registration.maker as? Maker<Service, First, repeat each Rest> else {
      throw absence(of: cell.registration.key)
    }
    return try maker.box(first, repeat each rest, of: cell, for: self)
  }
}
