/// The instances that one session has made, and that are published once all have been configured which can be reached
/// from them.
///
/// A session that makes an instance with a configuration has a group. When a session on another thread needs an
/// instance of it in the meantime, it gets the instance at once, because waiting could be a deadlock: the first may in
/// turn need what the other is making. From then on it needs this group: it publishes nothing before this one's
/// configurations have run, and fails if these do. Two that need each other so finish together; one that another needs
/// minds nothing of that.
///
/// Soundness of the unchecked conformance: all state is read and written under `WaitGraph.lock`, but for `members`,
/// which belong to the session's thread.
final class PublicationGroup: @unchecked Sendable {
  /// The thread of the session.
  private let owner: ThreadContext

  private var members: [Attempt] = []
  private var needed: [PublicationGroup] = []
  private var outcome: Outcome?
  /// Whether all that can be reached has been configured, or something of it has failed.
  private var isSettled = false
  private var waiters: [ThreadContext] = []

  /// How the configurations of the session have ended.
  private enum Outcome {
    case configured
    case failed(Failure)
  }

  /// A configuration that has thrown, and whose it is.
  struct Failure {
    let error: InjectorError
    let step: ResolutionStep
  }

  init(_ owner: ThreadContext) {
    self.owner = owner
  }

  /// The thread that still has to configure; `nil` if that has ended. Read under `WaitGraph.lock`.
  var configurer: ThreadContext? { outcome == nil ? owner : nil }

  func add(_ attempt: Attempt) {
    members.append(attempt)
  }

  /// Lets the session of a thread have an instance of this one.
  ///
  /// - Returns: `false` if it is about to be published, or has failed.
  func admit(_ context: ThreadContext) -> Bool {
    if isSettled { return false }
    let own = context.sessionEnd.publicationGroup ?? PublicationGroup(context)
    context.sessionEnd.publicationGroup = own
    context.sessionEnd.pendingUses += 1
    if own !== self, !own.needed.contains(where: { $0 === self }) { own.needed.append(self) }
    return true
  }

  /// Ends the session, and returns when everything has been published or given up.
  ///
  /// - Parameter failure: What went wrong in the session.
  /// - Returns: What went wrong, there or in what it needs.
  func finish(_ context: ThreadContext, _ failure: Failure?) -> InjectorError? {
    let waiters = WaitGraph.lock.withLock { _ in
      outcome = failure.map(Outcome.failed) ?? .configured
      defer { self.waiters = [] }
      return self.waiters
    }
    for waiter in waiters { waiter.parker.unpark() }
    let cause = waitForNeeded(context)
    var error = cause?.error
    if cause != nil {
      // The last first, because there is the end of the order.
      for member in members.reversed() { member.withdraw() }
    } else {
      // Before anyone is woken who would go on to make another value.
      context.sessionEnd.keepProvisional()
    }
    for member in members { error = member.finish(cause?.error, isOwn: cause?.step === member.step) ?? error }
    // The last references to what nobody gets may go with these.
    context.sessionEnd.leftovers += members
    members = []
    return error
  }

  /// Waits until all that can be reached has been configured.
  ///
  /// - Returns: What went wrong.
  private func waitForNeeded(_ context: ThreadContext) -> Failure? {
    while true {
      let (isOver, failure, released) = WaitGraph.lock.withLock { _ -> (Bool, Failure?, ThreadContext?) in
        context.waitingFor = nil
        var reached = [self]
        var next = 0
        while next < reached.count {
          let publicationGroup = reached[next]
          next += 1
          switch publicationGroup.outcome {
          case .failed(let failure):
            settle(.failed(failure))
            return (true, failure, nil)
          case .configured: break
          case nil:
            publicationGroup.waiters.append(context)
            return (false, nil, WaitGraph.note(.configurations(of: publicationGroup), as: context))
          }
          for needed in publicationGroup.needed where !reached.contains(where: { $0 === needed }) {
            reached.append(needed)
          }
        }
        settle(.configured)
        return (true, nil, nil)
      }
      if isOver { return failure }
      released?.parker.unpark()
      context.parker.park()
    }
  }

  /// What can be reached is of no interest any more to those who reach this.
  private func settle(_ outcome: Outcome) {
    self.outcome = outcome
    isSettled = true
    needed = []
  }
}

extension ThreadContext {
  /// Puts a constructed instance aside until this session ends.
  func postpone(_ attempt: Attempt) {
    let publicationGroup = sessionEnd.publicationGroup ?? PublicationGroup(self)
    attempt.reserve()
    publicationGroup.add(attempt)
    sessionEnd.publicationGroup = publicationGroup
    sessionEnd.pendingUses += 1
    attempt.advance(to: .constructed(publicationGroup))
  }
}
