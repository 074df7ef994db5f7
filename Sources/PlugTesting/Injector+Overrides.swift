public import Plug

extension Injector {
  /// Replaces all that is registered for a service, in an isolated test.
  ///
  /// ```swift
  /// try services.override(as: Payments.self, injectable: .singleton(FakePayments()))
  /// ```
  ///
  /// The injection then applies in every context. It does not matter whether the injector is sealed, nor whether
  /// anything is registered.
  ///
  /// - Throws: ``Plug/InjectorError/notIsolated(_:)`` where no test is isolated, ``Plug/InjectorError/closed(_:)``,
  ///   ``Plug/InjectorError/actorUnsupported(_:actor:)``, ``Plug/InjectorError/lifetimeUnsupported(_:lifetime:reason:)``.
  @inlinable
  public func override<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, injectable injection: Injection<Service>,
    fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) {
    try replaceAll(of: type, tag: tag, by: injection, at: CodeLocation(fileID: fileID, line: line))
  }

  /// Replaces what is registered for a service that is made from arguments, in an isolated test.
  ///
  /// ```swift
  /// try services.override(as: Detail.self, taking: UserID.self) { id, _ in FakeDetail(id) }
  /// ```
  ///
  /// It is for what is registered; what a provider gives is overridden by its key path.
  ///
  /// - Throws: ``Plug/InjectorError/notRegistered(_:)`` or ``Plug/InjectorError/argumentsMismatch(_:expected:found:)`` if
  ///   nothing is registered for these arguments, ``Plug/InjectorError/notIsolated(_:)`` where no test is isolated,
  ///   ``Plug/InjectorError/closed(_:)``, ``Plug/InjectorError/actorUnsupported(_:actor:)``.
  public func override<Service: Sendable, First: Sendable, each Rest: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, taking first: First.Type, _ rest: repeat (each Rest).Type,
    fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) {
    let location = CodeLocation(fileID: fileID, line: line)
    try replaceAll(of: type, tag: tag, taking: first, repeat each rest, at: location, by: make)
  }

  /// Replaces what a provider gives, in an isolated test; sealed or not.
  ///
  /// ```swift
  /// try services.override(\.api, injectable: .singleton(FakeAPI()))
  /// ```
  ///
  /// - Throws: ``Plug/InjectorError/notIsolated(_:)`` where no test is isolated, ``Plug/InjectorError/closed(_:)``,
  ///   ``Plug/InjectorError/actorUnsupported(_:actor:)``, ``Plug/InjectorError/lifetimeUnsupported(_:lifetime:reason:)``.
  public func override<Service: Sendable>(
    _ provider: KeyPath<Injector, Provider<Service>>, injectable injection: Injection<Service>,
    fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) {
    try self[keyPath: provider].isolatedForChange().override(injection, fileID: fileID, line: line)
  }

  /// Replaces what a provider makes from arguments, in an isolated test; sealed or not.
  ///
  /// ```swift
  /// try services.override(\.detail) { id, _ in FakeDetail(id) }
  /// ```
  ///
  /// Instances are kept as the provider declares.
  ///
  /// - Throws: ``Plug/InjectorError/notIsolated(_:)`` where no test is isolated, ``Plug/InjectorError/closed(_:)``,
  ///   ``Plug/InjectorError/actorUnsupported(_:actor:)``.
  public func override<Service: Sendable, First: Sendable, each Rest: Sendable>(
    _ provider: KeyPath<Injector, ArgumentsProvider<Service, First, repeat each Rest>>,
    fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) {
    try self[keyPath: provider].isolatedForChange().override(fileID: fileID, line: line, make)
  }

  /// Gives a property a value, in an isolated test.
  ///
  /// - Throws: ``Plug/InjectorError/notIsolated(_:)`` where no test is isolated, ``Plug/InjectorError/closed(_:)``.
  public func override<Key: Property>(
    _ key: Key.Type, with value: Key.Value, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) {
    try isolatedForChange(of: key).assign(value, to: key, fileID, line)
  }

  /// Gives a feature an instance, in an isolated test; sealed or not.
  ///
  /// - Throws: ``Plug/InjectorError/notIsolated(_:)`` where no test is isolated, ``Plug/InjectorError/closed(_:)``.
  public func override<Key: Feature>(
    _ key: Key.Type, with instance: Key.Instance, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) {
    try isolatedForChange(of: key).assign(instance, to: key, fileID, line)
  }

  /// Lets a candidate win in every context, whatever its rules and those around it say, in an isolated test.
  ///
  /// ```swift
  /// try services.force("semantic", at: "search")
  /// ```
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate; `"default"` for the registration without a rule.
  ///   - point: The id of a plugin point that it is in, or the name of the service.
  /// - Throws: ``Plug/InjectorError/notRegistered(_:)`` if there is no such candidate,
  ///   ``Plug/InjectorError/notIsolated(_:)`` where no test is isolated.
  public func force(_ candidate: String, at point: String) throws(InjectorError) {
    try change(candidate: candidate, at: point, to: .forced)
  }

  /// Lets a candidate apply in no context, in an isolated test, see ``force(_:at:)``.
  public func disable(_ candidate: String, at point: String) throws(InjectorError) {
    try change(candidate: candidate, at: point, to: .disabled)
  }
}
