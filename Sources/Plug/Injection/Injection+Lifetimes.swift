extension Injection {
  /// One instance per injector, made by a closure on the first request.
  ///
  /// ```swift
  /// try services.register(
  ///   Networking.self, .lazySingleton { HTTPNetworking() })
  /// ```
  ///
  /// - Parameter make: Makes the instance. It runs on the thread of the first request, and never twice at the same
  ///   time: other threads wait and get the same instance. If it throws, the next request tries again.
  /// - Returns: The injection.
  @inlinable
  public static func lazySingleton(_ make: @escaping @isolated(any) @Sendable () throws -> Service) -> Self {
    .lazySingleton(nil, Factory(make))
  }

  /// One instance per injector, made from other services on the first request.
  ///
  /// ```swift
  /// .lazySingleton { injector in try Repository(network: injector.get()) }
  /// ```
  ///
  /// - Parameter make: Makes the instance. It receives the injector that keeps the instance, even if a scope received
  ///   the request. Get services from that injector rather than from a captured one.
  /// - Returns: The injection.
  @inlinable
  public static func lazySingleton(_ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service) -> Self {
    .lazySingleton(nil, Factory(make))
  }

  /// One instance per injector: the given one, or else one made by a closure on the first request.
  ///
  /// - Parameters:
  ///   - instance: An existing instance; `nil` if there is none.
  ///   - make: Makes the instance if none is given.
  /// - Returns: The injection.
  public static func lazySingleton(
    _ instance: Service?, _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) -> Self { .lazySingleton(instance, Factory(make)) }

  /// One instance per injector, made by an initializer whose parameters are resolved by type.
  ///
  /// ```swift
  /// try services.register(
  ///   Cache.self, .lazySingleton(wiring: DiskCache.init))
  /// ```
  ///
  /// ``Injector/validate(strict:)`` knows the dependencies from the parameters, without running the initializer.
  ///
  /// - Parameter initializer: An initializer or a function. Each parameter is resolved from the injector by its type;
  ///   an optional parameter is `nil` if nothing is registered for it.
  /// - Returns: The injection.
  @_disfavoredOverload @inlinable  // A closure that takes the injector is not an initializer.
  public static func lazySingleton<each Dependency: Sendable>(
    wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
  ) -> Self { .lazySingleton(nil, Factory(wiring: initializer)) }
}

extension Injection {
  /// One instance for as long as anything else holds it, made by a closure.
  ///
  /// - Parameter make: Makes the instance, which must be an object. It runs again when the last one has been released.
  /// - Returns: The injection. Registering it for a value type throws
  ///   ``InjectorError/lifetimeUnsupported(_:lifetime:)``, and so does a request whose instance is not an
  ///   object.
  public static func weakSingleton(_ make: @escaping @isolated(any) @Sendable () throws -> Service) -> Self {
    .weakSingleton(Factory(make))
  }

  /// One instance for as long as anything else holds it, made from other services.
  ///
  /// - Parameter make: Makes the instance, which must be an object, from the services of the injector it receives.
  /// - Returns: The injection.
  public static func weakSingleton(_ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service) -> Self {
    .weakSingleton(Factory(make))
  }

  /// One instance for as long as anything else holds it, made by an initializer whose parameters are resolved by type.
  ///
  /// - Parameter initializer: An initializer or a function. Each parameter is resolved from the injector by its type.
  /// - Returns: The injection.
  @_disfavoredOverload public static func weakSingleton<each Dependency: Sendable>(
    wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
  ) -> Self { .weakSingleton(Factory(wiring: initializer)) }
}

extension Injection {
  /// One instance per scope, made by a closure.
  ///
  /// ```swift
  /// try services.register(.scoped { Transaction() })
  /// try services.register(.scoped(in: "activity") { Draft() })
  /// ```
  ///
  /// - Parameters:
  ///   - scope: The name of the scopes that keep an instance; by default every scope does. A request in a nested scope
  ///     returns the instance of the nearest scope with that name.
  ///   - make: Makes the instance on the first request in the scope. The scope releases it when it is closed.
  /// - Returns: The injection.
  @inlinable
  public static func scoped(
    in scope: String? = nil, _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) -> Self { .scoped(Factory(make).kept(in: scope)) }

