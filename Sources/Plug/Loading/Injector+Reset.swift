extension Injector {
  /// Releases all instances as ``closeNow()`` does, but keeps the registrations, so that the next request makes a new
  /// instance.
  ///
  /// ```swift
  /// func logOut() { services.reset() }
  /// ```
  ///
  /// Instances that were handed in stay, as do properties and their observers. An instance being made during the reset
  /// is returned to those who wait for it, and then released. A property wrapper keeps the value it has read; for state
  /// that belongs to a user, a scope that is closed is therefore often the better choice.
  ///
  /// An instance that has to be closed asynchronously is closed in a task that continues after this method returns;
  /// ``close(timeout:clock:)`` waits for it, too. In a scope, inherited instances stay.
  ///
  /// - Note: A sealed injector that is not a scope keeps the old instances, unusable, until it is deallocated, because
  ///   threads may be reading them.
  public func reset() {
    (redirected() ?? self).renew { _ in true }
  }

  /// Releases the instances of one service, and keeps its registration.
  ///
  /// See ``reset()`` for what happens to instances in use.
  ///
  /// - Parameters:
  ///   - type: The service. If it has candidates, the instances of all of them are released.
  ///   - tag: The tag the service is registered with.
  /// - Throws: ``InjectorError/notRegistered(_:)``, ``InjectorError/closed(_:)``.
  public func reset<Service: Sendable>(type: Service.Type, tag: Tag? = nil) throws(InjectorError) {
    let injector = redirected() ?? self
    let key = Key(type, tag)
    let isRegistered = try injector.find(key) != nil || injector.isRegistered(type: type, tag: tag)
    if !isRegistered { throw injector.absence(of: key) }
    injector.renew { $0.servedKey == key }
  }
}
