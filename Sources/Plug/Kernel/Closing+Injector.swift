// How an injector is closed.

extension Injector {
  /// Ends what the injector keeps, when its last reference goes.
  func end() {
    let (isEmpty, attachments) = state.withLock { state in
      // Nothing is being made, since that would hold the injector.
      (state.phase == .closed || state.kept.isEmpty && state.loads.isEmpty, state.attachments)
    }
    defer { if !attachments.isEmpty { Layers.forget(attachments, of: self) } }
    for attachment in attachments { (attachment.object as? any EndingAttachment)?.end() }
    guard !isEmpty, let (queue, _, _) = beginClosing() else { return }
    _ = queue.runNow()
    if !queue.isEmpty { Task { _ = await queue.run(Deadline(), nil) } }
  }

  /// Ends making and keeping.
  ///
  /// - Returns: What has to be closed; `nil` if another call has begun that.
  private func beginClosing() -> (CloseQueue, loads: [Cell], Closing?)? {
    var (kept, rest, loads, own, table) = ([Cell](), [Cell](), [Cell](), OwnCells(), Table())
    var used: [Registration] = []  // Released outside of the lock, since that may end instances.
    let hasBegun = state.withLock { state in
      if state.phase == .closed { return false }
      state.phase = .closed
      shortWay.open(nil)
      kept = state.kept.take()
      swap(&own, &state.own)
      swap(&table, &state.table)
      swap(&used, &state.usedInside)
      (loads, rest) = (state.loads, state.sealed?.cells ?? [])
      return true
    }
    if !hasBegun { return nil }
    for attachment in state.withLock({ $0.attachments }) { (attachment.object as? any EndingAttachment)?.end() }
    if !rest.isEmpty { state.withLock { $0.sealed }?.hide(true, .closed) }
    let instances = Self.retire(kept)
    (own, table, used) = (OwnCells(), Table(), [])
    while kept.popLast() != nil {}  // What was made last is released first, unless it has to be closed.
    _ = Self.retire(loads)
    var closing: Closing?
    if !loads.isEmpty || instances.contains(where: { $0.registration.isClosable })
      || state.withLock({ !$0.leaving.isEmpty })
    {
      closing = Closing(of: self, by: Work.makeID())
      state.withLock { $0.closing = closing }
    }
    return (CloseQueue(instances, of: self), loads, closing)
  }

  func closeNowItself() {
    let isEmpty = state.withLock { state in
      guard state.closeIfEmpty() else { return false }
      shortWay.open(nil)
      return true
    }
    if isEmpty { return }
    guard let (queue, loads, closing) = beginClosing() else { return }
    let failures = queue.runNow()
    guard let closing else { return }
    if queue.isEmpty, loads.isEmpty, state.withLock({ $0.leaving.isEmpty }) { return closing.end(failures) }
    startClosing(queue, loads, closing, failures, Deadline())
  }

  func closeItself(_ deadline: Deadline) async -> [InjectorError] {
    if let (queue, loads, closing) = beginClosing() {
      guard let closing else {
        _ = queue.runNow()
        return []
      }
      let failures = deadline.limit == nil && loads.isEmpty ? queue.runNow() : []
      if queue.isEmpty, loads.isEmpty, state.withLock({ $0.leaving.isEmpty }) {
        closing.end(failures)
        return failures
      }
      startClosing(queue, loads, closing, failures, deadline)
    }
    let (own, leaving) = state.withLock { ($0.closing, $0.leaving) }
    let ids = Work.current?.ids ?? []
    guard let closing = own, !leaving.contains(where: { ids.contains($0.id) }) else { return [] }
    await closing.cell.waitForEnd(for: Asker(Work.current), self)
    return closing.result
  }

  private func startClosing(
    _ queue: CloseQueue, _ loads: [Cell], _ closing: Closing, _ failures: [InjectorError], _ deadline: Deadline
  ) {
    let work = Work(closing.id, trail: [closing.step], keeper: .max)
    Task { [self] in
      let rest = await work.run {
        for load in loads { await load.waitForEnd(for: Asker(work), self) }
        let failures = await waitForLeaving(deadline, work)
        return await failures + queue.run(deadline, work)
      }
      closing.end(failures + rest)
      work.end()
    }
  }
}

extension Injector {
  /// Waits for the closing of what was given up before.
  private func waitForLeaving(_ deadline: Deadline, _ work: Work) async -> [InjectorError] {
    var failures: [InjectorError] = []
    for closing in state.withLock({ $0.leaving }) {
      let isOver: Void? = await deadline.run { [self] in await closing.cell.waitForEnd(for: Asker(work), self) }
      failures += closing.result
      guard isOver == nil, let first = closing.first else { continue }
      failures.append(.closingTimedOut(deadline.limit ?? .zero, first, InjectorError.Facts.Path(self)))
    }
    return failures
  }
}

extension Cell {
  /// Suspends the calling task until nothing is made here any more; not if that would close a circle of waits.
  func waitForEnd(for asker: Asker, _ injector: Injector) async {
    while true {
      let place = Guarded<Waiter?>(nil)
      let outcome = await withCheckedContinuation { continuation in
        let waiter = Waiter { continuation.resume(returning: $0) }
        place.withLock { $0 = waiter }
        do throws(InjectorError) {
          guard case .enrolled = try WaitGraph.enrol(waiter, for: self, asker, injector) else {
            return waiter.wake(.proceed)
          }
        } catch {
          waiter.wake(.proceed)
        }
      }
      if let waiter = place.withLock({ $0 }) { WaitGraph.leave(waiter, asker) }
      if case .proceed = outcome { return }
    }
  }
}
