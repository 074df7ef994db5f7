/// A registration that is declared as a property of ``Injector``: if it does not exist, the code does not compile.
///
/// ```swift
/// extension Injector {
///   var api: Provider<any API> { provide(.lazySingleton { LiveAPI(base: $0[BaseURL.self]) }) }
/// }
///
/// let api = services.api()
/// struct Screen { @Injected(\.api) var api }
/// ```
///
/// Each injector makes its own instances, as the ``Injection`` says; a scope shares those of the injector that it was
/// opened in. From its first use on, a provider takes part in ``Injector/validate()`` and ``Injector/graph()``, under
/// the name `\.api`. It can be used in a sealed injector, but not overridden there.
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

  /// Gives the service; if it cannot be made, the program ends with the diagnosis. ``get(fileID:line:)`` throws that.
  @inlinable
  public func callAsFunction(fileID: StaticString = #fileID, line: UInt = #line) -> Service {
    do throws(InjectorError) {
      return try get(fileID: fileID, line: line)
    } catch {
      injector.trapAsking(name, "()", error, fileID, line)
    }
  }

  /// Gets the service: the shared instance or a new one, as the injection says.
  ///
  /// - Throws: What went wrong while the instance was made; ``InjectorError/closed(_:)``.
  @inlinable
  public func get(fileID: StaticString = #fileID, line: UInt = #line) throws(InjectorError) -> Service {
    do throws(InjectorError) {
      if injector.registrations.instrumentation.isActive { return try getOnSlowPath(fileID, line) }
      return try injector.registrations.get(Service.self, name, for: injector) { () throws(InjectorError) in
        try getOnSlowPath(fileID, line)
      }
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  @usableFromInline
  func getOnSlowPath(_ fileID: StaticString, _ line: UInt) throws(InjectorError) -> Service {
    try injector.get(ProviderKey<Service>.self, tag: name.tag, fileID, line) { makeCell(injection(), name.location) }
  }

  /// Gets the service, and makes before that whatever has to be made asynchronously, see
  /// ``Injector/load(_:tag:fileID:line:)``.
  public func load(fileID: StaticString = #fileID, line: UInt = #line) async throws(InjectorError) -> Service {
    try await injector.loading(ProviderKey<Service>.self, name.tag, fileID, line) { injector throws(InjectorError) in
      try injector.get(ProviderKey<Service>.self, tag: name.tag) { makeCell(injection(), name.location) }
    }
  }

  /// Makes the injector use another injection in place of the declared one. Instances that exist are given up.
  ///
  /// In a scope it is replaced for that scope only.
  ///
  /// - Throws: ``InjectorError/sealed(_:)``, ``InjectorError/actorUnsupported(_:actor:)``,
  ///   ``InjectorError/lifetimeUnsupported(_:lifetime:reason:)``, ``InjectorError/closed(_:)``. Nothing has changed then.
  public func override(
    _ injection: Injection<Service>, fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) {
    let cell = makeCell(injection, CodeLocation(fileID: fileID, line: line))
    let injector = injector.isolatedForSetUp(at: cell.declaration.location)
    try injector.check(cell)
    try injector.replace(ProviderKey<Service>.self, tag: name.tag, by: cell)
  }

  /// Goes back to the declared injection. Instances that exist are given up.
  ///
  /// - Throws: ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``.
  public func reset() throws(InjectorError) {
    try injector.isolated().replace(ProviderKey<Service>.self, tag: name.tag, by: nil)
  }

  /// Wraps every instance that the provider gives, see ``Injector/decorate(_:tag:id:fileID:line:_:)``.
  ///
  /// ```swift
  /// try services.api.decorate(id: "logging") { inner, injector in
  ///   LoggingAPI(inner, log: try injector.get())
  /// }
  /// ```
  ///
  /// Do it before the provider is first used. An injection that takes the place of the declared one is wrapped, too, but
  /// for that of an isolated test.
  ///
  /// - Throws: ``InjectorError/instanceExists(_:)`` if an instance is in use that is not wrapped,
  ///   ``InjectorError/actorUnsupported(_:actor:)``, ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``. Nothing
  ///   has changed then.
  public func decorate(
    id: String? = nil, fileID: String = #fileID, line: Int = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Service
  ) throws(InjectorError) {
    let key = ServiceKey(ProviderKey<Service>.self, name.tag)
    try injector.decorate(key, calledAs: key, id: id, at: CodeLocation(fileID: fileID, line: line), wrap)
  }

  /// The same of the private copy.
  ///
  /// - Throws: ``InjectorError/notIsolated(_:)`` if no test is isolated.
  package func isolatedForChange() throws(InjectorError) -> Self {
    Self(try injector.isolatedForChange(of: ProviderKey<Service>.self, tag: name.tag), name, injection)
  }

  private func makeCell(_ injection: Injection<Service>, _ location: CodeLocation) -> Cell<Service> {
    injection.makeCell(Declaration(ProviderKey<Service>.self, tag: name.tag, location: location))
  }
}

extension Injector {
  /// Declares a provider, see ``Provider``.
  ///
  /// - Parameters:
  ///   - injection: How an instance is made, and how long it lives. It is asked for when the provider is first used.
  ///   - name: The name of the property. Together with the place and the service's type it tells providers apart.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  @inlinable
  public func provide<Service: Sendable>(
    _ injection: @autoclosure @escaping @Sendable () -> Injection<Service>, name: StaticString = #function,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Provider<Service> {
    Provider(self, .at(fileID, line, name), injection)
  }

  /// Declares a provider of a main-actor service, see ``MainActorProvider``.
  @inlinable
  public func provide<Service: Sendable>(
    _ injection: @autoclosure @escaping @Sendable () -> Injection<Service>, name: StaticString = #function,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> MainActorProvider<Service> {
    MainActorProvider(provide(injection(), name: name, fileID: fileID, line: line))
  }
}
