extension Injection {
  /// One instance per injector, made by an asynchronous closure.
  ///
  /// ```swift
  /// try services.register(
  ///   as: (any Database).self,
  ///   injectable: .lazySingleton { try await connect() })
  /// let database: any Database = try await services.load()
  /// ```
  ///
  /// ``Injector/load(_:tag:fileID:line:)`` or ``Injector/start(timeout:clock:)`` makes the instance. After that,
  /// ``Injector/get(_:tag:fileID:line:)`` returns it like any other; before, it throws ``InjectorError/notLoaded(_:)``.
  /// A closure isolated to a global actor runs there.
  ///
  /// - Parameter load: Makes the instance. It never runs twice at the same time; further tasks wait for the same
  ///   instance. If it throws, nothing is kept and the next load tries again. It is cancelled when all tasks waiting
  ///   for it are cancelled.
  /// - Returns: The injection.
  @inlinable
  public static func lazySingleton(_ load: @escaping @Sendable @concurrent () async throws -> Service) -> Self {
    .lazySingleton(nil, Factory(.nothing, loading: { _ in try await load() }))
  }

  /// One instance per injector, made from other services by an asynchronous closure.
  ///
  /// ```swift
  /// .lazySingleton { injector in
  ///   try await Catalogue(from: injector.load((any Database).self))
  /// }
  /// ```
  ///
  /// - Parameter load: Makes the instance. It can `load` other services from the injector it receives.
  /// - Returns: The injection.
  @inlinable
  public static func lazySingleton(_ load: @escaping @Sendable @concurrent (Injector) async throws -> Service) -> Self {
    .lazySingleton(nil, Factory(loading: load))
  }

  /// One instance per injector, made by an asynchronous initializer whose parameters are loaded by type.
  ///
  /// - Parameter initializer: An initializer or a function. The shared services that its parameters need asynchronously
  ///   are loaded concurrently.
  /// - Returns: The injection.
  @_disfavoredOverload  // A closure that takes the injector is not an initializer.
  @inlinable
  public static func lazySingleton<each Dependency: Sendable>(
    wiring initializer: @escaping @Sendable @concurrent (repeat each Dependency) async throws -> Service
  ) -> Self {
    .lazySingleton(nil, Factory(loadingWiring: initializer))
  }
}

extension Injection {
  /// One instance per scope, made by an asynchronous closure.
  ///
  /// - Parameter load: Makes the instance when the scope loads it, or when ``Injector/start(timeout:clock:)`` is called
  ///   on the scope.
  /// - Returns: The injection.
  @inlinable
  public static func scoped(_ load: @escaping @Sendable @concurrent () async throws -> Service) -> Self {
    .scoped(Factory(.nothing, loading: { _ in try await load() }))
  }

  /// One instance per scope, made from other services by an asynchronous closure.
  ///
  /// - Parameter load: Makes the instance. It receives the scope, from which it can `load` other services.
  /// - Returns: The injection.
  @inlinable
  public static func scoped(_ load: @escaping @Sendable @concurrent (Injector) async throws -> Service) -> Self {
    .scoped(Factory(loading: load))
  }

  /// One instance per scope, made by an asynchronous initializer whose parameters are loaded by type.
  ///
  /// - Parameter initializer: An initializer or a function. Each parameter is loaded from the scope by its type.
  /// - Returns: The injection.
  @_disfavoredOverload
  @inlinable
  public static func scoped<each Dependency: Sendable>(
    wiring initializer: @escaping @Sendable @concurrent (repeat each Dependency) async throws -> Service
  ) -> Self {
    .scoped(Factory(loadingWiring: initializer))
  }
}
