extension Injector {
  /// Makes every instance that is registered as asynchronous or ``Injection/eager()``.
  ///
  /// Call it at launch, so that everything is ready before the first request:
  ///
  /// ```swift
  /// try services.seal()
  /// try await services.start(timeout: .seconds(30))
  /// ```
  ///
  /// A service is made after those it depends on, and independent services are made concurrently. A scope makes what
  /// the scope keeps. All candidates of a service are made, except those whose rule can never be satisfied. A
  /// ``Provider`` takes part from its first use on. Several starts of one injector run one after the other.
  ///
  /// If an instance cannot be made, the others are cancelled. The instances made by then are closed in reverse order
  /// of construction, as in ``close(timeout:clock:)``, and the injector can be started again. Instances that other
  /// tasks have waited for with `load` stay, as do those made before the start. A closure that ignores cancellation
  /// delays the failure until it returns or its timeout has passed.
  ///
  /// - Note: A sealed injector keeps the instances it has released, unusable, until it is deallocated, because threads
  ///   may be reading them.
  /// - Parameters:
  ///   - timeout: How long each instance may take, including everything it loads, unless
  ///     ``Injection/timeout(loading:closing:)`` specifies it; `nil` for no limit.
  ///   - clock: The clock that measures the time.
  /// - Throws: The first error: what ``load(_:tag:fileID:line:)`` throws for an instance;
  ///   ``InjectorError/cancelled(_:)`` if the calling task is cancelled; ``InjectorError/closed(_:)``.
  public func start(
    timeout: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) async throws(InjectorError) {
    let injector = isolated()
    if injector.registrations.isClosed { throw injector.closed(InjectorError.Facts(aboutWhole: injector)) }
    if let failure = await injector.startAlone(Deadline(limit: timeout, clock: clock)) { throw failure }
  }

  /// Starts after all earlier starts of this injector have finished.
  private func startAlone(_ deadline: Deadline) async -> InjectorError? {
    if Startup.current?.injector === self { return await makeAll(earlyParts) }
    // An earlier start may be waiting for the load, or the closing, that this call is part of.
    let isNested = TaskGraph.work != nil
    let task = instanceStore.withLock { store in
      let earlier = isNested ? nil : store.extras.start
      let task = Task { () -> InjectorError? in
        await earlier?.waitUnlessCancelled()
        if Task.isCancelled { return .cancelled(InjectorError.Facts(aboutWhole: self)) }
        return await Startup(of: self, deadline).run(earlyParts, in: self)
      }
      if !isNested { store.extras.start = task }
      return task
    }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// The parts that ``start(timeout:clock:)`` makes in this injector.
  private var earlyParts: [any LoadableCell] {
    var seen: Set<ServiceKey> = []
    let levels = registrations.levels
    let entries = levels.flatMap { level in level.entries.map { ($0, level.depth) } }
    return entries.flatMap { entry, depth -> [any LoadableCell] in
      guard seen.insert(entry.key).inserted else { return [] }
      let isOwn = depth == self.depth
      let constants = entry.choice?.constants ?? [true]
      return zip(overlaid(entry, registeredAt: depth).parts, constants).compactMap { part, constant in
        let isKeptHere = part.lifetime == .scoped ? isScope : isOwn
        guard let cell = part.loadable, cell.isEarly, isKeptHere, constant != false else { return nil }
        return cell
      }
    }
  }
}
