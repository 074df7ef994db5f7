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

  /// Refuses a lazy value by itself.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "register what it gets: register(lazy.get)")
  @discardableResult
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, _ lazy: Lazy<Service>
  ) throws(InjectorError) -> Injector { fatalError() }

  /// Refuses an object that is held weakly by itself.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "register what it gets: register(injectable: .weakSingleton(lazy.get))")
  @discardableResult
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, _ lazy: WeakLazy<Service>
  ) throws(InjectorError) -> Injector { fatalError() }

  /// Refuses a rule of which nobody knows the context.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "state the context of the rule: when: Rule<Shopper>.feature(\"…\")")
  @discardableResult
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, injectable injection: Injection<Service>,
    when rule: Rule<Unstated>, id: String? = nil, priority: Int = 0
  ) throws(InjectorError) -> Injector { fatalError() }

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

  /// Refuses a value of another type.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "the value of a property has the type of its defaultValue")
  public subscript<Key: Property, Value>(key: Key.Type) -> Value {
    get { fatalError() }
    set { fatalError() }
  }
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

  /// Refuses a lifetime that takes no arguments.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "a service made from arguments is .factory, .scoped or .lazySingleton")
  public static var weakSingleton: Self { fatalError() }

  /// Refuses a lifetime that takes no arguments.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "a service made from arguments is .factory, .scoped or .lazySingleton")
  public static var singleton: Self { fatalError() }
}

extension Injection {
  /// Refuses an asynchronous closure.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "only .lazySingleton and .scoped can be made asynchronously")
  public static func factory(_ load: @escaping @Sendable () async throws -> Service) -> Self { fatalError() }
}

extension Candidate {
  /// Refuses a candidate without an id.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "a candidate needs an id: Candidate(\"name\") { … }")
  public init(_ make: @escaping @isolated(any) @Sendable () throws -> Service) { fatalError() }

  /// Refuses a candidate without an id.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "a candidate needs an id: Candidate(\"name\", .factory { … })")
  public init(_ injection: Injection<Service>) { fatalError() }

  /// Refuses an asynchronous closure by itself.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "use Candidate(\"name\", .lazySingleton { try await … }), and load it")
  public init(
    _ id: String, priority: Int = 0, _ load: @escaping @Sendable () async throws -> Service
  ) { fatalError() }
}

extension PluginPoint {
  /// Refuses a point without an id.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "a point needs an id: PluginPoint<any Search, Shopper>(\"search\") { … }")
  public init(
    when rule: Rule<Context> = .enabled,
    @PluginBuilder<Service, Context> _ elements: () -> [PluginElement<Service, Context>]
  ) { fatalError() }
}

extension Injected where Value == Unstated {
  /// Refuses a property without a type.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "an injected property needs a type: @Injected(.services) var search: any Search")
  public init(_ name: Injector.Name = .default, tag: Injector.Tag? = nil) { fatalError() }
}

/// The type that the compiler finds where a program states none.
@_documentation(visibility: internal)
public struct Unstated: FeatureContext {
  /// No features.
  public var enabledFeatures: Set<String> { [] }
}
