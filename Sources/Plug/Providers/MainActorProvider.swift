/// A ``Provider`` of a service that is made on the main actor: calling it elsewhere does not compile.
///
/// ```swift
/// nonisolated extension Injector {
///   var screen: MainActorProvider<Screen> {
///     provide(.lazySingleton { @MainActor in Screen() })
///   }
///   var page: MainActorProvider<Page, UserID> {
///     provide { id, injector in
///       Page(id, store: try injector.get())
///     }
///   }
/// }
///
/// @MainActor func show() { let screen = services.screen() }
/// ```
///
/// Elsewhere, `try await services.screen.load()` and `await services.page(id)` make the service on the main actor.
public struct MainActorProvider<Service: Sendable, each Argument: Sendable>: Sendable {
  /// The provider without the check, with which you override and decorate the service.
  ///
  /// ```swift
  /// try services.screen.provider.override(.singleton(Screen()))
  /// ```
  ///
  /// Off the main actor, a call of it throws or traps with ``InjectorError/mainActorRequired(_:)`` until the instance
  /// exists.
  public let provider: Provider<Service, repeat each Argument>

  @inlinable
  init(_ provider: Provider<Service, repeat each Argument>) { self.provider = provider }

  /// Returns the service, or traps with a diagnostic if it cannot be made.
  ///
  /// - Parameters:
  ///   - arguments: The arguments that the service is made from, if the provider declares any.
  ///   - fileID: The file of the call, which the trap reports.
  ///   - line: The line of the call, which the trap reports.
  /// - Returns: The shared instance or a new one, depending on the lifetime.
  @inlinable
  @MainActor
  public func callAsFunction(
    _ arguments: repeat each Argument, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Service { provider(repeat each arguments, fileID: fileID, line: line) }

  /// Gets the service. See ``Provider/get(_:fileID:line:)``.
  @inlinable
  @MainActor
  public func get(
    _ arguments: repeat each Argument, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Service { try provider.get(repeat each arguments, fileID: fileID, line: line) }

  /// Gets the service from any actor, and makes it on the main actor. See ``Provider/load(_:fileID:line:)``.
  public func load(
    _ arguments: repeat each Argument, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws(InjectorError) -> Service {
    try await provider.load(repeat each arguments, fileID: fileID, line: line)
  }
}

extension Injector {
  /// Declares a provider of a service that is made on the main actor.
  @_documentation(visibility: internal) @inlinable
  public func provide<Service: Sendable>(
    _ injection: @autoclosure @escaping @Sendable () -> Injection<Service>, name: StaticString = #function,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> MainActorProvider<Service> {
    MainActorProvider(Provider(self, .at(fileID, line, column, name)) { injection().definition })
  }

  /// Declares a provider of a service that is made on the main actor from arguments.
  @_documentation(visibility: internal) @inlinable
  public func provide<Service: Sendable, First: Sendable, each Rest: Sendable>(
    lifetime: ArgumentsLifetime<First, repeat each Rest> = .factory, name: StaticString = #function,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ make: @escaping @MainActor @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) -> MainActorProvider<Service, First, repeat each Rest> {
    MainActorProvider(Provider(self, .at(fileID, line, column, name)) { Definition(lifetime, make) })
  }
}
