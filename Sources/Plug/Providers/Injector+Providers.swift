extension Injector {
  /// Declares a provider. Call it in the getter of a property of ``Injector``.
  ///
  /// ```swift
  /// nonisolated extension Injector {
  ///   var api: Provider<any API> { provide(.lazySingleton { LiveAPI() }) }
  /// }
  /// ```
  ///
  /// For a service that is made on the main actor, give the property the type ``MainActorProvider``.
  ///
  /// - Parameters:
  ///   - injection: How an instance is made, and how long it lives. It is evaluated when the provider is first used. If
  ///     several threads use it first at the same time, each evaluates it, and one result is kept: let a lazy singleton
  ///     make what must be made once.
  ///   - name: The name of the property. Together with the source location and the service's type it identifies the
  ///     provider.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - column: The column of the declaration.
  /// - Returns: The provider.
  @inlinable
  public func provide<Service: Sendable>(
    _ injection: @autoclosure @escaping @Sendable () -> Injection<Service>, name: StaticString = #function,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Provider<Service> {
    Provider(self, .at(fileID, line, column, name)) { injection().definition }
  }

  /// Declares a provider of a lazy singleton made by a closure.
  ///
  /// ```swift
  /// nonisolated extension Injector {
  ///   var clock: Provider<any Clock> { provide { SystemClock() } }
  /// }
  /// ```
  ///
  /// A closure that takes the injector gets other services from it.
  ///
  /// - Returns: The provider.
  public func provide<Service: Sendable>(
    name: StaticString = #function, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) -> Provider<Service> {
    provide(.lazySingleton(make), name: name, fileID: fileID, line: line, column: column)
  }

  /// Declares a provider of a lazy singleton made from other services.
  ///
  /// - Returns: The provider.
  @_documentation(visibility: internal)
  public func provide<Service: Sendable>(
    name: StaticString = #function, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) -> Provider<Service> {
    provide(.lazySingleton(make), name: name, fileID: fileID, line: line, column: column)
  }

  /// Declares a provider of a lazy singleton made by an initializer whose parameters are resolved by type.
  ///
  /// ```swift
  /// var forecast: Provider<Forecast> { provide(wiring: Forecast.init) }
  /// ```
  ///
  /// - Returns: The provider.
  @_disfavoredOverload public func provide<Service: Sendable, each Dependency: Sendable>(
    name: StaticString = #function, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
  ) -> Provider<Service> {
    provide(.lazySingleton(wiring: initializer), name: name, fileID: fileID, line: line, column: column)
  }

  /// Declares a provider of a service that is made from arguments.
  ///
  /// ```swift
  /// nonisolated extension Injector {
  ///   var detail: Provider<Detail, UserID> {
  ///     provide(lifetime: .scoped) { id, injector in
  ///       try Detail(id, store: injector.get())
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// For a service that is made on the main actor, give the property the type ``MainActorProvider``.
  ///
  /// - Parameters:
  ///   - lifetime: Whether each request makes a new instance, or equal arguments share one.
  ///   - name: The name of the property, which together with the source location identifies the provider.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - column: The column of the declaration.
  ///   - make: Makes an instance from the arguments and the injector that received the request.
  /// - Returns: The provider.
  @inlinable
  public func provide<Service: Sendable, First: Sendable, each Rest: Sendable>(
    lifetime: ArgumentsLifetime<First, repeat each Rest> = .factory, name: StaticString = #function,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) -> Provider<Service, First, repeat each Rest> {
    Provider(self, .at(fileID, line, column, name)) { Definition(lifetime, make) }
  }
}
