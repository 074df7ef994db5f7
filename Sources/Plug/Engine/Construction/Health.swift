/// How making a candidate has gone lately, and whether it is tried.
///
/// The transitions are those of a circuit breaker (M. Nygard, "Release It!", 2007), without the lock around them.
struct HealthState {
  /// A failure, for those who want to know.
  struct Failure: Sendable {
    let text: String
    /// In seconds since 1970.
    let time: Double
  }

  /// What a choice that tries the candidate shows when it knows how that went.
  struct Ticket: Sendable {
    fileprivate let round: UInt
    fileprivate let isTrial: Bool
  }

  private(set) var failures = 0
  private(set) var last: Failure?
  /// Until when it is not tried, on the clock of the policy.
  private(set) var quarantinedUntil: Duration?
  private var isOnTrial = false
  /// How many outcomes have counted.
  private var round: UInt = 0

  /// Whether nobody tries it at a time.
  func isRefused(at now: Duration) -> Bool {
    guard let quarantinedUntil else { return false }
    return isOnTrial || now < quarantinedUntil
  }

  /// - Returns: `nil` if it is not to be tried.
  mutating func admit(at now: Duration) -> Ticket? {
    if isRefused(at: now) { return nil }
    isOnTrial = quarantinedUntil != nil
    return Ticket(round: round, isTrial: isOnTrial)
  }

  /// The candidate was not made, for a reason that does not count.
  mutating func takeBack(_ ticket: Ticket) {
    if ticket.isTrial, ticket.round == round { isOnTrial = false }
  }

  mutating func succeed(_ ticket: Ticket) {
    if ticket.round != round || failures == 0 { return }
    self = HealthState(after: round)
  }

  /// It has failed; that counts, unless another outcome has counted since the ticket was given.
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

/// The health of a candidate, for all who choose it.
final class Health: Sendable {
  let policy: FailurePolicy
  private let state = Guarded(HealthState())

  init(_ policy: FailurePolicy) { self.policy = policy }

  // The clock is one of the user's: it is read outside of the lock.
  private var now: Duration { policy.quarantine?.now() ?? .zero }

  /// - Returns: `nil` if it is not to be tried now.
  func admit() -> HealthTicket? {
    let now = now
    return state.withLock { $0.admit(at: now) }.map { HealthTicket(health: self, ticket: $0) }
  }

  fileprivate func end(_ ticket: HealthState.Ticket, _ error: InjectorError?) {
    guard let error else { return state.withLock { $0.succeed(ticket) } }
    guard error.isFailureOfCandidate else { return state.withLock { $0.takeBack(ticket) } }
    let failure = HealthState.Failure(text: ErrorText(error).headline, time: secondsSince1970())
    let now = now
    state.withLock { $0.fail(ticket, failure, policy.quarantine, at: now) }
  }

  fileprivate func takeBack(_ ticket: HealthState.Ticket) { state.withLock { $0.takeBack(ticket) } }

  /// Whether nobody tries it now.
  var isRefused: Bool {
    let now = now
    return state.withLock { $0.isRefused(at: now) }
  }

  /// What is to be said of the last failures, and whether nobody tries it now; `nil` if the last time it went well.
  var explanation: (failure: Explanation.Failure, isRefused: Bool)? {
    let now = now
    let state = state.withLock { $0 }
    guard let last = state.last else { return nil }
    let failure = Explanation.Failure(
      count: state.failures, error: last.text, time: last.time,
      quarantine: state.quarantinedUntil.map { max($0 - now, .zero).seconds })
    return (failure, state.isRefused(at: now))
  }
}

/// The leave to try a candidate, to be given back.
struct HealthTicket: Sendable {
  let health: Health
  fileprivate let ticket: HealthState.Ticket

  func succeed() { health.end(ticket, nil) }

  /// The candidate could not be made. That counts if the reason is its own.
  func fail(_ error: InjectorError) { health.end(ticket, error) }

  func takeBack() { health.takeBack(ticket) }
}

extension Cell {
  /// The health of the candidate that this makes, in whichever scope; `nil` if its failures are thrown.
  var health: Health? { toleratesFailure ? (registeredCell ?? self).state.health : nil }

  var failure: (failure: Explanation.Failure, isRefused: Bool)? { health?.explanation }
}

extension Duration {
  /// In seconds.
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
