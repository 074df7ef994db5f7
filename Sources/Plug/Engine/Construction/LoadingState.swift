/// Who waits for an instance that is being loaded, and what becomes of the attempt.
struct LoadingState {
  /// How it has ended for one who waits.
  enum Outcome: Sendable {
    case loaded
    case failed(InjectorError)
    case cancelled
    case timedOut
  }

  typealias Continuation = CheckedContinuation<Outcome, Never>

  private enum Waiter {
    case expected
    case waiting(Continuation)
    case cancelled
  }

  private struct Attempt {
    let number: UInt
    /// Known soon after the attempt has begun.
    var task: Task<Void, Never>?
    /// Nobody waits for it any more. Whoever comes now waits for its end, and then for the next one.
    var isAbandoned = false
    var isStopped = false
  }

  private var attempt: Attempt?
  private var attempts: UInt = 0
  private var waiters: [UInt: Waiter] = [:]
  private var lastWaiter: UInt = 0
  private(set) var waiterCount = 0

  /// The start that the latest attempt belongs to, and whether anyone else has waited for it.
  private var startup: (any AnyObject & Sendable)?
  private(set) var isShared = false

  /// Expects one who is going to wait.
  mutating func expect() -> UInt {
    lastWaiter += 1
    waiters[lastWaiter] = .expected
    return lastWaiter
  }

  enum Arrival {
    case begins(attempt: UInt)
    case joins
    /// It has been cancelled before.
    case leaves
  }

  mutating func arrive(_ number: UInt, _ continuation: Continuation, from startup: (any AnyObject & Sendable)?)
    -> Arrival
  {
    if case .cancelled = waiters[number] {
      waiters[number] = nil
      return .leaves
    }
    waiters[number] = .waiting(continuation)
    waiterCount += 1
    guard attempt == nil else {
      if startup == nil || startup !== self.startup { isShared = true }
      return .joins
    }
    self.startup = startup
    isShared = startup == nil
    return .begins(attempt: begin())
  }

  private mutating func begin() -> UInt {
    attempts += 1
    attempt = Attempt(number: attempts)
    return attempts
  }

  /// - Returns: Whether the task is to be cancelled at once.
  mutating func note(_ task: Task<Void, Never>, of number: UInt) -> Bool {
    guard let current = attempt, current.number == number else { return false }
    attempt?.task = task
    return current.isAbandoned || current.isStopped
  }

  /// One who waits leaves; the last one takes the attempt along.
  mutating func cancel(_ number: UInt) -> (waiting: Continuation?, task: Task<Void, Never>?) {
    switch waiters[number] {
    case nil, .cancelled: return (nil, nil)
    case .expected:
      waiters[number] = .cancelled
      return (nil, nil)
    case .waiting(let continuation):
      waiters[number] = nil
      waiterCount -= 1
      return (continuation, waiterCount > 0 ? nil : abandon())
    }
  }

  /// An attempt takes too long: all who wait leave, and take it along.
  mutating func timeOut(_ number: UInt) -> (waiting: [Continuation], task: Task<Void, Never>?) {
    guard let attempt, attempt.number == number, !attempt.isAbandoned else { return ([], nil) }
    return (takeWaiting(), abandon())
  }

  /// - Returns: The task of the attempt that is under way, to be cancelled.
  mutating func stop() -> Task<Void, Never>? {
    attempt?.isStopped = true
    return attempt?.task
  }

  /// The task of the attempt that nobody waits for any more.
  var abandonedTask: Task<Void, Never>? { attempt?.isAbandoned == true ? attempt?.task : nil }

  private mutating func abandon() -> Task<Void, Never>? {
    guard attempt?.isAbandoned == false else { return nil }
    attempt?.isAbandoned = true
    return attempt?.task
  }

  enum End {
    case tells([Continuation])
    case begins(attempt: UInt)
  }

  mutating func finish(_ failure: InjectorError?) -> End {
    if attempt?.isAbandoned == true, attempt?.isStopped == false, failure != nil, waiterCount > 0 {
      return .begins(attempt: begin())
    }
    attempt = nil
    return .tells(takeWaiting())
  }

  private mutating func takeWaiting() -> [Continuation] {
    var taken: [Continuation] = []
    for (number, waiter) in waiters {
      guard case .waiting(let continuation) = waiter else { continue }
      taken.append(continuation)
      waiters[number] = nil
    }
    waiterCount = 0
    return taken
  }
}
