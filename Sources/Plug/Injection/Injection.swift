/// A description of how an instance of a service is made and how long it lives.
///
/// | Case | Lifetime |
/// |---|---|
/// | `singleton` | the given instance |
/// | `lazySingleton` | one instance per ``Injector``, made on the first request |
/// | `weakSingleton` | one instance per ``Injector``, for as long as anything else holds it |
/// | `scoped` | one instance per scope, see ``Injector/makeScope(_:fileID:line:configure:)`` |
/// | `graph` | one instance per outermost request, shared by everything made for it |
/// | `factory` | a new instance for each request |
///
/// Every lifetime that makes instances takes a closure, a closure with the injector, or an initializer whose parameters
/// are resolved by type:
///
/// ```swift
/// Injection<any Cache>.lazySingleton { MemoryCache() }
/// Injection<any Cache>.factory { injector in
///   DiskCache(files: try injector.get())
/// }
/// Injection<any Cache>.lazySingleton(wiring: DiskCache.init)
/// ```
///
/// Closures and initializers may be isolated to the main actor: `.lazySingleton { @MainActor in ViewModel() }`. A `get`
/// on the main actor makes such an instance. A `get` elsewhere throws ``InjectorError/mainActorRequired(_:)`` until the
/// instance exists. After that, any code can get it. ``Injector/load(_:tag:fileID:line:)`` makes it from any actor.
///
/// Modifiers refine an injection:
///
/// ```swift
/// .lazySingleton { try Connection() }
///   .configure { connection, injector in connection.log = try injector.get() }
///   .onClose { $0.disconnect() }
/// ```
public enum Injection<Service: Sendable>: Sendable {
  /// An existing instance that all requests share.
  case singleton(Service)

  /// One instance per injector: the given one, or one made by the factory on the first request.
  ///
  /// The scopes of an injector share its instance.
  case lazySingleton(Service?, Factory)

  /// One instance per injector for as long as anything else holds it. Then the next request makes another.
  ///
  /// Use it for expensive objects that several owners share for a while. The service must be a class, or a protocol
  /// whose instances are objects.
  case weakSingleton(Factory)

  /// One instance per scope, made by the factory on the first request there.
  ///
  /// A request outside a scope throws ``InjectorError/scopeRequired(_:)``.
  case scoped(Factory)

  /// One instance per outermost request, shared by everything made for that request.
  case graph(Factory)

  /// A new instance for each request.
  case factory(Factory)
}

/// Another name for ``Injection``.
public typealias Injectable = Injection

extension Injection {
  /// Runs a closure with each instance after it has been made. This is also known as setter injection.
  ///
  /// Two services can refer to each other if one of them gets the other here and not in its factory:
  ///
  /// ```swift
  /// .lazySingleton { Coordinator() }.configure { coordinator, injector in
  ///   coordinator.screen = try injector.get(Screen.self)
  /// }
  /// ```
  ///
  /// The closure runs on the same thread when the factory has returned, so that an instance is configured before its
  /// dependents use it. If the closure requests an instance that is being made around it, the request throws a circular
  /// dependency, and the closure runs again when that instance is constructed: write closures that may run more than
  /// once. Code outside the request sees these instances only after all of their configurations have finished. If a
  /// configuration throws, the request throws, and no instance that may refer to an unconfigured one is kept.
  ///
  /// A given instance is configured once, on the first request. If it is an object, it cannot be configured in an
  /// isolated test, because the program and all tests share it: a request then throws
  /// ``InjectorError/lifetimeUnsupported(_:lifetime:)``.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - configure: Receives the instance and the injector that received the request. The closure may be isolated to
  ///     the main actor, and the instance is then made there.
  /// - Returns: The injection with one more configuration. Configurations run in the order in which they were added.
  public func configure(
    fileID: String = #fileID, line: Int = #line,
    _ configure: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Void
  ) -> Self {
    let location = CodeLocation(fileID: fileID, line: line)
    let isolation = FactoryIsolation(configure.isolation)
    let configure = erasingIsolation(of: configure)
    return changed(isolation: isolation) { values in
      values.isObject = { type(of: $0.open(as: Service.self) as Any) is AnyClass }
      values.configurations.append(
        Configuration(location: location) { box, injector in try configure(box.open(as: Service.self), injector) })
    }
  }

  /// Declares the services that the closures of this injection request, so that ``Injector/validate(strict:)`` knows
  /// them before the closures run.
  ///
  /// ```swift
  /// .lazySingleton { try Checkout(payments: $0.get()) }
  ///   .depends(on: (any Payments).self)
  /// ```
  ///
  /// Several calls accumulate. Use one call for each tag:
  ///
  /// ```swift
  /// .depends(on: (any Payments).self)
  /// .depends(on: (any Database).self, tag: "replica")
  /// ```
  ///
  /// ``Injector/start(timeout:clock:)`` makes them before the instance. The declaration replaces recorded dependencies.
  /// If a closure requests an undeclared service while dependencies are recorded, `audit()` of PlugOperations reports
  /// it from then on. A `wiring:` initializer needs no declaration.
  ///
  /// - Parameters:
  ///   - first: The first type that the closures request.
  ///   - rest: The other types.
  ///   - tag: The tag with which they are requested.
  /// - Returns: The injection with the declaration.
  public func depends<First: Sendable, each Rest: Sendable>(
    on first: First.Type, _ rest: repeat (each Rest).Type, tag: Injector.Tag? = nil
  ) -> Self {
    declaring(Key.each(first, repeat each rest, tag: tag))
  }

  /// The injection, with a declaration that its closures request nothing.
  ///
  /// ```swift
  /// .lazySingleton { Session(token: $0[Token.self]) }.dependsOnNothing
  /// ```
  public var dependsOnNothing: Self { declaring([]) }

  private func declaring(_ keys: [Key]) -> Self {
    mappingFactory { factory in
      if case .declared(let earlier) = factory.recipe.needs { return factory.changed(needs: .declared(earlier + keys)) }
      return factory.changed(needs: .declared(keys))
    }
  }

  func changed(isolation: FactoryIsolation? = nil, _ change: (inout Extras.Values) -> Void) -> Self {
    mappingFactory { $0.changed(isolation: isolation, change) }
  }

  /// Returns the injection with a changed factory. A singleton becomes a lazy singleton that already has its instance.
  func mappingFactory(_ change: (Factory) -> Factory) -> Self {
    switch self {
    case .singleton(let service): .lazySingleton(service, change(Factory(giving: service)))
    case .lazySingleton(let instance, let factory): .lazySingleton(instance, change(factory))
    case .weakSingleton(let factory): .weakSingleton(change(factory))
    case .scoped(let factory): .scoped(change(factory))
    case .graph(let factory): .graph(change(factory))
    case .factory(let factory): .factory(change(factory))
    }
  }
}

// Unavailable overloads, with which the compiler explains a likely mistake and its fix. `Tests/Refused` shows each one.

extension Injection {
  /// Refuses an asynchronous closure.
  @available(*, unavailable, message: "only .lazySingleton and .scoped can be made asynchronously")
  public static func factory(_ load: @escaping @Sendable () async throws -> Service) -> Self { fatalError() }

  /// Refuses a closure.
  @available(*, unavailable, message: "pass the instance, .singleton(User()), or use .lazySingleton { User() }")
  public static func singleton(_ make: @escaping @Sendable () throws -> Service) -> Self { fatalError() }
}
