/// A clock that advances only when a test calls `advance`.
package final class TestClock: Clock {
  package struct Instant: InstantProtocol {
    package var offset: Duration

    package func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    package func duration(to other: Self) -> Duration { other.offset - offset }
    package static func < (first: Self, second: Self) -> Bool { first.offset < second.offset }
  }

  private struct Sleeper {
    let number: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var lastNumber = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
  }

  private let state = Locked(State())

  package init() {}

  package var now: Instant { state.withLock { $0.now } }
  package var minimumResolution: Duration { .zero }

  /// The number of tasks that sleep.
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  package func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          if state.cancelled.remove(number) != nil { return true }
          state.sleepers.append(Sleeper(number: number, deadline: deadline, continuation: continuation))
          return false
        }
        if isOver { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Advances to the next deadline of a sleeping task.
  package func advance() { advance { max($0.now, $0.sleepers.map(\.deadline).min() ?? $0.now) } }

  package func advance(by duration: Duration) { advance { $0.now.advanced(by: duration) } }

  private func advance(to time: (State) -> Instant) {
    let awake = state.withLock { state in
      state.now = time(state)
      let awake = state.sleepers.filter { $0.deadline <= state.now }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return awake
    }
    for sleeper in awake { sleeper.continuation.resume() }
  }

  /// Waits until `count` tasks sleep until the clock is advanced. It may miss a sleep that ends before that.
  package func sleepers(_ count: Int) async {
    while sleeperCount < count, !Task.isCancelled { await Task.yield() }
  }
}
