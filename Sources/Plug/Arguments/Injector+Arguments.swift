extension Injector {
  /// Registers a service that is made from arguments.
  ///
  /// ```swift
  /// try services.register(
  ///   Detail.self, taking: UserID.self, Locale.self
  /// ) { id, locale, injector in
  ///   Detail(id, locale, store: try injector.get())
  /// }
  /// let detail = try services.get(Detail.self, with: id, locale)
  /// ```
  ///
  /// A service can be registered for several lists of argument types. If the compiler should check the arguments of
  /// each request, declare a ``Provider`` instead.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: Distinguishes the service from others of the same type.
  ///   - first: The type of the first argument.
  ///   - rest: The types of the other arguments.
  ///   - lifetime: Whether each request makes a new instance, or equal arguments share one.
  ///   - dependencies: The services without a tag that the closure requests, as in ``Injection/depends(on:_:tag:)``;
  ///     `nil` if they are not declared. The first run is compared with the declaration.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes an instance from the arguments and the injector that received the request.
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` if the service is registered for the same types of arguments and
  ///   the injector does not allow rewriting; ``InjectorError/actorUnsupported(_:actor:)``,
  ///   ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``. A registration that throws changes nothing.
  @discardableResult @inlinable
  public func register<Service: Sendable, First: Sendable, each Rest: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, taking first: First.Type,
    _ rest: repeat (each Rest).Type, lifetime: ArgumentsLifetime<First, repeat each Rest> = .factory,
    dependsOn dependencies: [any Any.Type]? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) -> Injector {
    let definition = Definition(lifetime, dependsOn: dependencies, make)
    try register(.taking(first, repeat each rest, for: type, tag), definition, fileID, line)
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
  ///   ``InjectorError/notRegistered(_:)``; or the error that prevented the instance from being made.
  @inlinable
  public func get<Service: Sendable, First: Sendable, each Rest: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, with first: First, _ rest: repeat each Rest,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Service {
    try box(
      .taking(First.self, repeat (each Rest).self, for: type, tag), with: Box((first, repeat each rest)), fileID, line
    ).open()
  }

  @usableFromInline
  func box(
    _ key: Key, with arguments: AnyBox, _ fileID: StaticString, _ line: UInt
  ) throws(InjectorError) -> AnyBox {
    do {
      let injector = active(fileID, line)
      if let box = try injector.answer(Request(key), with: arguments) { return box }
      let source = ElementSource(injector: injector) { element in
        try injector.answer(Request(element, isOptional: true), with: arguments)
      }
      if let box = try injector.derive(key, from: source) { return box }
      throw injector.absence(of: key)
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  /// - Returns: `nil` if nothing is registered.
  private func answer(_ request: Request, with arguments: AnyBox) throws -> AnyBox? {
    while let cell = try find(request.key) {
      let box = try Layers.answering(request, by: self) {
        try attempt(cell, with: arguments)
      }
      if let box { return box }
    }
    return nil
  }
}

// Unavailable overloads, with which the compiler explains a likely mistake and its fix. `Tests/Refused` shows each one.

@available(*, unavailable, message: "the closure receives the arguments and then the injector: { id, injector in … }")
extension Injector {
  /// Refuses a closure that does not receive the injector.
  public func register<Service: Sendable, First: Sendable, each Rest: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, taking first: First.Type,
    _ rest: repeat (each Rest).Type, lifetime: ArgumentsLifetime<First, repeat each Rest> = .factory,
    _ make: @escaping @Sendable (First, repeat each Rest) throws -> Service
  ) throws(InjectorError) -> Injector { fatalError() }

  /// Refuses a closure with another number of parameters.
  public func register<Service: Sendable, First: Sendable, each Rest: Sendable, each Parameter>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, taking first: First.Type,
    _ rest: repeat (each Rest).Type, lifetime: ArgumentsLifetime<First, repeat each Rest> = .factory,
    _ make: @escaping @Sendable (repeat each Parameter) throws -> Service
  ) throws(InjectorError) -> Injector { fatalError() }
}
