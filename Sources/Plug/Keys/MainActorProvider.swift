/// A ``Provider`` of a service that is made on the main actor: a use elsewhere does not compile.
///
/// ```swift
/// extension Injector {
///   var screen: MainActorProvider<Screen> { provide(.lazySingleton { @MainActor in Screen() }) }
/// }
/// ```
public struct MainActorProvider<Service: Sendable>: Sendable {
  let provider: Provider<Service>

  @usableFromInline
  init(_ provider: Provider<Service>) {
    self.provider = provider
  }

  /// Gives the service; if it cannot be made, the program ends with the diagnosis. ``get(fileID:line:)`` throws that.
  @MainActor
  public func callAsFunction(fileID: StaticString = #fileID, line: UInt = #line) -> Service {
    provider(fileID: fileID, line: line)
  }

  /// Gets the service: the shared instance or a new one, as the injection says.
  ///
  /// - Throws: What went wrong while the instance was made; ``InjectorError/closed(_:)``.
  @MainActor
  public func get(fileID: StaticString = #fileID, line: UInt = #line) throws(InjectorError) -> Service {
    try provider.get(fileID: fileID, line: line)
  }

  /// Gets the service, from anywhere: what is made on the main actor is made there. See
  /// ``Injector/load(_:tag:fileID:line:)``.
  public func load(fileID: StaticString = #fileID, line: UInt = #line) async throws(InjectorError) -> Service {
    try await provider.load(fileID: fileID, line: line)
  }

  /// Makes the injector use another injection in place of the declared one, see ``Provider/override(_:fileID:line:)``.
  public func override(
    _ injection: Injection<Service>, fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) {
    try provider.override(injection, fileID: fileID, line: line)
  }

  /// Goes back to the declared injection, see ``Provider/reset()``.
  public func reset() throws(InjectorError) {
    try provider.reset()
  }

  /// Wraps every instance that the provider gives, see ``Provider/decorate(id:fileID:line:_:)``.
  public func decorate(
    id: String? = nil, fileID: String = #fileID, line: Int = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Service
  ) throws(InjectorError) {
    try provider.decorate(id: id, fileID: fileID, line: line, wrap)
  }
}
