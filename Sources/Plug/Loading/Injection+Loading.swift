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
  ) -> Self { .lazySingleton(nil, Factory(loadingWiring: initializer)) }
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
  ) -> Self { .scoped(Factory(loadingWiring: initializer)) }
}

extension Injection {
  /// Runs a closure with each instance when its injector releases it.
  ///
  /// ```swift
  /// .scoped { try Connection() }.onClose { $0.disconnect() }
  /// ```
  ///
  /// That happens when the injector is closed, reset or deallocated, in reverse order of construction, and when the
  /// registration is removed or replaced. The closure runs once for each instance, also after work that failed: release
  /// or roll back here, and commit where the work succeeds.
  ///
  /// Only an instance that an injector keeps can be closed by it. An instance made for each request belongs to the
  /// caller, and a weakly held one ends by itself. Registering such an injection with `onClose` throws
  /// ``InjectorError/lifetimeUnsupported(_:lifetime:reason:)``.
  ///
  /// - Parameter close: Receives the instance. A closure isolated to the main actor, or to another global actor, runs
  ///   there. Errors it throws are returned by ``Injector/close(timeout:clock:)``.
  /// - Returns: The injection with one more closing. Several run in the order in which they were added, even if one
  ///   throws.
  public func onClose(_ close: @escaping @isolated(any) @Sendable (Service) throws -> Void) -> Self {
    let isolation = FactoryIsolation(close.isolation)
    if isolation.unsupportedActor != nil {
      return closing { service in .later { try await close(service) } }
    }
    let now = erasingIsolation(of: close)
    return closing { service in .now({ try now(service) }, isolation, later: { try await close(service) }) }
  }

  /// Runs an asynchronous closure with each instance when its injector releases it.
  ///
  /// ```swift
  /// .lazySingleton { try await connect() }
  ///   .onClose { try await $0.disconnect() }
  /// ```
  ///
  /// ``Injector/close(timeout:clock:)`` waits for the closure. If the injector is closed synchronously, or deallocated,
  /// the closure runs in a task of its own, as do all closings after it.
  ///
  /// - Parameter close: Receives the instance. Errors it throws are returned by ``Injector/close(timeout:clock:)``. It
  ///   is cancelled if it exceeds the time limit.
  /// - Returns: The injection with one more closing.
  public func onClose(_ close: @escaping @Sendable (Service) async throws -> Void) -> Self {
    closing { service in .later { try await close(service) } }
  }

  /// Makes ``Injector/start(timeout:clock:)`` construct the instance, as it does for asynchronous injections.
  ///
  /// ```swift
  /// try services.register(injectable: .lazySingleton { Cache() }.eager())
  /// try await services.start()  // makes the cache
  /// ```
  ///
  /// Only lazy singletons and scoped services can be made early. Registering another lifetime throws
  /// ``InjectorError/lifetimeUnsupported(_:lifetime:reason:)``.
  ///
  /// - Returns: The injection of an eager instance.
  public func eager() -> Self {
    changed { $0.isEager = true }
  }

  /// Limits how long loading and closing an instance may take.
  ///
  /// ```swift
  /// .lazySingleton { try await connect() }
  ///   .timeout(loading: .seconds(5), closing: .seconds(1))
  /// ```
  ///
  /// - Parameters:
  ///   - loading: How long the asynchronous closure may run, including everything it loads. After that it is cancelled,
  ///     and everyone who waits for it gets ``InjectorError/timedOut(_:after:)``. `nil` uses the limit passed to
  ///     ``Injector/start(timeout:clock:)``.
  ///   - closing: How long closing may take. `nil` uses the limit passed to ``Injector/close(timeout:clock:)``.
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
