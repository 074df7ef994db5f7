/// Ends an observation when it is cancelled or released.
public final class ObservationToken: Sendable {
  private let end: Guarded<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = Guarded(end)
  }

  deinit { end.withLock { $0 }?() }

  /// Ends the observation: once this has returned, the closure is not running any more and never will again.
  ///
  /// If it is running on another thread, that is waited for; so hold no lock that it needs. From inside of an observing
  /// closure, a factory or a configuration nothing is waited for, because that could be for ever: a call that is under
  /// way elsewhere may then end later. Cancelling twice is cancelling once. The closure is released.
  public func cancel() {
    end.withLock { $0 }?()
    // Released outside of the lock: what the closure holds may go with it.
    let ended = end.withLock { end in
      defer { end = nil }
      return end
    }
    withExtendedLifetime(ended) {}
  }
}
