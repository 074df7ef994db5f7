/// A value that is set once, and that one thread or task waits for.
final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var resume: (@Sendable (Value) -> Void)?
  }

  private let state = Guarded(State())

  var isTold: Bool { state.withLock { $0.value != nil } }

  /// - Returns: Whether this value is the first.
  @discardableResult
  func wake(_ value: Value) -> Bool {
    let (isFirst, resume) = state.withLock { state -> (Bool, (@Sendable (Value) -> Void)?) in
      if state.value != nil { return (false, nil) }
      state.value = value
      return (true, state.resume)
    }
    resume?(value)
    return isFirst
  }

  private func whenTold(_ resume: @escaping @Sendable (Value) -> Void) {
    let value = state.withLock { state in
      state.resume = resume
      return state.value
    }
    if let value { resume(value) }
  }

  /// The value, for which the calling task is suspended.
  var value: Value {
    get async { await withCheckedContinuation { continuation in whenTold { continuation.resume(returning: $0) } } }
  }

  /// Sleeps until the value is set.
  func wait() -> Value {
    let parker = Parker()
    whenTold { _ in parker.unpark() }
    while true {
      if let value = state.withLock({ $0.value }) { return value }
      parker.park()
    }
  }
}

/// A thread that sleeps, or a task that is suspended, until a cell has an outcome for it.
typealias Waiter = Promise<Cell.Outcome>

extension Cell {
  enum Outcome: Sendable {
    /// The attempt is over: look again.
    case look
    /// An unfinished instance, which breaks a cycle of waits.
    case take(AnyBox)
    case failed(any Error)
    /// The configuration that waits is part of a circle, with the instance of a cell that is made around it.
    case circle(Cell)
    /// All borrowed instances are finished.
    case proceed
    case cancelled
    case timedOut
  }
}

extension Cell {
  /// Suspends the calling task until this instance is no longer being made, unless that would close a cycle of waits.
  ///
  /// - Returns: Whether that took no longer than the time limit.
  @discardableResult
  func waitForEnd(for asker: Asker, _ injector: Injector, _ deadline: Deadline = Deadline()) async -> Bool {
    await deadline.run { [self] in
      // A waiter that is to break a cycle of waits is woken before the attempt has ended: it enrols again.
      while true {
        let waiter = Waiter()
        guard WaitGraph.enrol(waiter, for: self, asker, injector) else { return true }
        _ = await waiter.value
        WaitGraph.leave(waiter, asker)
      }
    } ?? false
  }
}
