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
    isolated().renew(nil)
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
    let injector = isolated()
    _ = try injector.entry(type, tag)
    injector.renew(ServiceKey(type, tag))
  }

  private func renew(_ key: ServiceKey?) {
    close(forgetInstances(of: key))
  }

  /// Forgets the instances of a service, or of all, so that others are made.
  ///
  /// - Returns: Those that are to be closed. Nothing else holds them when this returns, so that they go in order.
  private func forgetInstances(of key: ServiceKey?) -> [AnyEntry] {
    let own = instanceStore.withLock { store in
      store.cells.own + (store.known.map { $0.overlays.values.flatMap(\.parts) + $0.argumentCells.keys } ?? [])
    }
    let cells = (registrations.entries.flatMap(\.parts) + own).filter { cell in
      (key == nil || cell.decoratedKey ?? cell.key == key) && cell.lifetime != .singleton && !cell.isState
    }
    return renew(cells)
  }
}
