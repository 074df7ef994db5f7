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
    mappingFactory { $0.changed { $0.isEager = true } }
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
    mappingFactory { factory in
      factory.changed { values in
        values.limits.loading = loading ?? values.limits.loading
        values.limits.closing = closing ?? values.limits.closing
      }
    }
  }

  private func closing(_ action: @escaping @Sendable (Service) -> CloseAction) -> Self {
    mappingFactory { factory in
      factory.changed { values in values.closings.append { box in action(box.open(as: Service.self)) } }
    }
  }
}
