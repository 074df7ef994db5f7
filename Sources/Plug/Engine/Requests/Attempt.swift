/// One attempt to build one shared instance.
///
/// Threads that come while it runs wait for it. An attempt goes from constructing to finished, by way of constructed
/// if the instance, or one that was made with it, still has to be configured.
class Attempt: @unchecked Sendable {
  // Soundness of the unchecked conformance: all state is immutable or in `progress`; subclasses state their own.
  enum Phase {
    case constructing
    case constructed(PublicationGroup)
    case finished(InjectorError?)
    /// It has failed because of another that was to be published with it: whoever waits may begin again.
    case abandoned
  }

  struct Progress {
    var phase = Phase.constructing
    var waiters: [ThreadContext] = []
  }

  let step: ResolutionStep
  let owner: ThreadContext

  /// Whether it only keeps others from doing the same meanwhile: one who cannot wait for it may do that, too.
  var isOptional: Bool { false }

  private let progress = Guarded(Progress())

  init(step: ResolutionStep, owner: ThreadContext) {
    self.step = step
    self.owner = owner
  }

  /// The steps of its owner that it has led to, itself the first. For one who knows that the owner sleeps.
  ///
  /// What it has begun to make without a cell stands there as what is registered.
  var steps: [ResolutionStep] {
    let trail = owner.trail
    let first = trail.firstIndex { $0 === step } ?? trail.firstIndex { $0 === step.original }
    return Array(trail[(first ?? trail.endIndex)...])
  }

  /// Keeps a place for an instance that is published later, in the order of construction.
  func reserve() {}

  /// Gives that place up.
  func withdraw() {}

  /// Makes the instance the cell's, or forgets it if `failure` is given; wakes everyone who waits.
  ///
  /// - Parameter isOwn: Whether it was this attempt that failed, and none that was to be published with it.
  /// - Returns: What went wrong, now or before.
  func finish(_ failure: InjectorError?, isOwn: Bool) -> InjectorError? {
    advance(to: failure == nil || isOwn ? .finished(failure) : .abandoned)
    return failure
  }

  final func advance(to phase: Phase) {
    let waiters = progress.withLock { progress in
      progress.phase = phase
      defer { progress.waiters = [] }
      return progress.waiters
    }
    for waiter in waiters { waiter.parker.unpark() }
  }

  var phase: Phase { progress.withLock { $0.phase } }

  /// Adds a thread to be woken at the next change, unless there has been one since `isCurrent` was true.
  final func enroll(_ context: ThreadContext, while isCurrent: (Phase) -> Bool) -> Bool {
    progress.withLock { progress in
      guard isCurrent(progress.phase) else { return false }
      progress.waiters.append(context)
      return true
    }
  }
}
