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
  @usableFromInline let make: Make
  private let lifetime: ArgumentsLifetime<First, repeat each Rest>

  @usableFromInline typealias Entry = ArgumentsEntry<Service, First, repeat each Rest>
  @usableFromInline
  typealias Make = @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service

  @usableFromInline
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
  @inlinable
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
  @inlinable
  public func get(
    _ first: First, _ rest: repeat each Rest, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Service {
    let key = ArgumentsProviderKey<Service, First, repeat each Rest>.self
    do throws(InjectorError) {
      if let entry = injector.registrations.entry(key, name) {
        return try entry.instance(first, repeat each rest, for: injector)
      }
      return try injector.withActiveInjector(ServiceKey(key, name.tag), fileID, line) {
        injector throws(InjectorError) in
        let entry = if let known = try injector.lookUp(key, name.tag) { known } else { try add(to: injector) }
        return try entry.instance(first, repeat each rest, for: injector)
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
    try injector.decorate(
      ServiceKey(Service.self, name.tag),
      calledAs: ServiceKey(ArgumentsProviderKey<Service, First, repeat each Rest>.self, name.tag), id: id,
      at: CodeLocation(fileID: fileID, line: line), wrap)
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
    let entry = makeEntry(make, CodeLocation(fileID: fileID, line: line))
    let injector = injector.isolatedForSetUp(at: entry.location)
    try injector.check(entry)
    try injector.replace(ArgumentsProviderKey<Service, First, repeat each Rest>.self, tag: name.tag, by: entry)
  }

  /// Restores the declared closure, and releases existing instances.
  ///
  /// - Throws: ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``.
  public func reset() throws(InjectorError) {
    try injector.isolated().replace(
      ArgumentsProviderKey<Service, First, repeat each Rest>.self, tag: name.tag, by: nil)
  }

  /// Returns the provider of the calling test's private copy.
  ///
  /// - Throws: ``InjectorError/notIsolated(_:)`` if the caller runs in no isolated test.
  package func isolatedForChange() throws(InjectorError) -> Self {
    let key = ArgumentsProviderKey<Service, First, repeat each Rest>.self
    return Self(try injector.isolatedForChange(of: key, tag: name.tag), name, make, lifetime)
  }

  @usableFromInline
  func add(to injector: Injector) throws(InjectorError) -> Entry {
    let key = ArgumentsProviderKey<Service, First, repeat each Rest>.self
    let fresh = makeEntry(make, name.location)
    try injector.check(fresh)
    guard let entry = injector.root.registrations.ensure(key, fresh) else {
      throw injector.closed(ServiceKey(key, name.tag))
    }
    return entry
  }

  private func makeEntry(_ make: @escaping Make, _ location: CodeLocation) -> Entry {
    let declaration = Declaration(
      ArgumentsProviderKey<Service, First, repeat each Rest>.self, tag: name.tag, location: location)
    return Entry(make, lifetime, declaration: declaration)
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
  @inlinable
  public func provide<Service: Sendable, First: Sendable, each Rest: Sendable>(
    lifetime: ArgumentsLifetime<First, repeat each Rest> = .factory, name: StaticString = #function,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) -> ArgumentsProvider<Service, First, repeat each Rest> {
    ArgumentsProvider(self, .at(fileID, line, name), make, lifetime)
  }
}
