/// A thread that sleeps, or a task that is suspended, until a cell has an outcome for it. It receives one outcome.
final class Waiter: Sendable {
  enum Outcome: Sendable {
    /// The attempt is over: look again.
    case look
    /// An unfinished instance, which breaks a cycle of waits.
    case take(AnyBox)
    case failed(InjectorError)
    /// The configuration that waits is part of a circle, with the instance of a cell that is made around it.
    case circle(Cell)
    /// All borrowed instances are finished.
    case proceed
    case cancelled
    case timedOut
  }

  private let tell: Guarded<(@Sendable (Outcome) -> Void)?>

  init(_ tell: @escaping @Sendable (Outcome) -> Void) { self.tell = Guarded(tell) }

  var isTold: Bool { tell.withLock { $0 == nil } }

  func wake(_ outcome: Outcome) {
    let tell = tell.withLock { tell in
      defer { tell = nil }
      return tell
    }
    tell?(outcome)
  }
}

/// The outcome for a sleeping thread.
final class Message: Sendable {
  private let outcome = Guarded(Waiter.Outcome.look)
  private let parker = Parker()

  var waiter: Waiter {
    Waiter { [self] outcome in
      self.outcome.withLock { $0 = outcome }
      parker.unpark()
    }
  }

  func wait() -> Waiter.Outcome {
    parker.park()
    return outcome.withLock { $0 }
  }
}

extension InjectorError {
  /// The outcome for requests that waited for an attempt that failed with this error. Some errors concern only the
  /// thread of the attempt: other requests look again.
  var outcomeForOthers: Waiter.Outcome {
    switch self {
    case .circularDependency, .captiveDependency, .depthExceeded, .mainActorRequired, .notLoaded: .look
    default: .failed(self)
    }
  }
}
