extension Injector {
  /// Closes the injector without waiting: releases its instances, in reverse order of construction, and runs the closures
  /// of ``Injection/onClose(_:)-2kwn8`` for each.
  ///
  /// ```swift
  /// let request = services.makeScope("request")
  /// defer { request.closeNow() }
  /// ```
  ///
  /// From then on every request throws ``InjectorError/closed(_:)``. A request that is under way finishes, or
  /// throws that too. Inherited instances stay. Scopes opened in this injector can still be closed, but nothing more can
  /// be got through this one. Closing twice is closing once.
  ///
  /// What has to be closed asynchronously, or on another actor, and everything constructed before it, is closed in a
  /// task that goes on after this returns; ``close(timeout:clock:)`` waits for it. Failures are reported to the
  /// ``tracer``.
  ///
  /// A sealed injector that is no scope keeps its instances, unusable, until it is released: threads may be reading them.
  public func closeNow() {
    let injector = isolated()
    _ = injector.finish(injector.giveUpAll())
  }

  /// Closes the injector, as ``closeNow()`` does, one instance after the other, and returns when all are closed.
  ///
  /// ```swift
  /// for failure in await services.close(timeout: .seconds(10)) { logger.error("\(failure)") }
  /// ```
  ///
  /// Loads in progress are cancelled. If the calling task is cancelled, closing goes on. Others who close the injector
  /// meanwhile wait for the same closing. Inside a closure that loads or closes something, and that this would have to
  /// wait for, it returns at once, without failures.
  ///
  /// - Parameters:
  ///   - timeout: How long each instance may take, unless ``Injection/timeout(loading:closing:)`` says otherwise; `nil` for
  ///     any time. After that its closing is cancelled, and the next instance is closed.
  ///   - clock: What the time is measured by.
  /// - Returns: The failures, in order: ``InjectorError/closingFailed(_:underlying:)`` and
  ///   ``InjectorError/timedOut(_:after:)``.
  @discardableResult
  public func close(
    timeout: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) async -> [InjectorError] {
    await isolated().giveUpAll(Deadline(limit: timeout, clock: clock))
  }

  /// Whether the injector has been closed.
  public var isClosed: Bool { isolated().registrations.isClosed }
}
