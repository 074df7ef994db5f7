import Synchronization

// The life of a load. It uses claims and the wait graph, and ends like any other request.

extension Injector {
  /// Runs synchronous work until it succeeds: loads the instances that it finds missing, and moves to the main actor if
  /// it needs that.
  ///
  /// - Parameter deadline: The time limit for each load that this call waits for.
  func loading<Result: Sendable>(
    _ deadline: Deadline? = nil, _ work: @Sendable (Injector) throws -> Result
  ) async throws -> Result {
    var isOnMainActor = false
    let round = LoadRound()
    while true {
      switch isOnMainActor ? await attemptOnMainActor(work, in: round) : attempt(work, in: round) {
      case .success(let result): return result
      case .failure(let error): isOnMainActor = try await mend(error, in: round, isOnMainActor, deadline ?? Deadline())
      }
    }
  }

  /// Loads the instance that an attempt has missed.
  ///
  /// - Returns: Whether the next attempt has to run on the main actor.
  // Not inlined, since each type of result would have a copy.
  @inline(never)
  private func mend(
    _ error: any Error, in round: LoadRound, _ isOnMainActor: Bool, _ deadline: Deadline
  ) async throws -> Bool {
    let (missing, location) = (error.ofRequest?.missing, error.ofRequest?.requestedAt)
    guard let missing else {
      if error.ofRequest?.needsMainActor == true, !isOnMainActor { return true }
      throw error
    }
    // A factory that opens a scope, and needs to load a service there, opens another one each time.
    if round.count.add(1, ordering: .relaxed).newValue > Self.attemptLimit {
      throw missing.owner.failure(.endlessLoad, missing.cell.registration, missing.way)
    }
    do {
      try await missing.cell.load(in: missing.owner, by: missing.way, deadline)
    } catch {
      let failure = error.ofRequest?.asked(at: location) ?? error
      guard round.isTolerant else { throw failure }
      round.add(failure, of: missing.cell)
    }
    return isOnMainActor
  }

  private func attempt<Result>(
    _ work: @Sendable (Injector) throws -> Result, in round: LoadRound
  ) -> Swift.Result<Result, any Error> {
    let outer = ThreadStack.current.with { $0.own.round }
    ThreadStack.current.with { $0.own.round = round }
    defer { ThreadStack.current.with { $0.own.round = outer } }
    return Swift.Result { try work(self) }
  }

  @MainActor
  private func attemptOnMainActor<Result: Sendable>(
    _ work: @Sendable (Injector) throws -> Result, in round: LoadRound
  ) -> Swift.Result<Result, any Error> { attempt(work, in: round) }
}

/// An instance that must be loaded before a synchronous request can succeed.
struct Missing: Sendable {
  let cell: Cell
  let owner: Injector
  /// The steps from the request to the instance.
  let way: [Step]
}

extension Cell {
  /// Loads the instance in a task of its own, or waits for the load of another request.
  func load(in owner: Injector, by way: [Step], _ deadline: Deadline) async throws {
    let (parent, key) = (Work.current, registration.key)
    let trail = (parent?.trail ?? []) + way + [Step(registration)]
    if Task.isCancelled { throw owner.failure(.cancelled, registration, trail) }
    // Joining a load under way adds none to the chain, and the wait graph finds its cycles.
    if trail.count > Work.trailLimit, !isBeingMade, trail.dropLast().contains(where: { $0.registration.key == key }) {
      throw owner.failure(.endlessChain, registration, trail)
    }
    let id = Work.makeID()
    var work: Work?
    switch turn(for: id) {
    case .take, .gone: return
    case .make:
      guard owner.beginLoading(self) else {
        fail(.look, by: id)
        throw owner.closed(registration, trail)
      }
      work = Work(id, trail: trail, ownerDepth: owner.depth)
    case .wait: break
    }
    let deadline = deadline.limited(registration.recipe.extras?.values.limits.loading)
    switch await outcome(of: work, for: Asker(parent, way), owner, deadline) {
    case .failed(let error): throw error
    case .cancelled: throw owner.failure(.cancelled, registration, trail)
    case .timedOut: throw owner.failure(.timedOut(deadline.limit ?? .zero), registration, trail)
    case .look, .take, .proceed, .circle: return  // The request runs again. Only a thread borrows an instance.
    }
  }

  private func start(_ work: Work, _ owner: Injector) {
    let task = startTask { await self.run(work, in: owner) }
    claim.withLock { if $0.maker == work.id { $0.rare.orMade.task = task } }
    cancelIfAbandoned()  // Its only waiter may have been cancelled, or the cell retired, before the task was known.
  }

  /// Makes one attempt.
  private func run(_ work: Work, in owner: Injector) async {
    let failure = await work.run { () -> (any Error)? in
      do {
        try await attempt(work, in: owner)
        return nil
      } catch {
        Layers.note(.ran(registration, isConfiguring: false, nil), in: owner)
        return error
      }
    }
    guard let failure else { return end(work, in: owner, nil) }
    let isClosed = isRetired && owner.isClosedItself
    // A later request looks again after a cancelled attempt, or if the registration was replaced or reset meanwhile.
    let outcome: Outcome = Task.isCancelled && !isClosed ? .look : .failed(failure)
    end(work, in: owner, isClosed ? .failed(owner.closed(registration, work.trail)) : outcome)
  }

