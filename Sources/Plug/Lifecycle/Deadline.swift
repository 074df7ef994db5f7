/// How long it may take to load an instance, and to close it; `nil` where nothing is said.
struct TimeLimits: Sendable {
  var loading: Duration?
  var closing: Duration?
}

/// A time limit, and the clock that it goes by.
struct Deadline: Sendable {
  var limit: Duration?
  var clock: any Clock<Duration> = ContinuousClock()

  /// What no limit goes beyond, whatever a clock can add to its time: a hundred years.
  private static let longest = Duration.seconds(100 * 365 * 24 * 60 * 60)

  /// The same with a limit of its own, if there is one.
  func limited(_ own: Duration?) -> Self {
    Deadline(limit: own ?? limit, clock: clock)
  }

  /// Does something when the time is over, unless that is cancelled before.
  func timer(_ work: @escaping @Sendable () -> Void) -> Task<Void, Never>? {
    limit.map { limit in
      Task { [clock] in
        try? await clock.sleep(for: min(max(limit, .zero), Self.longest))
        if !Task.isCancelled { work() }
      }
    }
  }

  /// Runs work that should not take longer. If it does, it is cancelled, and goes on without anyone who waits for it.
  ///
  /// - Returns: What the work returns; `nil` if it takes longer.
  func run<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) async -> Result? {
    if limit == nil { return await work() }
    let working = Task { await work() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let race = Race(continuation)
        let timer = timer { if race.finish(nil) { working.cancel() } }
        Task {
          race.finish(await working.value)
          timer?.cancel()
        }
      }
    } onCancel: {
      working.cancel()
    }
  }
}

extension Task where Failure == Never {
  /// Waits until this has ended, or until the calling task is cancelled.
  func waitUnlessCancelled() async {
    let cancelled = Guarded<Race<Void>?>(nil)
    await withTaskCancellationHandler {
      _ = await withCheckedContinuation { (continuation: CheckedContinuation<Void?, Never>) in
        let race = Race(continuation)
        cancelled.withLock { $0 = race }
        if Task<Never, Never>.isCancelled { race.finish(nil) }
        Task<Void, Never> {
          _ = await value
          race.finish(nil)
        }
      }
    } onCancel: {
      cancelled.withLock { $0 }?.finish(nil)
    }
  }
}

/// Resumes whoever waits with what comes first.
private final class Race<Result: Sendable>: Sendable {
  private let waiting: Guarded<CheckedContinuation<Result?, Never>?>

  init(_ continuation: CheckedContinuation<Result?, Never>) {
    waiting = Guarded(continuation)
  }

  /// - Returns: Whether this came first.
  @discardableResult
  func finish(_ result: Result?) -> Bool {
    let continuation = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    continuation?.resume(returning: result)
    return continuation != nil
  }
}
