/// Loads the instance of one cell for all who want it at once.
///
/// There is one attempt at a time, in a task of its own: it goes on for as long as anyone waits for it. An attempt that
/// nobody waits for, or that takes too long, is cancelled. If it comes to its end all the same, its instance is the
/// one; if not, those who have come in the meantime begin another.
final class Loading: Sendable {
  /// Makes the instance the cell's.
  typealias Attempt = @Sendable () async -> InjectorError?

  /// What it loads.
  let declaration: Declaration

  private let state = Guarded(LoadingState())

  init(_ declaration: Declaration) {
    self.declaration = declaration
  }

  /// Waits for the instance; begins to load it if nobody has.
  ///
  /// - Parameter deadline: How long the attempt may take, or one who joins may wait.
  func join(
    _ deadline: Deadline, from startup: (any AnyObject & Sendable)?, _ attempt: @escaping Attempt
  ) async -> LoadingState.Outcome {
    let (number, begins) = state.withLock { $0.expect(from: startup) }
    if let begins {
      begin(begins, deadline, attempt)
      // It may be over already.
      if let outcome = state.withLock({ $0.takeOutcome(of: number) }) { return outcome }
    }
    let timer = begins == nil ? deadline.timer { self.leave(number, .timedOut) } : nil
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { checked in
        let continuation = LoadingState.Continuation(checked)
        if let outcome = state.withLock({ $0.wait(number, continuation) }) { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      leave(number, .cancelled)
    }
    timer?.cancel()
    return outcome
  }

  private func leave(_ number: UInt, _ outcome: LoadingState.Outcome) {
    let (waiting, task) = state.withLock { $0.leave(number, outcome) }
    task?.cancel()
    waiting?.resume(returning: outcome)
  }

  /// Cancels the attempt that is under way. Those who wait for it are told how it ends.
  ///
  /// - Returns: Its number.
  func stop() -> UInt? {
    let (attempt, task) = state.withLock { $0.stop() }
    task?.cancel()
    return attempt
  }

  /// Waits until an attempt is over. Its task may not be known yet when it is stopped.
  func waitForEnd(of attempt: UInt) async {
    await withCheckedContinuation { continuation in
      if !state.withLock({ $0.awaitEnd(of: attempt, continuation) }) { continuation.resume() }
    }
  }

  /// How many wait.
  var waiterCount: Int { state.withLock { $0.waiterCount } }

  /// The number of the attempt that nobody waits for any more.
  var abandonedAttempt: UInt? { state.withLock { $0.abandonedAttempt } }

  /// Whether others have waited for the latest attempt than the start that has begun it.
  var isShared: Bool { state.withLock { $0.isShared } }

  private func begin(_ number: UInt, _ deadline: Deadline, _ attempt: @escaping Attempt) {
    let timer = deadline.timer { self.timeOut(number) }
    let task = ThreadContext.startTask {
      let failure = await attempt()
      timer?.cancel()
      self.finish(failure, deadline, attempt)
    }
    if state.withLock({ $0.note(task, of: number) }) { task.cancel() }
  }

  private func timeOut(_ number: UInt) {
    let (waiting, task) = state.withLock { $0.timeOut(number) }
    task?.cancel()
    for continuation in waiting { continuation.resume(returning: .timedOut) }
  }

  private func finish(_ failure: InjectorError?, _ deadline: Deadline, _ attempt: @escaping Attempt) {
    let (end, waitingForEnd) = state.withLock { $0.finish(failure) }
    switch end {
    case .begins(let number): begin(number, deadline, attempt)
    case .tells(let waiting):
      for continuation in waiting { continuation.resume(returning: failure.map { .failed($0) } ?? .loaded) }
    }
    for continuation in waitingForEnd { continuation.resume() }
  }
}
