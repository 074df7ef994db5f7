public import Plug
import PlugIsolation

extension Injector {
  /// Overrides all registrations of a service in an isolated test.
  ///
  /// ```swift
  /// try services.override((any Payments).self, .singleton(FakePayments()))
  /// ```
  ///
  /// The override applies in every context, and is not decorated. The injector may be sealed, and the service need not
  /// be registered.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the injection.
  ///   - tag: The tag of the service.
  ///   - injection: How an instance is made, and how long it lives.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: `InjectorError.notIsolated(_:)` outside an isolated test, `InjectorError.closed(_:)`,
  ///   `InjectorError.actorUnsupported(_:actor:)`, `InjectorError.lifetimeUnsupported(_:lifetime:)`.
  public func override<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, _ injection: Injection<Service>, fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) {
    try override(Key(type, tag), by: injection, at: CodeLocation(fileID: fileID, line: line))
  }

  /// Overrides all registrations of a service in an isolated test with a lazy singleton.
  ///
  /// ```swift
  /// try services.override((any Payments).self) { FakePayments() }
  /// ```
  ///
  /// - Throws: The errors of ``override(_:tag:_:fileID:line:)``.
  public func override<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) throws(InjectorError) {
    try override(type, tag: tag, .lazySingleton(make), fileID: fileID, line: line)
  }

  /// Overrides all registrations of a service in an isolated test with a lazy singleton made from other services.
  ///
  /// - Throws: The errors of ``override(_:tag:_:fileID:line:)``.
  @_documentation(visibility: internal)
  public func override<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) throws(InjectorError) {
    try override(type, tag: tag, .lazySingleton(make), fileID: fileID, line: line)
  }

  /// Overrides the registration of a service that is made from arguments in an isolated test.
  ///
  /// ```swift
  /// try services.override(Detail.self, taking: UserID.self) { id, _ in
  ///   FakeDetail(id)
  /// }
  /// ```
  ///
  /// To override a provider, pass its key path instead.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the closure.
  ///   - tag: The tag of the service.
  ///   - first: The type of the first argument.
  ///   - rest: The types of the other arguments.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes an instance from the arguments and the injector.
  /// - Throws: `InjectorError.notRegistered(_:)` or `InjectorError.argumentsMismatch(_:expected:found:)` if nothing is
  ///   registered for these arguments; `InjectorError.notIsolated(_:)` outside an isolated test;
  ///   `InjectorError.closed(_:)`, `InjectorError.actorUnsupported(_:actor:)`.
  public func override<Service: Sendable, First: Sendable, each Rest: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, taking first: First.Type, _ rest: repeat (each Rest).Type,
    fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) {
    let location = CodeLocation(fileID: fileID, line: line)
    let key = Key.taking(first, repeat each rest, for: type, tag)
    try override(key, taking: first, repeat each rest, at: location, by: make)
  }

  /// Overrides a provider in an isolated test, even if the injector is sealed.
  ///
  /// ```swift
  /// try services.override(\.api, .singleton(FakeAPI()))
  /// ```
  ///
  /// - Parameters:
  ///   - provider: The key path of the provider.
  ///   - injection: How an instance is made, and how long it lives.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: `InjectorError.notIsolated(_:)` outside an isolated test, `InjectorError.closed(_:)`,
  ///   `InjectorError.actorUnsupported(_:actor:)`, `InjectorError.lifetimeUnsupported(_:lifetime:)`.
  public func override<Service: Sendable>(
    _ provider: KeyPath<Injector, Provider<Service>>, _ injection: Injection<Service>, fileID: String = #fileID,
    line: Int = #line
  ) throws(InjectorError) {
    try override(self[keyPath: provider].key, by: injection, at: CodeLocation(fileID: fileID, line: line))
  }

  /// Overrides a provider in an isolated test with a lazy singleton, even if the injector is sealed.
  ///
  /// ```swift
  /// try services.override(\.api) { FakeAPI() }
  /// ```
  ///
  /// - Throws: The errors of ``override(_:_:fileID:line:)``.
  @_documentation(visibility: internal)
  public func override<Service: Sendable>(
    _ provider: KeyPath<Injector, Provider<Service>>, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) throws(InjectorError) {
    try override(provider, .lazySingleton(make), fileID: fileID, line: line)
  }

  /// Overrides a provider with arguments in an isolated test, even if the injector is sealed.
  ///
  /// ```swift
  /// try services.override(\.detail) { id, _ in FakeDetail(id) }
  /// ```
  ///
  /// The declared lifetime still applies.
  ///
  /// - Parameters:
  ///   - provider: The key path of the provider.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes an instance from the arguments and the injector.
  /// - Throws: `InjectorError.notIsolated(_:)` outside an isolated test, `InjectorError.closed(_:)`,
  ///   `InjectorError.actorUnsupported(_:actor:)`.
  public func override<Service: Sendable, First: Sendable, each Rest: Sendable>(
    _ provider: KeyPath<Injector, Provider<Service, First, repeat each Rest>>,
    fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) {
    let copy = try isolatedForChange(of: self[keyPath: provider].key)
    try copy[keyPath: provider].override(fileID: fileID, line: line, make)
  }

  /// Forces a candidate to win in every context of an isolated test, regardless of its rule and the rules of its
  /// points.
  ///
  /// ```swift
  /// try services.force("semantic", at: "search")
  /// ```
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate; `"default"` for the registration without a rule.
  ///   - point: The id of a plugin point that contains the candidate, or the name of the service: `"Client"`, with its
  ///     tag: `"Client (tag \"fast\")"`, or with its module: `"Shop.Client"`.
  /// - Throws: `InjectorError.notRegistered(_:)` if there is no such candidate, and with all services that are meant if
  ///   there are several; `InjectorError.notIsolated(_:)` outside an isolated test.
  public func force(_ candidate: String, at point: String) throws(InjectorError) {
    try Verdicts.add(.forced, on: candidate, at: point, in: self)
  }

  /// Disables a candidate in every context of an isolated test.
  ///
  /// ```swift
  /// try services.disable("semantic", at: "search")
  /// ```
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate; `"default"` for the registration without a rule.
  ///   - point: The id of a plugin point that contains the candidate, or the name of the service: `"Client"`, with its
  ///     tag: `"Client (tag \"fast\")"`, or with its module: `"Shop.Client"`.
  /// - Throws: `InjectorError.notRegistered(_:)` if there is no such candidate, and with all services that are meant if
  ///   there are several; `InjectorError.notIsolated(_:)` outside an isolated test.
  public func disable(_ candidate: String, at point: String) throws(InjectorError) {
    try Verdicts.add(.refused(Explanation.Verdict("disabled")), on: candidate, at: point, in: self)
  }
}