  /// One instance per scope, made from other services.
  ///
  /// - Parameters:
  ///   - scope: The name of the scopes that keep an instance; by default every scope does.
  ///   - make: Makes the instance. It receives the scope, and can request the services registered there.
  /// - Returns: The injection.
  @inlinable
  public static func scoped(
    in scope: String? = nil, _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) -> Self { .scoped(Factory(make).kept(in: scope)) }

  /// One instance per scope, made by an initializer whose parameters are resolved by type.
  ///
  /// - Parameters:
  ///   - scope: The name of the scopes that keep an instance; by default every scope does.
  ///   - initializer: An initializer or a function. Each parameter is resolved from the scope by its type.
  /// - Returns: The injection.
  @_disfavoredOverload @inlinable
  public static func scoped<each Dependency: Sendable>(
    in scope: String? = nil,
    wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
  ) -> Self { .scoped(Factory(wiring: initializer).kept(in: scope)) }
}

extension Injection {
  /// One instance per outermost request, made by a closure.
  ///
  /// Use it for state that the objects of one graph share, such as the state of one screen.
  ///
  /// - Parameter make: Makes the instance, at most once for each outermost request.
  /// - Returns: The injection.
  @inlinable
  public static func graph(_ make: @escaping @isolated(any) @Sendable () throws -> Service) -> Self {
    .graph(Factory(make))
  }

  /// One instance per outermost request, made from other services.
  ///
  /// - Parameter make: Makes the instance from the services of the injector it receives.
  /// - Returns: The injection.
  @inlinable
  public static func graph(_ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service) -> Self {
    .graph(Factory(make))
  }

  /// One instance per outermost request, made by an initializer whose parameters are resolved by type.
  ///
  /// - Parameter initializer: An initializer or a function. Each parameter is resolved from the injector by its type.
  /// - Returns: The injection.
  @_disfavoredOverload public static func graph<each Dependency: Sendable>(
    wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
  ) -> Self { .graph(Factory(wiring: initializer)) }
}

extension Injection {
  /// A new instance for each request, made by a closure.
  ///
  /// - Parameter make: Makes an instance. Any number of threads may run it at the same time.
  /// - Returns: The injection.
  @inlinable
  public static func factory(_ make: @escaping @isolated(any) @Sendable () throws -> Service) -> Self {
    .factory(Factory(make))
  }

  /// A new instance for each request, made from other services.
  ///
  /// - Parameter make: Makes an instance from the services of the injector it receives.
  /// - Returns: The injection.
  @inlinable
  public static func factory(_ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service) -> Self {
    .factory(Factory(make))
  }

  /// A new instance for each request, made by an initializer whose parameters are resolved by type.
  ///
  /// - Parameter initializer: An initializer or a function. Each parameter is resolved from the injector by its type.
  /// - Returns: The injection.
  @_disfavoredOverload @inlinable
  public static func factory<each Dependency: Sendable>(
    wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
  ) -> Self { .factory(Factory(wiring: initializer)) }
}

extension Injection {
  /// A placeholder for a service that each scope registers itself, such as the request that the scope serves.
  ///
  /// ```swift
  /// try services.register(Request.self, .providedByScope)
  /// let scope = try services.makeScope("request") {
  ///   try $0.register(.singleton(request))
  /// }
  /// ```
  ///
  /// With the placeholder, ``Injector/validate(strict:)`` knows that the service will exist in a scope, and reports
  /// singletons that would keep it as captive dependencies. A scope that has not registered the service throws
  /// ``InjectorError/notRegistered(_:)``, or returns `nil` for the optional type.
  public static var providedByScope: Self { .scoped(.absent) }
}
