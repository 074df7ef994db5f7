extension Injector {
  /// Reports each time that a candidate of a service, or of any, is chosen and given to somebody.
  ///
  /// ```swift
  /// let token = services.onSelection(of: (any Checkout).self) { exposure in logger.info("\(exposure)") }
  /// ```
  ///
  /// The closure runs on the thread that asks, when the instance is there and before it is returned; no lock is held.
  /// What it asks for itself is not reported. Choices in scopes of this injector are reported too, those in an isolated
  /// test are not. A service with one registration and no rules is not chosen, so it has no exposures. It can be called
  /// after ``seal(_:)``, several times.
  ///
  /// While any injector of the program reports, each choice takes a slower path; requests for services that nobody
  /// chooses do not.
  ///
  /// - Parameters:
  ///   - service: The service; `nil` for all.
  ///   - receive: Receives the exposures. When it has been cancelled, it may still be running on another thread.
  /// - Returns: What ends it when it is cancelled or released.
  public func onSelection(
    of service: (any Any.Type)? = nil, _ receive: @escaping @Sendable (Exposure) -> Void
  ) -> ObservationToken { follow(Follower(of: service, receive)) }

  /// Reports for whom a candidate of a service, or of any, is chosen, each time or once.
  ///
  /// ```swift
  /// let token = services.onSelection(of: (any Checkout).self, .once(per: \Shopper.id)) { exposure in
  ///   analytics.track(exposure.candidate, for: exposure.identifier)
  /// }
  /// ```
  ///
  /// Choices in contexts of another type are not reported. See ``onSelection(of:_:)``.
  ///
  /// - Parameters:
  ///   - service: The service; `nil` for all.
  ///   - filter: What identifies a context, and whether an identifier is reported once for a candidate of a service.
  ///   - receive: Receives the exposures.
  /// - Returns: What ends it when it is cancelled or released.
  public func onSelection<Context: Sendable>(
    of service: (any Any.Type)? = nil, _ filter: ExposureFilter<Context>,
    _ receive: @escaping @Sendable (Exposure) -> Void
  ) -> ObservationToken { follow(IdentifyingFollower(of: service, filter, receive)) }

  func follow(_ follower: Follower) -> ObservationToken {
    let injector = isolated()
    injector.updateListeners { $0.followers.append(follower) }
    return ObservationToken { [weak injector] in
      follower.end()
      injector?.updateListeners { $0.followers.removeAll { $0 === follower } }
    }
  }
}

/// Those who are told what happens in an injector.
struct Listeners: Sendable {
  var tracer: Tracer?
  var tracers: [AddedTracer] = []
  var followers: [Follower] = []
}

extension Injector {
  func updateListeners<Result>(_ change: (inout Listeners) -> Result) -> Result {
    listeners.update(from: Listeners(), change)
  }
}
