extension Injection {
  /// Runs `close` with each instance when its injector gives it up.
  ///
  /// ```swift
  /// .scoped { try Connection() }.onClose { $0.disconnect() }
  /// ```
  ///
  /// That is when the injector or scope which made the instance is closed or released, in reverse order of
  /// construction, or when the registration is removed or replaced. It happens once for each instance, and also after
  /// work that has failed: release or roll back here, and commit where the work has succeeded.
  ///
  /// Only instances that an injector keeps can be closed by it: one that is made anew for each request belongs to
  /// whoever asked, and one that is kept weakly ends by itself. Registering such a one with `onClose` throws
  /// ``InjectorError/lifetimeUnsupported(_:lifetime:reason:)``.
  ///
  /// - Parameter close: Receives the instance. Several run in the order in which they were added, also after one that
  ///   throws. One that belongs to the main actor, or to another, runs there. What it throws is what
  ///   ``Injector/close(timeout:clock:)`` returns.
  public func onClose(_ close: @escaping @isolated(any) @Sendable (Service) throws -> Void) -> Self {
    let isolation = FactoryIsolation(close.isolation)
    if isolation.unsupportedActor != nil {
      return mappingFactory { $0.closing { service in .later { try await close(service) } } }
    }
    let now = erasingIsolation(of: close)
    return mappingFactory { factory in
      factory.closing { service in .now({ try now(service) }, isolation, later: { try await close(service) }) }
    }
  }

  /// Runs an asynchronous `close` with each instance when its injector gives it up.
  ///
  /// ```swift
  /// .lazySingleton { try await connect() }.onClose { try await $0.disconnect() }
  /// ```
  ///
  /// ``Injector/close(timeout:clock:)`` waits for it. Where an injector is closed synchronously, or released, it runs in a
  /// task of its own, and so do all that come after it.
  public func onClose(_ close: @escaping @Sendable (Service) async throws -> Void) -> Self {
    mappingFactory { $0.closing { service in .later { try await close(service) } } }
  }

  /// Lets ``Injector/start(timeout:clock:)`` make the instance, as it makes those that are made asynchronously.
  ///
  /// Only lazy singletons and scoped services can be made early; registering another throws
  /// ``InjectorError/lifetimeUnsupported(_:lifetime:reason:)``.
  public func eager() -> Self {
    mappingFactory(\.eager)
  }

  /// Limits how long it may take to load an instance, and to close it.
  ///
  /// - Parameters:
  ///   - loading: How long its asynchronous closure may run, with all that it loads; `nil` for what
  ///     ``Injector/start(timeout:clock:)`` says. Then it is cancelled, and everyone who waits gets
  ///     ``InjectorError/timedOut(_:after:)``.
  ///   - closing: How long closing it may take; `nil` for what ``Injector/close(timeout:clock:)`` says.
  public func timeout(loading: Duration? = nil, closing: Duration? = nil) -> Self {
    mappingFactory { $0.limited(TimeLimits(loading: loading, closing: closing)) }
  }
}
