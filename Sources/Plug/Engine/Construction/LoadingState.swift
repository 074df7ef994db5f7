/// Who waits for an instance that is being loaded, and what becomes of the attempt.
struct LoadingState {
  /// How it has ended for one who waits.
  enum Outcome: Sendable {
    case loaded
    case failed(InjectorError)
    case cancelled
    case timedOut
  }

  /// What resumes one who waits: an object, because the layout of what it has is only known at run time, and so would
  /// be that of everything here.
  final class Continuation: Sendable {
    private let checked: CheckedContinuation<Outcome, Never>

    init(_ checked: CheckedContinuation<Outcome, Never>) { self.checked = checked }

    func resume(returning outcome: Outcome) { checked.resume(returning: outcome) }
  }

  private enum Waiter {
    /// Is going to wait, and counts.
    case expected
    case waiting(Continuation)
    /// Has been told before it waited, or has left before.
    case told(Outcome)
  }

  /// Those who wait, by their numbers. Nearly always there is one, for whom nothing is allocated.
  private struct Waiters {
    private var first: (number: UInt, waiter: Waiter)?
    private var others: [UInt: Waiter]?

    subscript(number: UInt) -> Waiter? {
      get { first?.number == number ? first?.waiter : others?[number] }
      set {
        if first?.number == number || first == nil && others?[number] == nil {
          first = newValue.map { (number, $0) }
        } else {
          others = others ?? [:]
          others?[number] = newValue
        }
      }
    }

    var numbers: [UInt] { [first?.number].compactMap(\.self) + (others?.keys.map(\.self) ?? []) }
  }

  private struct Attempt {
    let number: UInt
    /// Known soon after the attempt has begun.
    var task: Task<Void, Never>?
    /// Nobody waits for it any more. Whoever comes now waits for its end, and then for the next one.
    var isAbandoned = false
    var isStopped = false
    /// Those who wait until it is over, whatever comes of it.
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []
  }

  private var attempt: Attempt?
  private var attempts: UInt = 0
  private var waiters = Waiters()
  private var lastWaiter: UInt = 0
  private(set) var waiterCount = 0

  /// The start that the latest attempt belongs to, and whether anyone else has waited for it.
  private var startup: (any AnyObject & Sendable)?
  private(set) var isShared = false

  /// Expects one who is going to wait.
  ///
  /// - Returns: Its number, and that of the attempt that is to be begun, if there is none.
  mutating func expect(from startup: (any AnyObject & Sendable)?) -> (waiter: UInt, begins: UInt?) {
    lastWaiter += 1
    waiters[lastWaiter] = .expected
    waiterCount += 1
    if attempt != nil {
      if startup == nil || startup !== self.startup { isShared = true }
      return (lastWaiter, nil)
    }
    self.startup = startup
    isShared = startup == nil
    return (lastWaiter, begin())
  }

  /// How it has ended for one who was expected, if it has.
  mutating func takeOutcome(of number: UInt) -> Outcome? {
    guard case .told(let outcome) = waiters[number] else { return nil }
    waiters[number] = nil
    return outcome
  }

  /// One who was expected waits, unless it has ended.
  mutating func wait(_ number: UInt, _ continuation: Continuation) -> Outcome? {
    if let outcome = takeOutcome(of: number) { return outcome }
    waiters[number] = .waiting(continuation)
    return nil
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
  mutating func leave(_ number: UInt, _ outcome: Outcome) -> (waiting: Continuation?, task: Task<Void, Never>?) {
    switch waiters[number] {
    case nil, .told: return (nil, nil)
    case .expected:
      waiters[number] = .told(outcome)
      return (nil, leaveOne())
    case .waiting(let continuation):
      waiters[number] = nil
      return (continuation, leaveOne())
    }
  }

  private mutating func leaveOne() -> Task<Void, Never>? {
    waiterCount -= 1
    return waiterCount > 0 ? nil : abandon()
  }

  /// An attempt takes too long: all who wait leave, and take it along.
  mutating func timeOut(_ number: UInt) -> (waiting: [Continuation], task: Task<Void, Never>?) {
    guard let attempt, attempt.number == number, !attempt.isAbandoned else { return ([], nil) }
    return (tell(.timedOut), abandon())
  }

  /// - Returns: The number of the attempt that is under way, and its task, to be cancelled, if that is known by now.
  mutating func stop() -> (attempt: UInt?, task: Task<Void, Never>?) {
    attempt?.isStopped = true
    return (attempt?.number, attempt?.task)
  }

  /// The number of the attempt that nobody waits for any more.
  var abandonedAttempt: UInt? { attempt?.isAbandoned == true ? attempt?.number : nil }

  /// - Returns: `false` if the attempt is over.
  mutating func awaitEnd(of number: UInt, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
    guard attempt?.number == number else { return false }
    attempt?.waitingForEnd.append(continuation)
    return true
  }

  private mutating func abandon() -> Task<Void, Never>? {
    guard attempt?.isAbandoned == false else { return nil }
    attempt?.isAbandoned = true
    return attempt?.task
  }

  enum End {
    case tells([Continuation])
    case begins(attempt: UInt)
  }

  /// - Returns: What comes then, and those who have waited for nothing but the end.
  mutating func finish(_ failure: InjectorError?) -> (End, waitingForEnd: [CheckedContinuation<Void, Never>]) {
    let waitingForEnd = attempt?.waitingForEnd ?? []
    if attempt?.isAbandoned == true, attempt?.isStopped == false, failure != nil, waiterCount > 0 {
      return (.begins(attempt: begin()), waitingForEnd)
    }
    attempt = nil
    return (.tells(tell(failure.map { .failed($0) } ?? .loaded)), waitingForEnd)
  }

  /// Tells all who wait how it has ended.
  ///
  /// - Returns: Those who have to be resumed with that.
  private mutating func tell(_ outcome: Outcome) -> [Continuation] {
    var taken: [Continuation] = []
    for number in waiters.numbers {
      switch waiters[number] {
      case nil, .told: break
      case .expected: waiters[number] = .told(outcome)
      case .waiting(let continuation):
        taken.append(continuation)
        waiters[number] = nil
      }
    }
    waiterCount = 0
    return taken
  }
}
