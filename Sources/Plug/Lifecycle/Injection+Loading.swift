extension Injection {
  /// One instance for each injector, made by an asynchronous closure.
  ///
  /// ```swift
  /// try services.register(as: (any Database).self, injectable: .lazySingleton { try await connect() })
  /// let database: any Database = try await services.load()
  /// ```
  ///
  /// ``Injector/load(_:tag:fileID:line:)`` or ``Injector/start(timeout:clock:)`` makes it; then
  /// ``Injector/get(_:tag:fileID:line:)`` gives it as it gives any other, and before that throws
  /// ``InjectorError/notLoaded(_:)``. A closure that belongs to a global actor runs there.
  ///
  /// - Parameter load: Makes the instance. Nobody waits for more than one at a time; if it throws, nothing is kept and the
  ///   next load tries again. If all who wait for it are cancelled, so is it.
  @inlinable
  public static func lazySingleton(_ load: @escaping @Sendable @concurrent () async throws -> Service) -> Self {
    .lazySingleton(nil, Factory(loading: { _ in try await load() }))
  }

  /// One instance for each injector, made from other services by an asynchronous closure.
  ///
  /// ```swift
  /// .lazySingleton { injector in try await Catalogue(from: injector.load((any Database).self)) }
  /// ```
  ///
  /// - Parameter load: Makes the instance with the injector that was asked.
  @inlinable
  public static func lazySingleton(_ load: @escaping @Sendable @concurrent (Injector) async throws -> Service) -> Self {
    .lazySingleton(nil, Factory(loading: load))
  }

  /// One instance for each injector, made by an asynchronous initializer whose parameters are loaded by type.
  ///
  /// - Parameter initializer: An initializer or a function. What its parameters need asynchronously is loaded at once.
  @_disfavoredOverload  // A closure that takes the injector is none of these.
  @inlinable
  public static func lazySingleton<each Dependency: Sendable>(
    wiring initializer: @escaping @Sendable @concurrent (repeat each Dependency) async throws -> Service
  ) -> Self {
    .lazySingleton(nil, Factory(loadingWiring: initializer))
  }
}

extension Injection {
  /// One instance for each scope, made by an asynchronous closure.
  @inlinable
  public static func scoped(_ load: @escaping @Sendable @concurrent () async throws -> Service) -> Self {
    .scoped(Factory(loading: { _ in try await load() }))
  }

  /// One instance for each scope, made from other services by an asynchronous closure.
  @inlinable
  public static func scoped(_ load: @escaping @Sendable @concurrent (Injector) async throws -> Service) -> Self {
    .scoped(Factory(loading: load))
  }

  /// One instance for each scope, made by an asynchronous initializer whose parameters are loaded by type.
  @_disfavoredOverload
  @inlinable
  public static func scoped<each Dependency: Sendable>(
    wiring initializer: @escaping @Sendable @concurrent (repeat each Dependency) async throws -> Service
  ) -> Self {
    .scoped(Factory(loadingWiring: initializer))
  }
}
