/// Who waits for an instance that is being loaded, and what becomes of the attempt.
struct LoadingState {
  /// How an attempt has ended for one who waits.
  enum Outcome: Sendable {
    case loaded
    case failed(InjectorError)
    case cancelled
  }

  typealias Continuation = CheckedContinuation<Outcome, Never>

  private enum Waiter {
    case expected
    case waiting(Continuation)
    case cancelled
  }

  private enum Attempt {
    case none
    /// The task is known soon after the attempt has begun.
    case running(UInt, Task<Void, Never>?)
    /// Nobody waits for it any more. Whoever comes now waits for its end, and then for the next one.
    case abandoned(UInt, Task<Void, Never>?)
  }

  private var attempt = Attempt.none
  private var waiters: [UInt: Waiter] = [:]
  private var lastNumber: UInt = 0
  private var attempts: UInt = 0

  /// Expects one who is going to wait.
  mutating func expect() -> UInt {
    lastNumber += 1
    waiters[lastNumber] = .expected
    return lastNumber
  }

  enum Arrival {
    case begins(attempt: UInt)
    case joins
    /// It has been cancelled before.
    case leaves
  }

  mutating func arrive(_ number: UInt, _ continuation: Continuation) -> Arrival {
    if case .cancelled = waiters[number] {
      waiters[number] = nil
      return .leaves
    }
    waiters[number] = .waiting(continuation)
    guard case .none = attempt else { return .joins }
    return .begins(attempt: begin())
  }

  private mutating func begin() -> UInt {
    attempts += 1
    attempt = .running(attempts, nil)
    return attempts
  }

  /// - Returns: Whether the task is to be cancelled at once.
  mutating func note(_ task: Task<Void, Never>, of number: UInt) -> Bool {
    switch attempt {
    case .running(number, _):
      attempt = .running(number, task)
      return false
    case .abandoned(number, _):
      attempt = .abandoned(number, task)
      return true
    default: return false
    }
  }

  /// One who waits is cancelled; the last one takes the attempt along.
  mutating func cancel(_ number: UInt) -> (waiting: Continuation?, task: Task<Void, Never>?) {
    switch waiters[number] {
    case nil, .cancelled: return (nil, nil)
    case .expected:
      waiters[number] = .cancelled
      return (nil, nil)
    case .waiting(let continuation):
      waiters[number] = nil
      return (continuation, waiterCount > 0 ? nil : abandon())
    }
  }

  /// The task of the attempt that is under way.
  var task: Task<Void, Never>? {
    if case .running(_, let task) = attempt { task } else { nil }
  }

  /// The task of the attempt that nobody waits for any more.
  var abandonedTask: Task<Void, Never>? {
    if case .abandoned(_, let task) = attempt { task } else { nil }
  }

  private mutating func abandon() -> Task<Void, Never>? {
    guard case .running(let number, let task) = attempt else { return nil }
    attempt = .abandoned(number, task)
    return task
  }

  enum End {
    case tells([Continuation])
    case begins(attempt: UInt)
  }

  mutating func finish(_ failure: InjectorError?) -> End {
    if case .abandoned = attempt, failure != nil, waiterCount > 0 { return .begins(attempt: begin()) }
    attempt = .none
    let waiting = waiters.filter { if case .waiting = $1 { true } else { false } }
    for number in waiting.keys { waiters[number] = nil }
    return .tells(waiting.values.compactMap { if case .waiting(let continuation) = $0 { continuation } else { nil } })
  }

  var waiterCount: Int {
    waiters.values.count { if case .waiting = $0 { true } else { false } }
  }
}
