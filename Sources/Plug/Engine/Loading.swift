/// Loads the instance of one cell for all who want it at once.
///
/// There is one attempt at a time, in a task of its own: it goes on for as long as anyone waits for it. An attempt that
/// nobody waits for is cancelled. If it comes to its end all the same, its instance is the one; if not, those who have
/// come in the meantime begin another.
final class Loading: Sendable {
  /// Makes the instance the cell's.
  typealias Attempt = @Sendable () async -> InjectorError?

  private let state = Guarded(LoadingState())

  /// Waits for the instance; begins to load it if nobody has.
  func join(_ attempt: @escaping Attempt) async -> LoadingState.Outcome {
    let number = state.withLock { $0.expect() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        switch state.withLock({ $0.arrive(number, continuation) }) {
        case .begins(let number): begin(number, attempt)
        case .joins: break
        case .leaves: continuation.resume(returning: .cancelled)
        }
      }
    } onCancel: {
      let (waiting, task) = state.withLock { $0.cancel(number) }
      task?.cancel()
      waiting?.resume(returning: .cancelled)
    }
  }

  /// Cancels the attempt that is under way. Those who wait for it are told how it ends.
  ///
  /// - Returns: Its task.
  @discardableResult
  func stop() -> Task<Void, Never>? {
    let task = state.withLock { $0.task }
    task?.cancel()
    return task
  }

  /// How many wait.
  var waiterCount: Int { state.withLock { $0.waiterCount } }

  /// The task of the attempt that nobody waits for any more.
  var abandonedTask: Task<Void, Never>? { state.withLock { $0.abandonedTask } }

  private func begin(_ number: UInt, _ attempt: @escaping Attempt) {
    let task = Task { finish(await attempt(), attempt) }
    if state.withLock({ $0.note(task, of: number) }) { task.cancel() }
  }

  private func finish(_ failure: InjectorError?, _ attempt: @escaping Attempt) {
    switch state.withLock({ $0.finish(failure) }) {
    case .begins(let number): begin(number, attempt)
    case .tells(let waiting):
      for continuation in waiting { continuation.resume(returning: failure.map { .failed($0) } ?? .loaded) }
    }
  }
}
