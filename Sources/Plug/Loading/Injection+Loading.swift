extension Injection {
  /// One instance per injector, made by an asynchronous closure.
  ///
  /// ```swift
  /// try services.register(
  ///   (any Database).self,
  ///   .lazySingleton { try await connect() })
  /// let database: any Database = try await services.load()
  /// ```
  ///
  /// ``Injector/load(_:tag:fileID:line:)`` or ``Injector/start(timeout:clock:)`` makes the instance. After that,
  /// ``Injector/get(_:tag:fileID:line:)`` returns it like any other instance. Before, it throws
  /// ``InjectorError/notLoaded(_:)``. A closure isolated to a global actor runs there.
  ///
  /// - Parameter load: Makes the instance. It never runs twice at the same time: other tasks wait for the same
  ///   instance. If it throws, the next load tries again. It is cancelled when all tasks that wait for it are
  ///   cancelled.
  /// - Returns: The injection.
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
  public static func lazySingleton(_ load: @escaping @Sendable @concurrent (Injector) async throws -> Service) -> Self {
    .lazySingleton(nil, Factory(loading: load))
  }

  /// One instance per injector, made by an asynchronous initializer whose parameters are loaded by type.
  ///
  /// - Parameter initializer: An initializer or a function. The shared services that its parameters need asynchronously
  ///   are loaded concurrently.
  /// - Returns: The injection.
  @_disfavoredOverload  // A closure that takes the injector is not an initializer.
  public static func lazySingleton<each Dependency: Sendable>(
    wiring initializer: @escaping @Sendable @concurrent (repeat each Dependency) async throws -> Service
  ) -> Self { .lazySingleton(nil, Factory(loadingWiring: initializer)) }
}

extension Injection {
  /// One instance per scope, made by an asynchronous closure.
  ///
  /// - Parameter load: Makes the instance when the scope loads it, or when ``Injector/start(timeout:clock:)`` is called
  ///   on the scope.
  /// - Returns: The injection.
  public static func scoped(_ load: @escaping @Sendable @concurrent () async throws -> Service) -> Self {
    .scoped(Factory(.nothing, loading: { _ in try await load() }))
  }

  /// One instance per scope, made from other services by an asynchronous closure.
  ///
  /// - Parameter load: Makes the instance. It receives the scope, from which it can `load` other services.
  /// - Returns: The injection.
  public static func scoped(_ load: @escaping @Sendable @concurrent (Injector) async throws -> Service) -> Self {
    .scoped(Factory(loading: load))
  }

  /// One instance per scope, made by an asynchronous initializer whose parameters are loaded by type.
  ///
  /// - Parameter initializer: An initializer or a function. Each parameter is loaded from the scope by its type.
  /// - Returns: The injection.
  @_disfavoredOverload
  public static func scoped<each Dependency: Sendable>(
    wiring initializer: @escaping @Sendable @concurrent (repeat each Dependency) async throws -> Service
  ) -> Self { .scoped(Factory(loadingWiring: initializer)) }
}

extension Injection {
  /// Runs a closure with each instance when its injector releases it.
  ///
  /// ```swift
  /// .scoped { try Connection() }.onClose { $0.disconnect() }
  /// ```
  ///
  /// An injector releases its instances in reverse order of construction when it is closed, reset or deallocated, and
  /// the instances of a registration when that is removed or replaced. The closure runs once for each instance, even if
  /// the work of a scope has failed: release resources or roll back here, and commit where the work succeeds.
  ///
  /// An injector can close only instances that it keeps. The caller owns an instance that is made for each request, and
  /// a weak singleton is released when nothing holds it any longer. Registering such an injection with `onClose` throws
  /// ``InjectorError/lifetimeUnsupported(_:lifetime:)``.
  ///
  /// - Parameter close: Receives the instance. A closure isolated to the main actor or another global actor runs there.
  ///   ``Injector/close(timeout:clock:)`` returns the errors that it throws.
  /// - Returns: The injection with one more closure. The closures run in the order in which they were added, even if
  ///   one throws.
  public func onClose(_ close: @escaping @isolated(any) @Sendable (Service) throws -> Void) -> Self {
    let isolation = FactoryIsolation(close.isolation)
    if isolation.unsupportedActor != nil {
      return closing { service in CloseAction { try await close(service) } }
    }
    let now = erasingIsolation(of: close)
    return closing { made in CloseAction(now: { try now(made) }, isolation: isolation) { try await close(made) } }
  }

  /// Runs an asynchronous closure with each instance when its injector releases it.
  ///
  /// ```swift
  /// .lazySingleton { try await connect() }
  ///   .onClose { try await $0.disconnect() }
  /// ```
  ///
  /// ``Injector/close(timeout:clock:)`` waits for the closure. If the injector is closed synchronously or deallocated,
  /// this closure and all later ones run in a task of their own.
  ///
  /// - Parameter close: Receives the instance. ``Injector/close(timeout:clock:)`` returns the errors that it throws. It
  ///   is cancelled if it exceeds the time limit.
  /// - Returns: The injection with one more closure.
  public func onClose(_ close: @escaping @Sendable (Service) async throws -> Void) -> Self {
    closing { service in CloseAction { try await close(service) } }
  }

  /// Makes the instance in ``Injector/start(timeout:clock:)``, like an asynchronous one. Eager services are made one
  /// after the other, in the order of registration, after what they depend on.
  ///
  /// ```swift
  /// try services.register(.lazySingleton { Cache() }.eager())
  /// try await services.start()  // makes the cache
  /// ```
  ///
  /// Only lazy singletons and scoped services can be eager. Registering another lifetime throws
  /// ``InjectorError/lifetimeUnsupported(_:lifetime:)``.
  ///
  /// - Returns: The injection as an eager one.
  public func eager() -> Self {
    changed { $0.eager = Work.makeID() }
  }

  /// Limits the time for loading and closing an instance.
  ///
  /// ```swift
  /// .lazySingleton { try await connect() }
  ///   .timeout(loading: .seconds(5), closing: .seconds(1))
  /// ```
  ///
  /// - Parameters:
  ///   - loading: The time limit for the asynchronous closure, including everything that it loads. After that, the
  ///     closure is cancelled, and all tasks that wait for it throw ``InjectorError/timedOut(_:after:)``. `nil` uses
  ///     the limit passed to ``Injector/start(timeout:clock:)``.
  ///   - closing: The time limit for closing. `nil` uses the limit passed to ``Injector/close(timeout:clock:)``.
  /// - Returns: The injection with the limits. A limit that is `nil` keeps the one set before.
  public func timeout(loading: Duration? = nil, closing: Duration? = nil) -> Self {
    changed { values in
      values.limits.loading = loading ?? values.limits.loading
      values.limits.closing = closing ?? values.limits.closing
    }
  }

  private func closing(_ action: @escaping @Sendable (Service) -> CloseAction) -> Self {
    changed { values in values.closings.append { box in action(box.open(as: Service.self)) } }
  }
}
