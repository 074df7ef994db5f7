// Overloads that nobody can call: with them, the compiler says what is wrong with a likely mistake, and what to write.
// `Tests/Refused` shows each one.

extension Injector {
  /// Refuses an asynchronous closure by itself.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "use register(injectable: .lazySingleton { try await … }), and load it")
  @discardableResult
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, _ load: @escaping @Sendable () async throws -> Service
  ) throws(InjectorError) -> Injector { fatalError() }

  /// Refuses an asynchronous closure by itself.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "use register(injectable: .lazySingleton { try await … }), and load it")
  @discardableResult
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil,
    _ load: @escaping @Sendable (Injector) async throws -> Service
  ) throws(InjectorError) -> Injector { fatalError() }

  /// Refuses an injection without its label.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "label the injection: register(as: …, injectable: …)")
  @discardableResult
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, _ injection: Injection<Service>
  ) throws(InjectorError) -> Injector { fatalError() }

  /// Refuses a text as a tag.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "make a tag of the text: Injector.Tag(rawValue: …)")
  public func get<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: String
  ) throws(InjectorError) -> Service { fatalError() }

  /// Refuses a context without its label.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "label the context or the arguments: get(…, in: shopper), get(…, with: id)")
  public func get<Service: Sendable, Value: Sendable>(
    _ type: Service.Type, _ value: Value
  ) throws(InjectorError) -> Service { fatalError() }
}
