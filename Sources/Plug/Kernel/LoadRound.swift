import Synchronization

/// The shared state of the runs of one asynchronous request, each of which does all of its synchronous work again.
final class LoadRound: Sendable {
  private struct State {
    /// The attempts at candidates that wait for a load.
    var attempts: [(candidate: Registration, attempt: any CandidateAttempt)] = []
    var failures: [(cell: Cell, error: any Error)] = []
  }

  /// The number of runs that have missed an instance.
  let count = Atomic(0)
  private let state = Guarded(State())

  /// Whether another candidate may replace one that cannot be loaded.
  var isTolerant: Bool { state.withLock { !$0.attempts.isEmpty } }

  func keep(_ attempt: any CandidateAttempt, at candidate: Registration) {
    state.withLock { $0.attempts.append((candidate, attempt)) }
  }

  func take(_ candidate: Registration) -> (any CandidateAttempt)? {
    state.withLock { state in
      let index = state.attempts.firstIndex { $0.candidate === candidate }
      return index.map { state.attempts.remove(at: $0).attempt }
    }
  }

  func add(_ error: any Error, of cell: Cell) { state.withLock { $0.failures.append((cell, error)) } }

  func failure(of cell: Cell) -> (any Error)? { state.withLock { $0.failures.first { $0.cell === cell }?.error } }
}

/// One attempt to make a candidate. An attempt that is released without an outcome does not count.
package protocol CandidateAttempt: AnyObject, Sendable {
  /// Ends the attempt with the error that prevented the candidate from being made; `nil` if it was made.
  ///
  /// - Returns: Whether the choice uses the next candidate.
  func end(_ error: (any Error)?) -> Bool
}
