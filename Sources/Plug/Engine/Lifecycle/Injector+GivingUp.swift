/// What an injector does that is being closed.
extension Injector {
  /// Gives up everything; the second time nothing is left.
  ///
  /// Each cell goes, with its instance, before the one that was constructed before it. So nothing else may hold them.
  ///
  /// - Returns: What cannot be closed at once.
  func giveUpAll() -> CloseQueue? {
    let (cells, loads, kept) = refuseRequests { ($0.forgetCells(), $0.known?.loads.keys, $0.cells.takeKept()) }
    Self.release(consume cells)
    _ = Self.stop(loads)
    return CloseQueue.run(consume kept, of: self).rest
  }

  /// Gives up everything, and returns when all that has been done.
  ///
  /// - Returns: What went wrong, also for one who comes while it is being done.
  func giveUpAll(_ deadline: Deadline) async -> [InjectorError] {
    let isUnlimited = deadline.limit == nil
    let (cells, loads) = refuseRequests { ($0.forgetCells(), $0.known?.loads.keys) }
    Self.release(consume cells)
    let stopped = Self.stop(loads)
    while true {
      switch instanceStore.withLock({ $0.beginClosing(atOnce: stopped.isEmpty && isUnlimited) }) {
      case .atOnce(let kept):
        guard let closing = close(atOnce: consume kept) else { return [] }
        return await CloseQueue.wait(for: closing, of: self)
      case .inTask:
        guard let closing = closeInTask(stopped, deadline) else { continue }
        return await CloseQueue.wait(for: closing, of: self)
      case .inKnownTask(let closing): return await CloseQueue.wait(for: closing, of: self)
      case .byAnother:
        await withCheckedContinuation { continuation in
          if !instanceStore.withLock({ $0.awaitClosing(continuation) }) { continuation.resume() }
        }
      }
    }
  }

  /// Gives up everything, if nothing of it has to be waited for, and nobody observes requests.
  ///
  /// - Returns: Whether everything has been closed, without failures. If not, `close` does the rest.
  @usableFromInline
  func closeAtOnce() -> Bool {
    if registrations.instrumentation.isActive { return false }
    let (cells, way) = refuseRequests { store in
      // Where nothing has been loaded, nothing has to be stopped before the way is known.
      (store.forgetCells(), store.known == nil ? store.beginClosing(atOnce: true) : nil)
    }
    Self.release(consume cells)
    guard case .atOnce(let kept) = consume way else { return false }
    return close(atOnce: consume kept) == nil
  }

  /// Closes without a task, as far as that is possible.
  ///
  /// - Returns: The task that does what is left, and tells what went wrong.
  private func close(atOnce kept: consuming KeptInstances) -> Task<[InjectorError], Never>? {
    let (failures, rest) = CloseQueue.run(consume kept, of: self)
    let (waiting, closing) = instanceStore.withLock { store in
      var closing: Task<[InjectorError], Never>?
      if !failures.isEmpty || rest != nil || store.known?.closings.isEmpty == false {
        let task = Task { await failures + (rest?.run(Deadline()) ?? []) + restOfClosings(Deadline()) }
        store.setClosing(task)
        closing = task
      }
      return (store.endClosingAtOnce(), closing)
    }
    for continuation in waiting { continuation.resume() }
    return closing
  }

  /// - Returns: The task that closes everything; `nil` if another is closing without one.
  private func closeInTask(_ stopped: [StoppedLoad], _ deadline: Deadline) -> Task<[InjectorError], Never>? {
    instanceStore.withLock { store in
      if let closing = store.known?.closing { return closing }
      if store.isClosingAtOnce { return nil }
      let closings = CloseQueue(store.cells.takeKept().takeCells(), of: self, store.extras.identity)
      let context = closings.context()
      // Known before anyone waits for the closing: it is the load that closes its own injector which does not wait.
      let awaited = stopped.filter { load in
        (try? TaskGraph.shared.begin(context, for: load.loading, [load.loading.declaration.name])) != nil
      }
      let closing = Task {
        for load in awaited { _ = await deadline.run { await load.loading.waitForEnd(of: load.attempt) } }
        context.end()
        return await closings.run(deadline) + restOfClosings(deadline)
      }
      store.setClosing(closing)
      return closing
    }
  }

  /// Waits for what has been closed in tasks: the end of closing everything.
  private func restOfClosings(_ deadline: Deadline) async -> [InjectorError] {
    var failures: [InjectorError] = []
    while let closing = instanceStore.withLock({ $0.known?.closings.popFirst()?.value }) {
      failures +=
        await deadline.run { await closing.task.value } ?? [.timedOut(closing.facts, after: deadline.limit ?? .zero)]
    }
    instanceStore.withLock { $0.known?.isClosingInTask = false }
    return failures
  }

  private typealias StoppedLoad = (loading: Loading, attempt: UInt)

  /// Refuses every request from now on.
  ///
  /// - Parameter take: Takes what there is at that moment.
  private func refuseRequests<Taken: Sendable>(_ take: (inout InstanceStore) -> Taken) -> Taken {
    // First, so that nobody gets an instance which is closed because it cannot be kept any more.
    registrations.close()
    return instanceStore.withLock { store in
      store.isClosed = true
      return take(&store)
    }
  }

  private static func release(_ cells: consuming InstanceStore.ForgottenCells?) { cells?.argumentCells?.end() }

  private static func stop(_ loads: [Loading]?) -> [StoppedLoad] {
    loads?.compactMap { load in load.stop().map { (load, $0) } } ?? []
  }

  /// Forgets the cells for which nobody asks any more.
  func releaseOwnCells() {
    Self.release(instanceStore.withLock { $0.forgetCells() })
  }
}

extension InstanceStore {
  /// How everything is closed for one who waits until it is.
  enum ClosingWay {
    /// By the one who asks, without a task: these, in order of construction.
    case atOnce(KeptInstances)
    case inTask
    case inKnownTask(Task<[InjectorError], Never>)
    /// By another who came before, without a task.
    case byAnother
  }

  /// - Parameter isUnlimited: Whether nothing else has to be waited for, and closing may take any time.
  mutating func beginClosing(atOnce isUnlimited: Bool) -> ClosingWay {
    if let closing = known?.closing { return .inKnownTask(closing) }
    if isClosingAtOnce { return .byAnother }
    guard isUnlimited, known?.closings.isEmpty != false,
      cells.allKept({ !$0.isClosable || $0.cell?.limits.closing == nil })
    else { return .inTask }
    isClosingAtOnce = true
    return .atOnce(cells.takeKept())
  }

  /// - Returns: `false` if the closing has ended.
  mutating func awaitClosing(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    if isClosingAtOnce { extras.waitingForClosing.append(continuation) }
    return isClosingAtOnce
  }

  /// - Returns: Those who have come meanwhile.
  mutating func endClosingAtOnce() -> [CheckedContinuation<Void, Never>] {
    isClosingAtOnce = false
    guard let known else { return [] }
    defer { known.waitingForClosing = [] }
    return known.waitingForClosing
  }
}
