/// One who looks whenever something may have changed: one look at a time, none inside of another.
///
/// Whoever comes while a look is under way leaves it to the one who looks to do it again. So whoever looks sees what is
/// newest, and what it has seen last is the last.
///
/// Soundness of the unchecked conformance: everything is immutable or guarded; subclasses state their own.
@usableFromInline
class Observer: @unchecked Sendable {
  private struct Progress {
    /// The thread that looks.
    var runner: ThreadContext?
    var mustLookAgain = false
    var isOver = false
    var waiters: [ThreadContext] = []
    /// Whether the one who looks has made a change itself, and how many looks in a row have come of that.
    var isEcho = false
    var echoes = 0
  }

  /// How many changes somebody may make because of changes that they have made themselves.
  @usableFromInline static let echoLimit = 100_000

  private let progress = Guarded(Progress())

  /// Looks at what may have changed.
  func see() {}

  /// Does what is to be done when there will be nothing more to be seen.
  func finish() {}

  /// The injector of a state that is observed has been closed.
  func end(of state: AnyPropertyState) { end() }

  /// Ends the program, because the changes that this one makes itself have no end.
  func trapWithoutEnd() -> Never { fatalError("An observation never settles: it makes another change each time.") }

  final func look() {
    let context = ThreadContext.current
    let isMine = progress.withLock { progress in
      if progress.isOver { return false }
      guard let runner = progress.runner else {
        progress.runner = context
        return true
      }
      progress.mustLookAgain = true
      if runner === context { progress.isEcho = true }
      return false
    }
    guard isMine else { return }
    context.observing += 1
    repeat { see() } while mustLookAgain()
    context.observing -= 1
  }

  /// Whether there may be something new; else the look has ended, and those who wait for that are woken.
  private func mustLookAgain() -> Bool {
    let (isAgain, waiters) = progress.withLock { progress -> (Bool, [ThreadContext]) in
      if progress.mustLookAgain && !progress.isOver {
        progress.mustLookAgain = false
        progress.echoes = progress.isEcho ? progress.echoes + 1 : 0
        progress.isEcho = false
        return (true, [])
      }
      defer {
        progress.runner = nil
        progress.waiters = []
        (progress.isEcho, progress.echoes) = (false, 0)
      }
      return (false, progress.waiters)
    }
    if progress.withLock({ $0.echoes }) > Self.echoLimit { trapWithoutEnd() }
    for waiter in waiters { waiter.parker.unpark() }
    return isAgain
  }

  /// Whether there will be no more looks.
  final var isOver: Bool { progress.withLock { $0.isOver } }

  /// Ends the looking, and returns when no look is under way any more; at once if that could be for ever.
  final func cancel() {
    let context = ThreadContext.current
    let mayWait = context.isIdle && context.observing == 0
    while true {
      let hasEnded = progress.withLock { progress in
        progress.isOver = true
        guard mayWait, progress.runner != nil else { return true }
        if !progress.waiters.contains(where: { $0 === context }) { progress.waiters.append(context) }
        return false
      }
      if hasEnded { return }
      context.parker.park()
    }
  }

  /// Ends the looking, because there will be nothing more to be seen.
  final func end() {
    let isFirst = progress.withLock { progress in
      defer { progress.isOver = true }
      return !progress.isOver
    }
    if isFirst { finish() }
  }
}
