/// A thread that sleeps, or a task that is suspended, until a cell has news. It is told once.
final class Waiter: Sendable {
  enum Outcome: Sendable {
    /// The attempt is over: look again.
    case look
    /// An unfinished instance, which breaks a circle of waits.
    case take(AnyBox)
    case failed(InjectorError)
    /// The configuration that waits is part of a circle. It runs again when something is constructed.
    case postpone(until: Registration)
    /// Everything that was borrowed is finished.
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

/// What a sleeping thread is told.
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
  /// What requests are told that waited for an attempt which failed with this error. Some errors are about the thread
  /// that made the attempt: the others look again.
  var outcomeForOthers: Waiter.Outcome {
    switch self {
    case .circularDependency, .captiveDependency, .depthExceeded, .mainActorRequired, .notLoaded: .look
    default: .failed(self)
    }
  }
}