// An unavailable overload, with which the compiler explains a likely mistake and its fix. `Tests/Refused` shows it.

@available(*, unavailable, message: "state how the instance lives: override(User.self, .singleton(user))")
extension Injector {
  /// Refuses an instance.
  public func override<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, _ instance: Service
  ) throws(InjectorError) {}
}

// The labels `as:` and `injectable:` may be written. The documentation shows the forms without them.
extension Injector {
  /// Overrides all registrations of a service in an isolated test.
  @_documentation(visibility: internal)
  public func override<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, injectable injection: Injection<Service>,
    fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) { try override(type, tag: tag, injection, fileID: fileID, line: line) }

  /// Overrides a service whose type is inferred from the injection.
  @_documentation(visibility: internal)
  public func override<Service: Sendable>(
    tag: Tag? = nil, _ injection: Injection<Service>, fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) { try override(Service.self, tag: tag, injection, fileID: fileID, line: line) }

  /// Overrides a service with a lazy singleton.
  @_documentation(visibility: internal)
  public func override<Service: Sendable>(
    as type: Service.Type, tag: Tag? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) throws(InjectorError) { try override(type, tag: tag, fileID: fileID, line: line, make) }

  /// Overrides a service with a lazy singleton made from other services.
  @_documentation(visibility: internal)
  public func override<Service: Sendable>(
    as type: Service.Type, tag: Tag? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) throws(InjectorError) { try override(type, tag: tag, fileID: fileID, line: line, make) }

  /// Overrides a service that is made from arguments.
  @_documentation(visibility: internal)
  public func override<Service: Sendable, First: Sendable, each Rest: Sendable>(
    as type: Service.Type, tag: Tag? = nil, taking first: First.Type, _ rest: repeat (each Rest).Type,
    fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) {
    try override(type, tag: tag, taking: first, repeat each rest, fileID: fileID, line: line, make)
  }

  /// Overrides a provider.
  @_documentation(visibility: internal)
  public func override<Service: Sendable>(
    _ provider: KeyPath<Injector, Provider<Service>>, injectable injection: Injection<Service>,
    fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) { try override(provider, injection, fileID: fileID, line: line) }
}
