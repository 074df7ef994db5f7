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
  /// ``Provider`` takes part from its first use on.
  ///
  /// If an instance cannot be made, the others are cancelled. The instances made by then stay, so that another start
  /// goes on from there; ``reset()`` or ``close(timeout:clock:)`` releases them. A closure that ignores cancellation
  /// delays the failure until it returns or its timeout has passed.
  ///
  /// - Parameters:
  ///   - timeout: How long each instance may take, including everything it loads, unless
  ///     ``Injection/timeout(loading:closing:)`` specifies it; `nil` for no limit.
  ///   - clock: The clock that measures the time.
  /// - Throws: The first error: what ``load(_:tag:fileID:line:)`` throws for an instance;
  ///   ``InjectorError/cancelled(_:)`` if the calling task is cancelled; ``InjectorError/closed(_:)``.
  public func start(
    timeout: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) async throws(InjectorError) {
    let injector = redirected() ?? self
    if injector.isClosedItself { throw injector.closed(InjectorError.Facts(aboutWhole: injector)) }
    let deadline = Deadline(limit: timeout, clock: clock)
    let failure = await Deadline.$current.withValue(deadline) { await injector.makeAll(injector.earlyCells) }
    if Task.isCancelled { throw .cancelled(InjectorError.Facts(aboutWhole: injector)) }
    if let failure { throw failure }
  }

  /// Makes some instances at the same time.
  private func makeAll(_ cells: [Cell]) async -> InjectorError? {
    await withTaskGroup(of: InjectorError?.self, returning: InjectorError?.self) { group in
      for cell in cells {
        group.addTask {
          let guarding = cell.registration.candidateGuard
          let attempt = guarding?.attempt(at: cell.registration)
          if guarding != nil, attempt == nil { return nil }
          do throws(InjectorError) {
            _ = try await self.loading { injector throws(InjectorError) in try injector.provide(cell) }
            _ = attempt?.end(nil)
            return nil
          } catch {
            if attempt?.end(error) == true || self.hasLost(cell) { return nil }
            return error
          }
        }
      }
      return await group.firstFailure()
    }
  }

  /// Whether what a cell is for has been unregistered meanwhile.
  private func hasLost(_ cell: Cell) -> Bool {
    guard !isClosedItself, cell.claim.withLock({ $0.isGone }) else { return false }
    return cell.registration.candidate != nil || ((try? lookUp(cell.registration.key)) ?? nil) == nil
  }

  /// What is made asynchronously or eagerly, and kept here.
  private var earlyCells: [Cell] {
    var seen: Set<Key> = []
    let keys = levels.flatMap(\.cells).map(\.registration.key).filter { seen.insert($0).inserted }
    // What a scope decorates is found as such.
    return keys.compactMap { (try? find($0)) ?? nil }.flatMap(\.parts).filter { cell in
      let registration = cell.registration
      let isEarly = registration.recipe.isLoaded || registration.recipe.extras?.values.isEager == true
      return isEarly && registration.isKept && owner(of: registration) === self
    }
  }
}
