/// A registration that is declared as a property of ``Injector``, so that a request for a missing one does not compile.
///
/// ```swift
/// nonisolated extension Injector {
///   var api: Provider<any API> {
///     provide(.lazySingleton { LiveAPI(base: $0[BaseURL.self]) })
///   }
///   var detail: Provider<Detail, UserID, Locale> {
///     provide { id, locale, injector in
///       try Detail(id, locale, store: injector.get())
///     }
///   }
/// }
///
/// let api = services.api()
/// let detail = services.detail(id, locale)
/// struct Screen { @Injected(\.api) var api }
/// ```
///
/// Each injector makes its own instances, with the lifetime of the ``Injection`` or the ``ArgumentsLifetime``. A scope
/// shares the instances of its parent. The compiler checks the number and the types of arguments.
///
/// After its first use, validation and graphs include a provider under its name, `\.api`. It can be used but not
/// overridden in a sealed injector. A test overrides it with `override(_:_:)` from the PlugTesting product.
public struct Provider<Service: Sendable, each Argument: Sendable>: Sendable {
  @usableFromInline let injector: Injector
  @usableFromInline let name: ProviderName
  @usableFromInline let define: @Sendable () -> Definition

  @inlinable
  init(_ injector: Injector, _ name: ProviderName, _ define: @escaping @Sendable () -> Definition) {
    (self.injector, self.name, self.define) = (injector, name, define)
  }

  /// Returns the service, or traps with a diagnostic if it cannot be made.
  ///
  /// ```swift
  /// let api = services.api()
  /// ```
  ///
  /// ``get(_:fileID:line:)`` throws the error instead.
  ///
  /// - Parameters:
  ///   - arguments: The arguments that the service is made from, if the provider declares any.
  ///   - fileID: The file of the call, which the trap reports.
  ///   - line: The line of the call, which the trap reports.
  /// - Returns: The shared instance or a new one, depending on the lifetime.
  @inlinable
  public func callAsFunction(
    _ arguments: repeat each Argument, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Service {
    do throws(InjectorError) {
      return try get(repeat each arguments, fileID: fileID, line: line)
    } catch {
      name.trap(ProviderKey<Service, repeat each Argument>.self, injector, error, fileID, line)
    }
  }

  /// Gets the service: the shared instance or a new one, depending on the lifetime.
  ///
  /// - Parameters:
  ///   - arguments: The arguments that the service is made from, if the provider declares any.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance.
  /// - Throws: The error that prevented the instance from being made; ``InjectorError/closed(_:)``.
  /// - Complexity: O(1) for an existing instance.
  @inlinable
  public func get(
    _ arguments: repeat each Argument, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Service {
    try injector.provide(
      ProviderKey<Service, repeat each Argument>.self, name, .boxed(repeat each arguments), fileID, line, define
    ).open()
  }

  /// Gets the service, and first loads all of its dependencies that are made asynchronously.
  ///
  /// - Parameters:
  ///   - arguments: The arguments that the service is made from, if the provider declares any.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance.
  /// - Throws: The errors of ``Injector/load(_:tag:fileID:line:)``.
  public func load(
    _ arguments: repeat each Argument, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws(InjectorError) -> Service {
    let arguments = AnyBox.boxed(repeat each arguments)
    return try await injector.loading(fileID, line) { [self] injector in
      try injector.provide(key.type, name, arguments, "", 0, define)
    }.open()
  }

  /// Replaces the declared injection with another one, and releases existing instances.
  ///
  /// ```swift
  /// try services.api.override(.singleton(RecordingAPI()))
  /// ```
  ///
  /// In a scope, the override affects that scope only. It ignores the arguments of a provider that declares any.
  ///
  /// - Parameters:
  ///   - injection: How an instance is made, and how long it lives.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: ``InjectorError/sealed(_:)``, ``InjectorError/actorUnsupported(_:actor:)``,
  ///   ``InjectorError/lifetimeUnsupported(_:lifetime:)``, ``InjectorError/closed(_:)``. An override that throws
  ///   changes nothing.
  public func override(
    _ injection: Injection<Service>, fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) {
    try injector.replace(key, by: injection.definition, at: CodeLocation(fileID: fileID, line: line))
  }

  /// Replaces the declared closure with another one, and releases existing instances.
  ///
  /// ```swift
  /// try services.detail.override { id, locale, _ in
  ///   Detail(id, locale, store: .sample)
  /// }
  /// ```
  ///
  /// The declared lifetime still applies. A closure without arguments makes a lazy singleton.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes an instance from the arguments and the injector.
  /// - Throws: The errors of ``override(_:fileID:line:)``.
  public func override(
    fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (repeat each Argument, Injector) throws -> Service
  ) throws(InjectorError) {
    try injector.replace(key, by: redefined(by: make), at: CodeLocation(fileID: fileID, line: line))
  }

  /// Replaces the declaration with a lazy singleton, whatever the arguments, and releases existing instances.
  ///
  /// ```swift
  /// try services.api.override { RecordingAPI() }
  /// ```
  ///
  /// - Throws: The errors of ``override(_:fileID:line:)``.
  @_documentation(visibility: internal)
  public func override(
    fileID: String = #fileID, line: Int = #line, _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) throws(InjectorError) { try override(.lazySingleton(make), fileID: fileID, line: line) }

  /// Restores the declaration, and releases existing instances.
  ///
  /// - Throws: ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``.
  public func reset() throws(InjectorError) {
    try injector.active.restore(key) { name.registration(key, define) }
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
    try injector.decorate(
      key, id: id, at: CodeLocation(fileID: fileID, line: line), declare: { name.registration(key, define) }, wrap)
  }

  package var key: Key { Key(ProviderKey<Service, repeat each Argument>.self, name.tag) }

  /// Gets the instance of a provider without arguments for a property.
  func box() throws(InjectorError) -> AnyBox { try injector.provide(key.type, name, nil, "", 0, define) }

  /// The declared definition with another closure.
  private func redefined(
    by make: @escaping @isolated(any) @Sendable (repeat each Argument, Injector) throws -> Service
  ) -> Definition {
    let declared = define()
    let (old, new) = (declared.recipe.extras?.values.maker, Maker(nil, make))
    if let old { return Definition(declared.lifetime, Maker(old.equality, make: new.make), on: make.isolation, nil) }
    let recipe = AnyRecipe({ try new.make(Box(()), $1) }, FactoryIsolation(make.isolation), .opaque, nil)
    return Definition(.lazySingleton, recipe)
  }
}
