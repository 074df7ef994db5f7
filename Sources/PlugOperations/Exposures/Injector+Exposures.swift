public import Plug

extension Injector {
  /// Reports each time that a candidate of a service, or of any, is chosen and returned.
  ///
  /// ```swift
  /// let token = services.onSelection(of: (any Checkout).self) { exposure in
  ///   logger.info("\(exposure)")
  /// }
  /// ```
  ///
  /// The closure runs on the thread that asks, when the instance is there and before it is returned; no lock is held.
  /// What it asks for itself is not reported. Choices in scopes of this injector are reported too, those in an isolated
  /// test are not. A service with one registration and no rules is not chosen, so it has no exposures. Flags that code
  /// reads from this injector are reported with those of services, and by themselves for `Flags.self`. It can be called
  /// after `seal()`, several times.
  ///
  /// While it reports, requests in this injector and its scopes take a slower path.
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
  /// let token = services.onSelection(
  ///   of: (any Checkout).self, .once(per: \Shopper.id)
  /// ) { exposure in
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
  ) -> ObservationToken { follow(Follower(of: service, filter, receive)) }

  /// Remembers the last selections of this injector and its scopes, for ``report()``.
  ///
  /// - Parameter count: How many are remembered; at least 1.
  /// - Returns: What ends it when it is cancelled or released.
  public func rememberSelections(last count: Int = 50) -> ObservationToken {
    let last = LastExposures(count)
    return follow(Follower(of: nil, keeping: last) { last.add($0) })
  }

  /// Remembers for whom the last selections in contexts of one type were made, for ``report()``.
  ///
  /// - Parameters:
  ///   - count: How many are remembered; at least 1.
  ///   - identifier: What identifies a context; it appears in the report.
  /// - Returns: What ends it when it is cancelled or released.
  public func rememberSelections<Context: Sendable>(
    last count: Int = 50, by identifier: any KeyPath<Context, String> & Sendable
  ) -> ObservationToken {
    let last = LastExposures(count)
    return follow(Follower(of: nil, .each(by: identifier), keeping: last) { last.add($0) })
  }

  private func follow(_ follower: Follower) -> ObservationToken {
    let injector = active
    let followers = injector.hook(Followers.self)
    followers.add(follower)
    injector.settle(followers)
    let place = WeakInjector(injector: injector)
    return ObservationToken {
      follower.end()
      followers.remove(follower)
      place.injector?.settle(followers)
    }
  }
}
