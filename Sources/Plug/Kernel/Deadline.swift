/// The time limits for loading and for closing an instance; `nil` where there is none.
struct TimeLimits: Sendable {
  var loading: Duration?
  var closing: Duration?
}

/// A time limit, and the clock that measures it.
struct Deadline: Sendable {
  var limit: Duration?
  var clock: any Clock<Duration> = ContinuousClock()

  /// The longest limit, which every clock can add to its time: a hundred years.
  private static let longest = Duration.seconds(100 * 365 * 24 * 60 * 60)

  /// This deadline with another limit, if there is one.
  func limited(_ own: Duration?) -> Self { Deadline(limit: own ?? limit, clock: clock) }

  /// Runs work when the time is over, unless the returned task is cancelled before.
  func timer(_ work: @escaping @Sendable () -> Void) -> Task<Void, Never>? {
    limit.map { limit in
      Task { [clock] in
        try? await clock.sleep(for: min(max(limit, .zero), Self.longest))
        if !Task.isCancelled { work() }
      }
    }
  }

  /// Runs work with a time limit. If the work takes longer, it is cancelled, and continues on its own.
  ///
  /// - Returns: The result of the work; `nil` if it takes longer.
  @inline(never)
  func run<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) async -> Result? {
    if limit == nil { return await work() }
    let working = Task { await work() }
    let first = Promise<Result?>()
    let timer = timer { if first.wake(nil) { working.cancel() } }
    Task {
      first.wake(await working.value)
      timer?.cancel()
    }
    return await withTaskCancellationHandler {
      await first.value
    } onCancel: {
      working.cancel()
    }
  }
}
