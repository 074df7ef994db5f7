extension Injector {
  /// Closes the injector: gives up its instances, in reverse order of construction, and runs what
  /// ``Injection/onClose(_:)-2kwn8`` says for each.
  ///
  /// From then on every request throws ``InjectorError/scopeClosed(_:)``. A request that is under way finishes, or
  /// throws that too. Instances that the injector has inherited stay, and so do scopes that have been opened in it;
  /// they can be closed, but nothing more can be got through this one. Closing twice is closing once.
  ///
  /// What has to be closed asynchronously, or on another actor, and all that was constructed before it, is closed in a
  /// task that goes on after this returns; in asynchronous code, ``close(timeout:clock:)`` waits for it. What goes wrong
  /// is told to the ``tracer``.
  ///
  /// A sealed injector which is no scope keeps its instances, though not for use, until it is released: threads may be
  /// reading them.
  public func close() {
    let injector = isolated()
    _ = injector.finish(injector.giveUpAll())
  }

  /// Closes the injector, as ``close()`` does, one instance after the other, and returns when that has been done.
  ///
  /// ```swift
  /// for failure in await services.close(timeout: .seconds(10)) { logger.error("\(failure)") }
  /// ```
  ///
  /// At the top level of a `main.swift`, give the timeout: without an argument the compiler takes ``close()`` there, and warns
  /// that nothing is awaited.
  ///
  /// What is being loaded is cancelled. If the calling task is cancelled, closing goes on. Whoever closes it too meanwhile,
  /// waits for the same. A closure that loads or closes something, and for which this waits, does not wait for it: then it
  /// returns at once, without what goes wrong.
  ///
  /// - Parameters:
  ///   - timeout: How long each instance may take, where ``Injection/timeout(loading:closing:)`` does not say; `nil` for
  ///     any time. Then it is cancelled, and the next one's turn comes.
  ///   - clock: What the time is measured by.
  /// - Returns: What went wrong, in that order: ``InjectorError/closingFailed(_:underlying:)`` and
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
