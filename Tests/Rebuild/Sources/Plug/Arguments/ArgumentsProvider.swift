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
  @usableFromInline let injector: Injector
  @usableFromInline let name: ProviderName
  let make: Make
  private let lifetime: ArgumentsLifetime<First, repeat each Rest>

  typealias Make = @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service

  init(
    _ injector: Injector, _ name: ProviderName, _ make: @escaping Make,
    _ lifetime: ArgumentsLifetime<First, repeat each Rest>
  ) {
    self.injector = injector
    self.name = name
    self.make = make
    self.lifetime = lifetime
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
  public func callAsFunction(
    _ first: First, _ rest: repeat each Rest, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Service {
    do throws(InjectorError) {
      return try get(first, repeat each rest, fileID: fileID, line: line)
    } catch {
      injector.trapAsking(name, "(…)", error, fileID, line)
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
  /// - Throws: What went wrong while the instance was made; ``InjectorError/closed(_:)``.
  public func get(
    _ first: First, _ rest: repeat each Rest, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Service {
    let injector = injector.redirected(fileID, line) ?? injector
    do throws(InjectorError) {
      return try Layers.answering(Request(key), by: injector) { () throws(InjectorError) in
        while true {
          let cell = try injector.declared(key) { registration(make, depth: 0, name.location) }
          if let box = try injector.box(of: cell, as: Service.self, with: first, repeat each rest) {
            return box.open()
          }
        }
      }
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  /// Decorates every instance the provider returns.
  ///
  /// See ``Provider/decorate(id:fileID:line:_:)``, which has the same parameters and errors.
  public func decorate(
    id: String? = nil, fileID: String = #fileID, line: Int = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Service
  ) throws(InjectorError) {
    try injector.decorate(key, calledAs: key, id: id, at: CodeLocation(fileID: fileID, line: line), wrap)
  }

  /// Replaces the declared closure with another one, and releases existing instances.
  ///
  /// Instances are kept for as long as the provider declares. In a scope, the closure is replaced for that scope only.
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
    let injector = injector.redirectedForSetUp(at: CodeLocation(fileID: fileID, line: line)) ?? injector
    let new = registration(make, depth: injector.depth, CodeLocation(fileID: fileID, line: line))
    try injector.override(new)
  }

  /// Restores the declared closure, and releases existing instances.
  ///
  /// - Throws: ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``.
  public func reset() throws(InjectorError) {
    try (injector.redirected() ?? injector).restore(key)
  }

  package var key: Key { Key(ArgumentsProviderKey<Service, First, repeat each Rest>.self, name.tag) }

  func registration(_ make: @escaping Make, depth: Int32, _ location: CodeLocation) -> Registration {
    Maker.registration(key, make, lifetime, depth: depth, location)
  }
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
  ///   - make: Makes an instance from the arguments and the injector that was asked.
  /// - Returns: The provider.
  public func provide<Service: Sendable, First: Sendable, each Rest: Sendable>(
    lifetime: ArgumentsLifetime<First, repeat each Rest> = .factory, name: StaticString = #function,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) -> ArgumentsProvider<Service, First, repeat each Rest> {
    ArgumentsProvider(self, .at(fileID, line, name), make, lifetime)
  }
}
