/// A token that ends an observation when it is cancelled or released.
///
/// Keep the token in the observing object, so that the observation ends with it:
/// `private var observation: ObservationToken?`. A token can be used from any thread.
public final class ObservationToken: Sendable {
  private let end: Guarded<(@Sendable () -> Void)?>

  package init(_ end: @escaping @Sendable () -> Void) {
    self.end = Guarded(end)
  }

  deinit { end.withLock { $0 }?() }

  /// Ends the observation. When this method returns, the closure is not running, will not run again, and has been
  /// released.
  ///
  /// If the closure is running on another thread, this method waits for it, so do not hold a lock that the closure
  /// needs. A call inside an observing closure, a factory or a configuration does not wait, because it could deadlock.
  /// A run in progress on another thread may then end later.
  ///
  /// Cancelling twice has no further effect.
  public func cancel() {
    end.withLock { $0 }?()
    // Released outside the lock, because the closure may hold users' objects.
    let ended = end.withLock { end in
      defer { end = nil }
      return end
    }
    withExtendedLifetime(ended) {}
  }
}
