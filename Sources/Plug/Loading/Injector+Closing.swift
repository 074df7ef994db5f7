import Synchronization

extension Injector {
  /// Closes the injector without waiting: runs the ``Injection/onClose(_:)-2kwn8`` closures of its instances in reverse
  /// order of construction, and releases the instances.
  ///
  /// ```swift
  /// let request = services.makeScope("request")
  /// defer { request.closeNow() }
  /// ```
  ///
  /// Every later request throws ``InjectorError/closed(_:)``. A request in progress finishes or throws that error, too.
  /// Only the closures still find what is not closed yet, and what the injector inherits.
  /// Inherited instances stay alive. Scopes of this injector can still be closed, but can request nothing through it.
  /// Closing twice has no further effect.
  ///
  /// An instance that must be closed asynchronously or on another actor, and every instance constructed before it, is
  /// closed in a task that continues after this method returns. ``close(timeout:clock:)`` waits for that task. A tracer
  /// of the product PlugOperations receives failures.
  ///
  /// A scope releases all of its instances in that order. Any other injector releases instances without closures
  /// together with its registrations, in no particular order: use `onClose` if the order matters. If such an injector
  /// is sealed, it keeps the closed instances in memory until it is deallocated, because threads may be reading them.
  public func closeNow() {
    active.closeNowItself()
  }

  /// Closes the injector like ``closeNow()``, one instance after the other, and returns when all are closed.
  ///
  /// ```swift
  /// for failure in await services.close(timeout: .seconds(10)) {
  ///   logger.error("\(failure)")
  /// }
  /// ```
  ///
  /// Loads in progress are cancelled. An instance that is being made, by a load or by another thread, is closed when it
  /// exists, before the instances that it needs; this method waits for that. Closing continues if the calling task is
  /// cancelled. Tasks that close the same injector at the same time wait for the same closing. A call inside a load or
  /// an `onClose` closure for which this closing would have to wait returns immediately, without failures.
  ///
  /// - Parameters:
  ///   - timeout: The time limit for closing each instance, unless ``Injection/timeout(loading:closing:)`` specifies
  ///     one; `nil` for no limit. After that, the closing of the instance is cancelled and the next instance is closed.
  ///   - clock: The clock that measures the time.
  /// - Returns: The failures, in order: ``InjectorError/closingFailed(_:underlying:)`` and
  ///   ``InjectorError/timedOut(_:after:)``. The last one says how many scopes of the injector were still open.
  @discardableResult
  public func close(
    timeout: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) async -> [InjectorError] {
    let injector = active
    let open = injector.openScopes.load(ordering: .relaxed)
    let failures = await injector.closeItself(Deadline(limit: timeout, clock: clock))
    return failures.map { InjectorError($0) } + (open == 0 ? [] : [injector.failure(ofOpenScopes: open)])
  }

  /// Whether the injector has been closed.
  public var isClosed: Bool { active.isClosedItself }
}

extension Injector {
  /// Releases all instances like ``closeNow()``, but keeps the registrations, so that the next request makes a new
  /// instance.
  ///
  /// ```swift
  /// func logOut() { services.reset() }
  /// ```
  ///
  /// Given instances and values of properties remain. An instance that is being made during the reset is released when
  /// its factory returns, and its request makes another one if it had to be closed. A property wrapper keeps the value
  /// that it has read. For the state of a user, a scope that you close is therefore often the better choice.
  ///
  /// An instance that must be closed asynchronously is closed in a task that continues after this method returns;
  /// ``close(timeout:clock:)`` waits for it, too. In a scope, inherited instances remain.
  ///
  /// - Note: A sealed injector keeps the old instances of what it has registered in memory until it is deallocated,
  ///   because threads may be reading them.
  public func reset() {
    active.renew { _ in true }
  }

  /// Releases the instances of one service, and keeps its registration.
  ///
  /// Instances that have been made from the old instance keep it: reset them, too, or use ``reset()``, which also says
  /// what happens to instances in use.
  ///
  /// - Parameters:
  ///   - type: The service. If it has candidates, the instances of all of them are released.
  ///   - tag: The tag the service is registered with.
  /// - Throws: ``InjectorError/notRegistered(_:)``, ``InjectorError/closed(_:)``.
  @_disfavoredOverload  // A key is a Sendable type too.
  public func reset<Service: Sendable>(_ type: Service.Type, tag: Tag? = nil) throws(InjectorError) {
    let injector = active
    let key = Key(type, tag)
    let isRegistered = try injector.cell(of: key) != nil || injector.isRegistered(type, tag: tag)
    if !isRegistered { throw injector.absence(of: key, .isReset) }
    injector.renew { $0.key.served == key }
  }
}
