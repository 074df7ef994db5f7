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

  @usableFromInline
  init(_ provider: Provider<Service>) {
    self.provider = provider
  }

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

  /// Gets the service: the shared instance or a new one, as the injection says.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance.
  /// - Throws: What went wrong while the instance was made; ``InjectorError/closed(_:)``.
  @MainActor
  public func get(fileID: StaticString = #fileID, line: UInt = #line) throws(InjectorError) -> Service {
    try provider.get(fileID: fileID, line: line)
  }

  /// Gets the service from anywhere, making it on the main actor.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance.
  /// - Throws: What ``Injector/load(_:tag:fileID:line:)`` throws.
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

  /// Decorates every instance the provider returns.
  ///
  /// See ``Provider/decorate(id:fileID:line:_:)``, which has the same parameters and errors.
  public func decorate(
    id: String? = nil, fileID: String = #fileID, line: Int = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Service
  ) throws(InjectorError) {
    try provider.decorate(id: id, fileID: fileID, line: line, wrap)
  }
}
