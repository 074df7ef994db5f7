import Plug
import Synchronization

/// The recent failures of a candidate, and whether choices try it.
///
/// The transitions follow the circuit breaker (M. Nygard, "Release It!", 2007), without the lock around them.
struct HealthState: Sendable {
  struct Failure: Sendable {
    let text: String
    /// In seconds since 1970.
    let time: Double
  }

  /// The ticket with which a choice reports the outcome of its attempt.
  struct Ticket: Sendable {
    fileprivate let round: UInt
    fileprivate let isTrial: Bool
  }

  private(set) var failures = 0
  private(set) var last: Failure?
  /// The end of the quarantine, on the clock of the policy.
  private(set) var quarantinedUntil: Duration?
  private var isOnTrial = false
  /// The number of outcomes that have counted.
  private var round: UInt = 0

  /// Whether choices skip the candidate at a time.
  func isRefused(at now: Duration) -> Bool {
    guard let quarantinedUntil else { return false }
    return isOnTrial || now < quarantinedUntil
  }

  /// - Returns: A ticket for one attempt; `nil` if choices skip the candidate.
  mutating func admit(at now: Duration) -> Ticket? {
    if isRefused(at: now) { return nil }
    isOnTrial = quarantinedUntil != nil
    return Ticket(round: round, isTrial: isOnTrial)
  }

  /// Ends an attempt that did not make the candidate, for a reason that does not count.
  mutating func takeBack(_ ticket: Ticket) {
    if ticket.isTrial, ticket.round == round { isOnTrial = false }
  }

  mutating func succeed(_ ticket: Ticket) {
    if ticket.round != round || failures == 0 { return }
    self = HealthState(after: round)
  }

  /// Ends an attempt that failed. The failure counts, unless another outcome has counted since the ticket was issued.
  mutating func fail(_ ticket: Ticket, _ failure: Failure, _ policy: FailurePolicy.Quarantine?, at now: Duration) {
    if ticket.round != round { return }
    let count = failures
    self = HealthState(after: round)
    failures = count + 1
    last = failure
    if let policy, ticket.isTrial || failures >= policy.failures { quarantinedUntil = now + policy.duration }
  }

  init() {}

  private init(after round: UInt) { self.round = round &+ 1 }
}

/// The health of a candidate, for all choices in its injector and in scopes.
final class Health: Sendable {
  let policy: FailurePolicy
  private let state = Guarded(HealthState())

  init(_ policy: FailurePolicy) { self.policy = policy }

  // The clock may be the user's, so it is read outside of the lock.
  private var now: Duration { policy.quarantine?.now() ?? .zero }

  func admit() -> HealthState.Ticket? {
    let now = now
    return state.withLock { $0.admit(at: now) }
  }

  func succeed(_ ticket: HealthState.Ticket) { state.withLock { $0.succeed(ticket) } }

  func takeBack(_ ticket: HealthState.Ticket) { state.withLock { $0.takeBack(ticket) } }

  func fail(_ ticket: HealthState.Ticket, _ error: InjectorError) {
    let failure = HealthState.Failure(text: error.headline, time: secondsSince1970())
    let now = now
    state.withLock { $0.fail(ticket, failure, policy.quarantine, at: now) }
  }

  /// Whether choices skip the candidate now.
  var isRefused: Bool {
    let now = now
    return state.withLock { $0.isRefused(at: now) }
  }

  /// The last failures; `nil` if the last attempt succeeded.
  var failure: Explanation.Failure? {
    let now = now
    let state = state.withLock { $0 }
    guard let last = state.last else { return nil }
    return Explanation.Failure(
      count: state.failures, error: last.text, time: last.time,
      quarantine: state.quarantinedUntil.map { max($0 - now, .zero).seconds })
  }
}

extension Registration {
  /// The health of this candidate; `nil` if the candidate has not been tried, or its failures are thrown.
  var health: Health? { (origin ?? self).attachment(Health.self) }
}

/// The guard that applies a policy. It is an extra of an injection.
final class HealthGuard: CandidateGuard {
  let policy: FailurePolicy

  init(_ policy: FailurePolicy) { self.policy = policy }

  private func health(of candidate: Registration) -> Health {
    (candidate.origin ?? candidate).attachment(Health.self) { Health(policy) }
  }

  func refusal(of candidate: Registration) -> Explanation.Verdict? {
    candidate.health?.isRefused == true ? .quarantined : nil
  }

  func notes(on candidate: Registration) -> Notes? {
    candidate.health?.failure.map { ([$0.description], [Explanation.Failure.valueName: $0.json]) }
  }

  func attempt(at candidate: Registration) -> (any CandidateAttempt)? {
    let health = health(of: candidate)
    return health.admit().map { HealthAttempt(health, $0) }
  }
}

/// One attempt to make a candidate.
private final class HealthAttempt: CandidateAttempt {
  private let health: Health
  private let ticket: HealthState.Ticket
  private let hasEnded = Atomic(false)

  init(_ health: Health, _ ticket: HealthState.Ticket) { (self.health, self.ticket) = (health, ticket) }

  deinit { if !hasEnded.load(ordering: .acquiring) { health.takeBack(ticket) } }

  func end(_ error: (any Error)?) -> Bool {
    if hasEnded.exchange(true, ordering: .acquiringAndReleasing) { return false }
    guard let error = error.map(InjectorError.init) else {
      health.succeed(ticket)
      return false
    }
    guard error.isFailureOfCandidate else {
      health.takeBack(ticket)
      return false
    }
    health.fail(ticket, error)
    return true
  }
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension InjectorError {
  /// Whether the cause is a factory, a dependency or a time limit, so that another candidate may succeed.
  fileprivate var isFailureOfCandidate: Bool {
    switch self {
    case .constructionFailed, .timedOut, .notRegistered, .noCandidate, .contextMissing, .contextMismatch,
      .argumentsMismatch:
      true
    default: false
    }
  }
}
