import Synchronization

/// A clock whose sleepers a test wakes.
final class PollClock: Clock {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private struct Sleeper {
    let id: Int
    let duration: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var lastID = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  var now: Instant { Instant(offset: .zero) }
  var minimumResolution: Swift.Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = change { state in
          if state.cancelled.remove(id) != nil { return true }
          state.sleepers.append(Sleeper(id: id, duration: deadline.offset, continuation: continuation))
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = change { state in
        guard let place = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil as Sleeper?
        }
        return state.sleepers.remove(at: place)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Waits until something sleeps for a time.
  func sleeps(for duration: Duration) async { await until { $0.contains(duration) } }

  /// Waits until something sleeps for a time that satisfies a condition.
  func sleeps(_ condition: @Sendable (Duration) -> Bool) async -> Duration {
    await until { $0.contains(where: condition) }
    return sleeping.first(where: condition) ?? .zero
  }

  /// Waits until nothing sleeps.
  func isIdle() async { await until(\.isEmpty) }

  /// Waits until something sleeps for a time, and wakes it.
  func wake(_ duration: Duration) async {
    await sleeps(for: duration)
    let sleeper = change { state in
      state.sleepers.firstIndex { $0.duration == duration }.map { state.sleepers.remove(at: $0) }
    }
    sleeper?.continuation.resume()
  }

  /// Wakes whatever sleeps for a time now.
  func wakeAll(_ duration: Duration) {
    let sleepers = change { state in
      defer { state.sleepers.removeAll { $0.duration == duration } }
      return state.sleepers.filter { $0.duration == duration }
    }
    for sleeper in sleepers { sleeper.continuation.resume() }
  }

  /// The times for which something sleeps.
  var sleeping: [Duration] { state.withLock { $0.sleepers.map(\.duration) } }

  private func until(_ condition: ([Duration]) -> Bool) async {
    while !condition(sleeping) {
      await withCheckedContinuation { watcher in
        let isTrue = state.withLock { state in
          if condition(state.sleepers.map(\.duration)) { return true }
          state.watchers.append(watcher)
          return false
        }
        if isTrue { watcher.resume() }
      }
    }
  }

  private func change<Value: Sendable>(_ body: (inout sending State) -> Value) -> Value {
    let (value, watchers) = state.withLock { state in
      let value = body(&state)
      defer { state.watchers = [] }
      return (value, state.watchers)
    }
    for watcher in watchers { watcher.resume() }
    return value
  }
}
