extension Injector {
  /// Makes everything that is registered as asynchronous or ``Injection/eager()``: what needs others after these, the rest
  /// at the same time.
  ///
  /// ```swift
  /// try services.seal()
  /// try await services.start(timeout: .seconds(30))
  /// ```
  ///
  /// In a scope, it makes what the scope keeps. Of several candidates it makes all, except those whose rule is never
  /// satisfied. A ``Provider`` takes part from its first use on. Several starts come one after the other.
  ///
  /// If one cannot be made, the others are cancelled. What has been made by then is given up in reverse order of
  /// construction, as ``close(timeout:clock:)`` does, and can be started again; what others have waited for with `load`
  /// stays, with what was made before it. A closure that does not mind being cancelled delays that until its own end, or for its timeout. A sealed
  /// injector keeps instances that it has given up until it is released, because threads may be reading them.
  ///
  /// - Parameters:
  ///   - timeout: How long each may take, with all that it loads, where ``Injection/timeout(loading:closing:)`` does not
  ///     say; `nil` for any time.
  ///   - clock: What the time is measured by.
  /// - Throws: What went wrong first.
  public func start(
    timeout: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) async throws(InjectorError) {
    let injector = isolated()
    if injector.registrations.isClosed { throw injector.closed(Injector.self, nil) }
    if let failure = await injector.startAlone(Deadline(limit: timeout, clock: clock)) { throw failure }
  }

  /// Starts when other starts of this injector are over.
  private func startAlone(_ deadline: Deadline) async -> InjectorError? {
    if Startup.current?.injector === self { return await makeAll(earlyParts) }
    // What is being loaded, or closed, may be what an earlier start waits for.
    let isNested = TaskGraph.work != nil
    let task = instanceStore.withLock { instanceStore in
      let earlier = isNested ? nil : instanceStore.extras.start
      let task = Task { () -> InjectorError? in
        await earlier?.waitUnlessCancelled()
        if Task.isCancelled { return .cancelled(InjectorError.Facts(service: Injector.self, tag: nil, in: self)) }
        return await Startup(of: self, deadline).run(earlyParts, in: self)
      }
      if !isNested { instanceStore.extras.start = task }
      return task
    }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// The parts that ``start(timeout:clock:)`` makes here.
  private var earlyParts: [AnyEntry] {
    var seen: Set<ServiceKey> = []
    let levels = sequence(first: registrations, next: \.parent)
    return levels.flatMap { level in level.entries.map { ($0, level.depth) } }.flatMap { entry, depth -> [AnyEntry] in
      guard seen.insert(entry.key).inserted else { return [] }
      let isOwn = depth == self.depth
      let constants = entry.choice?.constants ?? [true]
      return zip(overlaid(entry, registeredAt: depth).parts, constants).filter { part, constant in
        let isKeptHere = part.lifetime == .scoped ? parent != nil : isOwn
        return part.isEarly && isKeptHere && constant != false
      }.map(\.0)
    }
  }
}
