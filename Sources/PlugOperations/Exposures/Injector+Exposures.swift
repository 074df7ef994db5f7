public import Plug

extension Injector {
  /// Calls a closure each time a candidate of one service, or of any service, is chosen and returned.
  ///
  /// ```swift
  /// let token = services.onSelection(of: (any Checkout).self) { exposure in
  ///   logger.info("\(exposure)")
  /// }
  /// ```
  ///
  /// The closure runs on the requesting thread, after the instance has been made and before it is returned. No lock is
  /// held. Requests of the closure itself are not reported. Choices in scopes of this injector are reported, too, but
  /// choices in an isolated test are not. A service with one registration and no rules involves no choice, so it has no
  /// exposures. Flags that code reads from this injector are reported with all services, and alone for `Flags.self`.
  /// You can call this method several times, and after `seal()`.
  ///
  /// While the token is alive, requests in this injector and its scopes take a slower path.
  ///
  /// - Parameters:
  ///   - service: The service; `nil` for all services.
  ///   - receive: Receives the exposures. It may still be running on another thread after the token has been cancelled.
  /// - Returns: A token that ends the reports when it is cancelled or released.
  public func onSelection(
    of service: (any Any.Type)? = nil, _ receive: @escaping @Sendable (Exposure) -> Void
  ) -> ObservationToken { follow(Follower(of: service, receive)) }

  /// Calls a closure with the identifier for which a candidate is chosen, each time or once.
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
  ///   - service: The service; `nil` for all services.
  ///   - filter: The property that identifies a context, and whether each identifier is reported only once for a
  ///     candidate.
  ///   - receive: Receives the exposures.
  /// - Returns: A token that ends the reports when it is cancelled or released.
  public func onSelection<Context: Sendable>(
    of service: (any Any.Type)? = nil, _ filter: ExposureFilter<Context>,
    _ receive: @escaping @Sendable (Exposure) -> Void
  ) -> ObservationToken { follow(Follower(of: service, filter, receive)) }

  /// Remembers the last selections of this injector and its scopes, for ``report()``.
  ///
  /// - Parameter count: The number of selections to remember; at least 1.
  /// - Returns: A token. When it is cancelled or released, the selections are forgotten.
  public func rememberSelections(last count: Int = 50) -> ObservationToken {
    let last = LastExposures(count)
    return follow(Follower(of: nil, keeping: last) { last.add($0) })
  }

  /// Remembers the last selections in contexts of one type, with the identifiers of the contexts, for ``report()``.
  ///
  /// - Parameters:
  ///   - count: The number of selections to remember; at least 1.
  ///   - identifier: The property that identifies a context. The report contains its values.
  /// - Returns: A token. When it is cancelled or released, the selections are forgotten.
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
