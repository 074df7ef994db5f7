extension Injection {
  /// One instance for each injector, made by `make` at the first request.
  ///
  /// - Parameter make: Makes the instance. It runs at most once at a time, on the thread that asked first; if it throws,
  ///   nothing is kept and the next request tries again.
  @inlinable
  public static func lazySingleton(_ make: @escaping @isolated(any) @Sendable () throws -> Service) -> Self {
    .lazySingleton(nil, Factory(make))
  }

  /// One instance for each injector, made by `make` from other services at the first request.
  ///
  /// - Parameter make: Makes the instance with the injector that was asked.
  @inlinable
  public static func lazySingleton(_ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service) -> Self {
    .lazySingleton(nil, Factory(make))
  }

  /// One instance for each injector: the given one, or else made by `make` at the first request.
  @inlinable
  public static func lazySingleton(
    _ instance: Service?, _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) -> Self {
    .lazySingleton(instance, Factory(make))
  }

  /// One instance for each injector: the given one, or else made by `make` from other services at the first request.
  @inlinable
  public static func lazySingleton(
    _ instance: Service?, _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) -> Self {
    .lazySingleton(instance, Factory(make))
  }

  /// One instance for each injector, made by an initializer whose parameters are resolved by type.
  ///
  /// - Parameter initializer: An initializer or a function; each parameter's type is looked up in the injector.
  @inlinable
  public static func lazySingleton<each Dependency: Sendable>(
    wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
  ) -> Self {
    .lazySingleton(nil, Factory(wiring: initializer))
  }
}

extension Injection {
  /// One instance for as long as someone else holds it, made by `make`.
  @inlinable
  public static func weakSingleton(_ make: @escaping @isolated(any) @Sendable () throws -> Service) -> Self {
    .weakSingleton(Factory(make))
  }

  /// One instance for as long as someone else holds it, made by `make` from other services.
  @inlinable
  public static func weakSingleton(_ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service) -> Self {
    .weakSingleton(Factory(make))
  }

  /// One instance for as long as someone else holds it, made by an initializer whose parameters are resolved by type.
  ///
  /// - Parameter initializer: An initializer or a function; each parameter's type is looked up in the injector.
  @inlinable
  public static func weakSingleton<each Dependency: Sendable>(
    wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
  ) -> Self {
    .weakSingleton(Factory(wiring: initializer))
  }
}

extension Injection {
  /// One instance for each scope, made by `make`.
  @inlinable
  public static func scoped(_ make: @escaping @isolated(any) @Sendable () throws -> Service) -> Self {
    .scoped(Factory(make))
  }

  /// One instance for each scope, made by `make` from other services.
  @inlinable
  public static func scoped(_ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service) -> Self {
    .scoped(Factory(make))
  }

  /// One instance for each scope, made by an initializer whose parameters are resolved by type.
  ///
  /// - Parameter initializer: An initializer or a function; each parameter's type is looked up in the injector.
  @inlinable
  public static func scoped<each Dependency: Sendable>(
    wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
  ) -> Self {
    .scoped(Factory(wiring: initializer))
  }
}

extension Injection {
  /// One instance for each outermost request, made by `make`.
  @inlinable
  public static func graph(_ make: @escaping @isolated(any) @Sendable () throws -> Service) -> Self {
    .graph(Factory(make))
  }

  /// One instance for each outermost request, made by `make` from other services.
  @inlinable
  public static func graph(_ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service) -> Self {
    .graph(Factory(make))
  }

  /// One instance for each outermost request, made by an initializer whose parameters are resolved by type.
  ///
  /// - Parameter initializer: An initializer or a function; each parameter's type is looked up in the injector.
  @inlinable
  public static func graph<each Dependency: Sendable>(
    wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
  ) -> Self {
    .graph(Factory(wiring: initializer))
  }
}

extension Injection {
  /// A new instance for each request, made by `make`.
  @inlinable
  public static func factory(_ make: @escaping @isolated(any) @Sendable () throws -> Service) -> Self {
    .factory(Factory(make))
  }

  /// A new instance for each request, made by `make` from other services.
  @inlinable
  public static func factory(_ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service) -> Self {
    .factory(Factory(make))
  }

  /// A new instance for each request, made by an initializer whose parameters are resolved by type.
  ///
  /// - Parameter initializer: An initializer or a function; each parameter's type is looked up in the injector.
  @inlinable
  public static func factory<each Dependency: Sendable>(
    wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
  ) -> Self {
    .factory(Factory(wiring: initializer))
  }
}

extension Injection {
  /// Stands for a service that each scope registers itself, such as the request that it serves.
  ///
  /// ```swift
  /// try services.register(as: Request.self, injectable: .providedByScope)
  /// let scope = try services.makeScope("request") { try $0.register(injectable: .singleton(request)) }
  /// ```
  ///
  /// So ``Injector/validate()`` knows that it will be there, and that only scoped services may keep it. A scope that
  /// has not registered it throws ``InjectorError/notRegistered(_:)``.
  public static var providedByScope: Self { .scoped(.absent) }
}
