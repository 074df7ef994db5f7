// Overloads that nobody can call: with them, the compiler says what is wrong with a likely mistake, and what to write.
// `Tests/Refused` shows each one.

extension Injector {
  /// Refuses a closure that does not receive the injector.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "the closure receives the arguments and then the injector: { id, injector in … }")
  @discardableResult
  public func register<Service: Sendable, First: Sendable, each Rest: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, taking first: First.Type,
    _ rest: repeat (each Rest).Type, lifetime: ArgumentsLifetime<First, repeat each Rest> = .factory,
    _ make: @escaping @Sendable (First, repeat each Rest) throws -> Service
  ) throws(InjectorError) -> Injector { fatalError() }

  /// Refuses a closure with another number of parameters.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "the closure receives the arguments and then the injector: { id, injector in … }")
  @discardableResult
  public func register<Service: Sendable, First: Sendable, each Rest: Sendable, each Parameter>(
    as type: Service.Type = Service.self, tag: Tag? = nil, taking first: First.Type,
    _ rest: repeat (each Rest).Type, lifetime: ArgumentsLifetime<First, repeat each Rest> = .factory,
    _ make: @escaping @Sendable (repeat each Parameter) throws -> Service
  ) throws(InjectorError) -> Injector { fatalError() }
}

extension ArgumentsProvider {
  /// Refuses arguments of another number or of other types.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "pass the arguments that the provider is declared with, in number and type")
  public func callAsFunction<each Argument>(_ first: First, _ rest: repeat each Argument) -> Service { fatalError() }

  /// Refuses arguments of another number or of other types.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "pass the arguments that the provider is declared with, in number and type")
  public func get<each Argument>(
    _ first: First, _ rest: repeat each Argument
  ) throws(InjectorError) -> Service { fatalError() }
}

extension ArgumentsLifetime {
  /// Refuses arguments that cannot be compared.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "equal arguments share an instance, so each of them has to be Hashable")
  public static var lazySingleton: Self { fatalError() }

  /// Refuses arguments that cannot be compared.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "equal arguments share an instance, so each of them has to be Hashable")
  public static var scoped: Self { fatalError() }

  /// Refuses a lifetime that takes no arguments.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "a service made from arguments is .factory, .scoped or .lazySingleton")
  public static var graph: Self { fatalError() }

  /// Refuses arguments that cannot be compared.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "equal arguments share an instance, so each of them has to be Hashable")
  public static var weakSingleton: Self { fatalError() }

  /// Refuses a lifetime that takes no arguments.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "a service made from arguments is .factory, .scoped or .lazySingleton")
  public static var singleton: Self { fatalError() }
}
