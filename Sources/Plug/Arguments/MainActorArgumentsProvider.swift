/// An ``ArgumentsProvider`` of a service that is made on the main actor: calling it elsewhere does not compile.
///
/// ```swift
/// extension Injector {
///   var page: MainActorArgumentsProvider<Page, UserID> {
///     provide { id, injector in
///       Page(id, store: try injector.get())
///     }
///   }
/// }
///
/// @MainActor func show(_ id: UserID) { let page = services.page(id) }
/// ```
///
/// Elsewhere, `await services.page(id)` makes the service on the main actor.
public struct MainActorArgumentsProvider<Service: Sendable, First: Sendable, each Rest: Sendable>: Sendable {
  let provider: ArgumentsProvider<Service, First, repeat each Rest>

  init(_ provider: ArgumentsProvider<Service, First, repeat each Rest>) {
    self.provider = provider
  }

  /// Returns the service for some arguments, or traps with a diagnostic if it cannot be made.
  ///
  /// ``get(_:_:fileID:line:)`` throws the error instead.
  ///
  /// - Parameters:
  ///   - first: The first argument.
  ///   - rest: The other arguments.
  ///   - fileID: The file of the call, which the trap reports.
  ///   - line: The line of the call, which the trap reports.
  /// - Returns: A new instance, or the one kept for equal arguments.
  @MainActor
  public func callAsFunction(
    _ first: First, _ rest: repeat each Rest, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Service {
    provider(first, repeat each rest, fileID: fileID, line: line)
  }

  /// Gets the service for some arguments.
  ///
  /// - Parameters:
  ///   - first: The first argument.
  ///   - rest: The other arguments.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: A new instance, or the one kept for equal arguments.
  /// - Throws: What went wrong while the instance was made; ``InjectorError/closed(_:)``.
  @MainActor
  public func get(
    _ first: First, _ rest: repeat each Rest, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Service {
    try provider.get(first, repeat each rest, fileID: fileID, line: line)
  }

  /// Replaces the declared closure with another one, and releases existing instances.
  ///
  /// See ``ArgumentsProvider/override(fileID:line:_:)``.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes an instance from the arguments and the injector.
  public func override(
    fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @MainActor @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) {
    try provider.override(fileID: fileID, line: line, make)
  }

  /// Restores the declared closure, and releases existing instances.
  ///
  /// See ``ArgumentsProvider/reset()``.
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

extension Injector {
  /// Declares a provider of a service that is made on the main actor from arguments.
  ///
  /// See ``MainActorArgumentsProvider`` for an example.
  ///
  /// - Parameters:
  ///   - lifetime: Whether each request makes a new instance, or equal arguments share one.
  ///   - name: The name of the property, which together with the source location identifies the provider.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - make: Makes an instance from the arguments and the injector that was asked.
  /// - Returns: The provider.
  public func provide<Service: Sendable, First: Sendable, each Rest: Sendable>(
    lifetime: ArgumentsLifetime<First, repeat each Rest> = .factory, name: StaticString = #function,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @MainActor @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) -> MainActorArgumentsProvider<Service, First, repeat each Rest> {
    MainActorArgumentsProvider(provide(lifetime: lifetime, name: name, fileID: fileID, line: line, make))
  }
}
