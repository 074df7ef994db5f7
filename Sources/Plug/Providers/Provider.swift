/// A registration that is declared as a property of ``Injector``, so that a request for a missing one does not compile.
///
/// ```swift
/// extension Injector {
///   var api: Provider<any API> {
///     provide(.lazySingleton { LiveAPI(base: $0[BaseURL.self]) })
///   }
/// }
///
/// let api = services.api()
/// struct Screen { @Injected(\.api) var api }
/// ```
///
/// Each injector makes its own instances, with the lifetime of the ``Injection``. A scope shares the instances of its
/// parent.
///
/// After its first use, validation and graphs include a provider under its name, `\.api`. It can be used but not
/// overridden in a sealed injector. A test overrides it with `override(_:injectable:)` from the PlugTesting product.
public struct Provider<Service: Sendable>: Sendable {
  @usableFromInline let injector: Injector
  @usableFromInline let name: ProviderName
  private let injection: @Sendable () -> Injection<Service>

  @usableFromInline
  init(_ injector: Injector, _ name: ProviderName, _ injection: @escaping @Sendable () -> Injection<Service>) {
    self.injector = injector
    self.name = name
    self.injection = injection
  }

  /// Returns the service, or traps with a diagnostic if it cannot be made.
  ///
  /// ```swift
  /// let api = services.api()
  /// ```
  ///
  /// ``get(fileID:line:)`` throws the error instead.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, which the trap reports.
  ///   - line: The line of the call, which the trap reports.
  /// - Returns: The shared instance or a new one, depending on the injection's lifetime.
  @inlinable
  public func callAsFunction(fileID: StaticString = #fileID, line: UInt = #line) -> Service {
    orTrap(name.failure(of: "()", injector), fileID, line) { () throws(InjectorError) in
      try get(fileID: fileID, line: line)
    }
  }

  /// Gets the service: the shared instance or a new one, depending on the injection's lifetime.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance.
  /// - Throws: The error that prevented the instance from being made; ``InjectorError/closed(_:)``.
  /// - Complexity: O(1) for an existing instance.
  @inlinable
  public func get(fileID: StaticString = #fileID, line: UInt = #line) throws(InjectorError) -> Service {
    try box(fileID, line).open()
  }

  /// Gets the service, and first loads all of its dependencies that are made asynchronously.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance.
  /// - Throws: The errors of ``Injector/load(_:tag:fileID:line:)``.
  public func load(fileID: StaticString = #fileID, line: UInt = #line) async throws(InjectorError) -> Service {
    try await injector.loading(fileID, line) { [self] injector throws(InjectorError) in
      try injector.provide(key, "", 0) { declared }
    }.open()
  }

  /// Replaces the declared injection with another one, and releases existing instances.
  ///
  /// ```swift
  /// try services.api.override(.singleton(RecordingAPI()))
  /// ```
  ///
  /// In a scope, the override affects that scope only.
  ///
  /// - Parameters:
  ///   - injection: How an instance is made, and how long it lives.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: ``InjectorError/sealed(_:)``, ``InjectorError/actorUnsupported(_:actor:)``,
  ///   ``InjectorError/lifetimeUnsupported(_:lifetime:reason:)``, ``InjectorError/closed(_:)``. An override that throws
  ///   changes nothing.
  public func override(
    _ injection: Injection<Service>, fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) {
    try injector.replace(key, by: injection.definition, at: CodeLocation(fileID: fileID, line: line))
  }

  /// Restores the declared injection, and releases existing instances.
  ///
  /// - Throws: ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``.
  public func reset() throws(InjectorError) {
    try (injector.redirected() ?? injector).restore(key) { declared }
  }

  /// Decorates every instance that the provider returns.
  ///
  /// ```swift
  /// try services.api.decorate(id: "logging") { inner, injector in
  ///   LoggingAPI(inner, log: try injector.get())
  /// }
  /// ```
  ///
  /// Decorate a provider before its first use. Decorators also apply to an overriding injection, except to the override
  /// of an isolated test. See ``Injector/decorate(_:tag:id:fileID:line:_:)``.
  ///
  /// - Parameters:
  ///   - id: The name of the decorator in graphs; by default the source location of this call.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - wrap: Receives an instance and the injector that received the request, and returns the instance that requests
  ///     get.
  /// - Throws: ``InjectorError/instanceExists(_:)`` if an undecorated instance is in use;
  ///   ``InjectorError/actorUnsupported(_:actor:)``, ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``. A
  ///   decoration that throws changes nothing.
  public func decorate(
    id: String? = nil, fileID: String = #fileID, line: Int = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Service
  ) throws(InjectorError) {
    try injector.decorate(key, id: id, at: CodeLocation(fileID: fileID, line: line), declare: { declared }, wrap)
  }

  package var key: Key { Key(ProviderKey<Service>.self, name.tag) }