  /// - Parameter outcome: What the waiters receive; `nil` if they have received the instance.
  private func end(_ work: Work, in owner: Injector, _ outcome: Outcome?) {
    if let outcome { fail(outcome, by: work.id) }
    work.end()
    owner.endLoading(self)
  }

  private func attempt(_ work: Work, in owner: Injector) async throws {
    let recipe = registration.recipe
    if !recipe.isLoaded { return fail(.look, by: work.id) }
    Layers.note(.running(registration, isConfiguring: false), in: owner)
    let start = Layers.areHooked(owner) ? ContinuousClock.now : nil
    let box: AnyBox
    do {
      try await owner.prepare(for: recipe)
      box = try await owner.keeping { try await recipe.load(in: owner) }
    } catch {
      throw owner.wrapping(error, registration, work.trail)
    }
    // A decorator or a configuration of the instance may need a service that has to be loaded.
    let isClosed = Atomic(false)
    let rest: Session.Rest?
    do {
      rest = try await owner.loading { owner in
        do {
          return try ThreadStack.current.with { stack in
            try self.accept(box, of: work, since: start, in: owner, stack)
          }
        } catch {
          if !error.isRetried { isClosed.store(true, ordering: .relaxed) }
          throw error
        }
      }
    } catch {
      // A service that it waited for could not be loaded.
      if !isClosed.load(ordering: .relaxed) { owner.close(box, of: registration) }
      throw error
    }
    guard let rest else { return }
    // On a thread of its own, since all threads of the pool may block in requests that wait for this instance.
    let redirection = Layers.redirection
    let failure = await withCheckedContinuation { continuation in
      BackgroundThread.run {
        let finish = { rest.finish(for: Asker(work)) }
        continuation.resume(returning: redirection.map { Layers.withRedirection($0, finish) } ?? finish())
      }
    }
    if let failure { throw failure }
  }

  /// - Returns: The instances that have to wait before they are published; `nil` if none has to.
  private func accept(
    _ box: AnyBox, of work: Work, since start: ContinuousClock.Instant?, in owner: Injector, _ stack: ResolutionStack
  ) throws -> Session.Rest? {
    if registration.recipe.isolation.isMainActor, !isOnMainActor() {
      throw owner.failure(.mainActorRequired, registration, work.trail)
    }
    do {
      try stack.enter(registration, for: owner, ownerDepth: owner.depth, cell: self)
    } catch {
      owner.close(box, of: registration)
      throw error
    }
    do {
      let wrapped = try stack.wrap(box, registration, in: owner, isLoaded: true)
      Layers.note(.ran(registration, isConfiguring: false, start.map { ContinuousClock.now - $0 } ?? .zero), in: owner)
      try accept(wrapped, in: owner, by: work.id, isLoaded: true, stack)
    } catch {
      stack.leave(failingWith: error)
      throw error
    }
    return try stack.leaveLoad(for: work.id)
  }

  /// Suspends the calling task until the cell has an outcome, the time is over or the task is cancelled. The last
  /// waiter that is cancelled cancels the attempt.
  ///
  /// - Parameter work: The attempt, if the caller has to begin it. It begins after the caller is enrolled, so that the
  ///   caller receives its outcome.
  private func outcome(of work: Work?, for asker: Asker, _ owner: Injector, _ deadline: Deadline) async -> Outcome {
    let waiter = Waiter()
    let timer = deadline.timer { [self] in leave(waiter, .timedOut, all: work != nil) }
    let outcome = await withTaskCancellationHandler {
      WaitGraph.enrol(waiter, for: self, asker, owner)
      if let work {
        if waiter.isTold { end(work, in: owner, .look) } else { start(work, owner) }
      } else if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        claim.withLock { $0.rare?.task }?.escalatePriority(to: Task.currentPriority)
      }
      return await waiter.value
    } onCancel: {
      leave(waiter, .cancelled, all: false)
    }
    timer?.cancel()
    WaitGraph.leave(waiter, asker)
    return outcome
  }

  /// Removes and wakes one waiter, or all. Cancels the attempt if none is left.
  private func leave(_ waiter: Waiter, _ outcome: Outcome, all: Bool) {
    // The waiter's attempt may have ended, and another one may have begun.
    let waiters = all ? claim.withLock(\.waiters) : []
    if waiter.wake(outcome), waiters.contains(where: { $0 === waiter }) { for one in waiters { one.wake(outcome) } }
    cancelIfAbandoned()
  }

  private func cancelIfAbandoned() {
    let (task, gone) = claim.withLock { $0.abandoned() }
    task?.cancel()
    withExtendedLifetime(gone) {}
  }
}

/// Starts a task that begins immediately on the calling thread where that is possible.
func startTask(_ body: @escaping @Sendable @concurrent () async -> Void) -> Task<Void, Never> {
  if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return Task.immediate { await body() } }
  return Task { await body() }
}
