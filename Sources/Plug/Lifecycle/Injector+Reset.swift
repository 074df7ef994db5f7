extension Injector {
  /// Gives up all instances, as ``closeNow()`` does, and keeps the registrations: whatever is asked for is made anew.
  ///
  /// ```swift
  /// func logOut() { services.reset() }
  /// ```
  ///
  /// Instances that were handed in stay, and so do properties and their observers. What is being made meanwhile is given to
  /// those who wait for it, and given up then. A property wrapper keeps the value that it has read; so for what belongs to
  /// a user, a scope that is closed is often the better choice. A sealed injector which is no scope keeps what it has given
  /// up, though not for use, until it is released: threads may be reading it.
  ///
  /// What has to be closed asynchronously is closed in a task that goes on after this returns; ``close(timeout:clock:)``
  /// waits for it too. In a scope, what it inherits stays.
  public func reset() {
    isolated().renew(nil)
  }

  /// Gives up the instances of one service, and keeps its registration, see ``reset()``.
  ///
  /// - Parameters:
  ///   - type: The service; with candidates, the instances of all of them.
  ///   - tag: Its tag.
  /// - Throws: ``InjectorError/notRegistered(_:)``, ``InjectorError/closed(_:)``.
  public func reset<Service: Sendable>(type: Service.Type, tag: Tag? = nil) throws(InjectorError) {
    let injector = isolated()
    _ = try injector.entry(type, tag)
    injector.renew(ServiceKey(type, tag))
  }
}