  private var declared: Registration {
    Registration(key, injection().definition, depth: 0, location: name.location)
  }

  @usableFromInline
  func box(_ fileID: StaticString, _ line: UInt) throws(InjectorError) -> AnyBox {
    try injector.provide(key, fileID, line) { declared }
  }
}

/// A ``Provider`` of a service that is made on the main actor: calling it elsewhere does not compile.
///
/// ```swift
/// extension Injector {
///   var screen: MainActorProvider<Screen> {
///     provide(.lazySingleton { @MainActor in Screen() })
///   }
/// }
///
/// @MainActor func show() { let screen = services.screen() }
/// ```
///
/// Elsewhere, `try await services.screen.load()` makes the service on the main actor.
public struct MainActorProvider<Service: Sendable>: Sendable {
  let provider: Provider<Service>

  /// Returns the service, or traps with a diagnostic if it cannot be made.
  ///
  /// ``get(fileID:line:)`` throws the error instead.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, which the trap reports.
  ///   - line: The line of the call, which the trap reports.
  @MainActor
  public func callAsFunction(fileID: StaticString = #fileID, line: UInt = #line) -> Service {
    provider(fileID: fileID, line: line)
  }

  /// Gets the service: the shared instance or a new one, depending on the injection's lifetime.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance.
  /// - Throws: The error that prevented the instance from being made; ``InjectorError/closed(_:)``.
  @MainActor
  public func get(fileID: StaticString = #fileID, line: UInt = #line) throws(InjectorError) -> Service {
    try provider.get(fileID: fileID, line: line)
  }

  /// Gets the service from any actor, and makes it on the main actor.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance.
  /// - Throws: The errors of ``Injector/load(_:tag:fileID:line:)``.
  public func load(fileID: StaticString = #fileID, line: UInt = #line) async throws(InjectorError) -> Service {
    try await provider.load(fileID: fileID, line: line)
  }

  /// Replaces the declared injection with another one, and releases existing instances.
  ///
  /// See ``Provider/override(_:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - injection: How an instance is made, and how long it lives.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  public func override(
    _ injection: Injection<Service>, fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) {
    try provider.override(injection, fileID: fileID, line: line)
  }

  /// Restores the declared injection, and releases existing instances.
  ///
  /// See ``Provider/reset()``.
  public func reset() throws(InjectorError) {
    try provider.reset()
  }

  /// Decorates every instance that the provider returns.
  ///
  /// See ``Provider/decorate(id:fileID:line:_:)``, which has the same parameters and errors.
  public func decorate(
    id: String? = nil, fileID: String = #fileID, line: Int = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Service
  ) throws(InjectorError) {
    try provider.decorate(id: id, fileID: fileID, line: line, wrap)
  }
}

extension Injector {
  /// Declares a provider. Call it in the getter of a property of ``Injector``.
  ///
  /// ```swift
  /// extension Injector {
  ///   var api: Provider<any API> { provide(.lazySingleton { LiveAPI() }) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - injection: How an instance is made, and how long it lives. It is evaluated when the provider is first used.
  ///   - name: The name of the property. Together with the source location and the service's type it identifies the
  ///     provider.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  /// - Returns: The provider.
  @inlinable
  public func provide<Service: Sendable>(
    _ injection: @autoclosure @escaping @Sendable () -> Injection<Service>, name: StaticString = #function,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Provider<Service> {
    Provider(self, .at(fileID, line, name), injection)
  }

  /// Declares a provider of a lazy singleton made by a closure.
  ///
  /// ```swift
  /// extension Injector {
  ///   var clock: Provider<any Clock> { provide { SystemClock() } }
  /// }
  /// ```
  ///
  /// - Returns: The provider.
  public func provide<Service: Sendable>(
    name: StaticString = #function, fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) -> Provider<Service> {
    provide(.lazySingleton(make), name: name, fileID: fileID, line: line)
  }

  /// Declares a provider of a lazy singleton made from other services.
  ///
  /// - Returns: The provider.
  public func provide<Service: Sendable>(
    name: StaticString = #function, fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) -> Provider<Service> {
    provide(.lazySingleton(make), name: name, fileID: fileID, line: line)
  }

  /// Declares a provider of a service that is made on the main actor.
  ///
  /// See ``MainActorProvider`` for an example.
  ///
  /// - Parameters:
  ///   - injection: How an instance is made, and how long it lives. It is evaluated when the provider is first used.
  ///   - name: The name of the property. Together with the source location and the service's type it identifies the
  ///     provider.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  /// - Returns: The provider.
  public func provide<Service: Sendable>(
    _ injection: @autoclosure @escaping @Sendable () -> Injection<Service>, name: StaticString = #function,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> MainActorProvider<Service> {
    MainActorProvider(provider: provide(injection(), name: name, fileID: fileID, line: line))
  }
}
