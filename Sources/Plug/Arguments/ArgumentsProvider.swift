/// A ``Provider`` of a service that is made from arguments: the compiler checks their number and types.
///
/// ```swift
/// extension Injector {
///   var detail: ArgumentsProvider<Detail, UserID, Locale> {
///     provide { id, locale, injector in
///       try Detail(id, locale, store: injector.get())
///     }
///   }
/// }
///
/// let detail = services.detail(id, locale)
/// ```
///
/// By default each request makes a new instance. Declare the provider with `lifetime:` to keep one instance for equal
/// arguments; see ``ArgumentsLifetime``.
public struct ArgumentsProvider<Service: Sendable, First: Sendable, each Rest: Sendable>: Sendable {
  typealias Make = @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service

  let injector: Injector
  let name: ProviderName
  let lifetime: ArgumentsLifetime<First, repeat each Rest>
  let make: Make

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
  public func callAsFunction(
    _ first: First, _ rest: repeat each Rest, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Service {
    orTrap(name.failure(of: "(…)", injector), fileID, line) { () throws(InjectorError) in
      try get(first, repeat each rest, fileID: fileID, line: line)
    }
  }

  /// Gets the service for some arguments.
  ///
  /// - Parameters:
  ///   - first: The first argument.
  ///   - rest: The other arguments.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: A new instance, or the one kept for equal arguments.
  /// - Throws: The error that prevented the instance from being made; ``InjectorError/closed(_:)``.
  public func get(
    _ first: First, _ rest: repeat each Rest, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Service {
    let arguments = Box((first, repeat each rest))
    return try injector.provide(key, with: arguments, fileID, line) { declared }.open()
  }

  private var declared: Registration {
    Registration(key, Definition(lifetime, make), depth: 0, location: name.location)
  }

  /// Decorates every instance that the provider returns.
  ///
  /// See ``Provider/decorate(id:fileID:line:_:)``, which has the same parameters and errors.
  public func decorate(
    id: String? = nil, fileID: String = #fileID, line: Int = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Service
  ) throws(InjectorError) {
    try injector.decorate(key, id: id, at: CodeLocation(fileID: fileID, line: line), declare: { declared }, wrap)
  }

  /// Replaces the declared closure with another one, and releases existing instances.
  ///
  /// The declared lifetime still applies. In a scope, the override affects that scope only.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes an instance from the arguments and the injector.
  /// - Throws: ``InjectorError/sealed(_:)``, ``InjectorError/actorUnsupported(_:actor:)``,
  ///   ``InjectorError/closed(_:)``. An override that throws changes nothing.
  public func override(
    fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) {
    try injector.replace(key, by: Definition(lifetime, make), at: CodeLocation(fileID: fileID, line: line))
  }

  /// Restores the declared closure, and releases existing instances.
  ///
  /// - Throws: ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``.
  public func reset() throws(InjectorError) {
    try (injector.redirected() ?? injector).restore(key) { declared }
  }

  package var key: Key { Key(ArgumentsProviderKey<Service, First, repeat each Rest>.self, name.tag) }
}

/// The key type of a provider that takes arguments. The tag has the location of its declaration and its name.
struct ArgumentsProviderKey<Service: Sendable, each Argument: Sendable>: TypedKey, TakingArguments {
  static func key(for service: Key) -> Key { service }
  static func box(from values: [any Sendable]) throws(MissingArgument) -> AnyBox {
    Box((repeat try MissingArgument.find((each Argument).self, in: values)))
  }
  static func name(tag: String?) -> String { ProviderKey<Service>.name(tag: tag) }
  static func expression(tag: String?) -> String { ProviderKey<Service>.expression(tag: tag).dropLast() + "…)" }
}

extension Injector {
  /// Declares a provider of a service that is made from arguments.
  ///
  /// ```swift
  /// extension Injector {
  ///   var detail: ArgumentsProvider<Detail, UserID> {
  ///     provide(lifetime: .scoped) { id, injector in
  ///       try Detail(id, store: injector.get())
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - lifetime: Whether each request makes a new instance, or equal arguments share one.
  ///   - name: The name of the property, which together with the source location identifies the provider.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - make: Makes an instance from the arguments and the injector that received the request.
  /// - Returns: The provider.
  public func provide<Service: Sendable, First: Sendable, each Rest: Sendable>(
    lifetime: ArgumentsLifetime<First, repeat each Rest> = .factory, name: StaticString = #function,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) -> ArgumentsProvider<Service, First, repeat each Rest> {
    ArgumentsProvider(injector: self, name: .at(fileID, line, name), lifetime: lifetime, make: make)
  }
}

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
  /// - Throws: The error that prevented the instance from being made; ``InjectorError/closed(_:)``.
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
  /// Declares a provider of a service that is made on the main actor from arguments.
  ///
  /// See ``MainActorArgumentsProvider`` for an example.
  ///
  /// - Parameters:
  ///   - lifetime: Whether each request makes a new instance, or equal arguments share one.
  ///   - name: The name of the property, which together with the source location identifies the provider.
  ///   - fileID: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - make: Makes an instance from the arguments and the injector that received the request.
  /// - Returns: The provider.
  public func provide<Service: Sendable, First: Sendable, each Rest: Sendable>(
    lifetime: ArgumentsLifetime<First, repeat each Rest> = .factory, name: StaticString = #function,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @MainActor @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) -> MainActorArgumentsProvider<Service, First, repeat each Rest> {
    MainActorArgumentsProvider(provider: provide(lifetime: lifetime, name: name, fileID: fileID, line: line, make))
  }
}

// Unavailable overloads, with which the compiler explains a likely mistake. `Tests/Refused` shows each one.

@available(*, unavailable, message: "pass the arguments that the provider is declared with, in number and type")
extension ArgumentsProvider {
  /// Refuses arguments of another number or of other types.
  public func callAsFunction<each Argument>(_ first: First, _ rest: repeat each Argument) -> Service { fatalError() }

  /// Refuses arguments of another number or of other types.
  public func get<each Argument>(
    _ first: First, _ rest: repeat each Argument
  ) throws(InjectorError) -> Service { fatalError() }
}
