/// The action that closes an instance when its injector releases it.
enum CloseAction: Sendable {
  /// The action can run immediately, on the actor that it needs, or later in a task.
  case now(@Sendable () throws -> Void, FactoryIsolation, later: @Sendable () async throws -> Void)
  case later(@Sendable () async throws -> Void)
}

/// The closing of one injector, or of instances that it has released. Requests wait for its end as they wait for a
/// cell.
final class Closing: Sendable {
  let cell: Cell
  /// The registration whose instance is closed first.
  let first: Registration?
  let id: UInt
  private let failures = Guarded<[InjectorError]>([])
  /// Instances that were being made when the closing began; `nil` if it does not wait for them.
  private let late: Guarded<[CloseQueue.Closable]?>

  init(of injector: Injector, by id: UInt, first: Registration? = nil, waits: Bool = false) {
    (self.id, self.first) = (id, first)
    late = Guarded(waits ? [] : nil)
    cell = Cell(
      Registration(
        Key(Injector.self), .factory, AnyRecipe.unused, candidate: "\(injector)", depth: injector.depth,
        location: CodeLocation(fileID: "", line: 0)), maker: id)
  }

  var step: Step { Step(cell.registration, act: " (closing)") }
  var result: [InjectorError] { failures.withLock { $0.map(\.self) } }

  /// Takes over an instance that was being made when the closing began, unless the closing does not wait for it.
  func take(_ instance: CloseQueue.Closable) -> Bool {
    late.withLock { late in
      late?.append(instance)
      return late != nil
    }
  }

  /// Ends the waiting for instances that were being made, and returns these.
  func endWaiting() -> [CloseQueue.Closable] {
    late.withLock { late in
      defer { late = nil }
      return late ?? []
    }
  }

  func end(_ failures: [InjectorError]) {
    self.failures.withLock { $0 = failures }
    cell.fail(.look, by: id)
  }
}

/// Instances to close, the last first. Each is released when it has been closed.
final class CloseQueue: Sendable {
  typealias Closable = (registration: Registration, box: AnyBox)

  private let rest: Guarded<[Closable]>
  private let injector: InjectorError.Facts.Path
  private let observers: [ClosingObserver]

  init(_ instances: sending [Closable], of injector: Injector) {
    let isReported = instances.contains { $0.registration.isClosable }
    self.injector = isReported ? InjectorError.Facts.Path(injector) : .none
    observers = instances.isEmpty ? [] : Layers.hooks(of: injector).compactMap { $0.closing(in: injector) }
    rest = Guarded(instances)
  }

  var isEmpty: Bool { rest.withLock { $0.isEmpty } }
  /// The registration whose instance is closed next.
  var next: Registration? { rest.withLock { $0.last?.registration } }

  /// Closes instances immediately, up to the first that cannot be closed immediately.
  func runNow() -> [InjectorError] {
    var failures: [InjectorError] = []
    while let next = rest.withLock({ $0.popLast() }) {
      let actions = next.registration.recipe.extras?.values.closings.map { $0(next.box) } ?? []
      guard let errors = Self.run(actions) else {
        rest.withLock { $0.append(next) }
        break
      }
      failures += noting(errors.map { InjectorError.closing($0, next.registration, injector) }, of: next.registration)
    }
    return failures
  }

  /// Closes the remaining instances.
  @inline(never)
  func run(_ deadline: Deadline, _ closing: Work?) async -> [InjectorError] {
    var failures: [InjectorError] = []
    while let next = rest.withLock({ $0.popLast() }) {
      let registration = next.registration
      let values = registration.recipe.extras?.values
      let actions = values?.closings.map { $0(next.box) } ?? []
      let limited = deadline.limited(values?.limits.closing)
      let trail = (closing?.trail ?? []) + [Step(registration, act: " (closing)")]
      let work = Work(Work.makeID(), trail: trail, keeper: .max, hasCell: false)
      let errors = await work.run { await limited.run { await Self.runLater(actions) } }
      work.end()
      failures += noting(
        errors?.map { InjectorError.closing($0, registration, injector) }
          ?? [InjectorError.closingTimedOut(limited.limit ?? .zero, registration, injector)], of: registration)
    }
    return failures
  }

  private func noting(_ failures: [InjectorError], of registration: Registration) -> [InjectorError] {
    for observe in observers { observe(registration, failures) }
    return failures
  }

  /// - Returns: The errors; `nil` if an action cannot run here, in which case none has run.
  private static func run(_ actions: [CloseAction]) -> [any Error]? {
    var works: [@Sendable () throws -> Void] = []
    for action in actions {
      guard case .now(let work, let isolation, _) = action, isolation != .mainActor || isOnMainActor() else {
        return nil
      }
      works.append(work)
    }
    return works.compactMap { work in
      do {
        try work()
        return nil
      } catch {
        return error
      }
    }
  }

  private static func runLater(_ actions: [CloseAction]) async -> [any Error] {
    var errors: [any Error] = []
    for action in actions {
      do {
        switch action {
        case .now(_, _, let later), .later(let later): try await later()
        }
      } catch {
        errors.append(error)
      }
    }
    return errors
  }
}

extension Injector {
  /// Closes the instances when the last reference to the injector is released.
  func end() {
    name?.environment.remove(number)
    let (isEmpty, attachments) = state.withLock { state in
      // No instance is being made, since its request would hold the injector.
      (state.phase == .closed || state.kept.isEmpty && state.loads.isEmpty, state.attachments)
    }
    defer { if !attachments.isEmpty { Layers.forget(attachments, of: self) } }
    for attachment in attachments { (attachment.object as? any EndingAttachment)?.end() }
    guard !isEmpty, let (queue, _, _) = beginClosing() else { return }
    _ = queue.runNow()
    if !queue.isEmpty { Task { _ = await queue.run(Deadline(), nil) } }
  }

  /// What only some injectors have to end.
  private typealias Rest = (attachments: [Attachment], sealed: SealedTable?, loads: [Cell], closing: Closing?)

  /// Stops the injector from making and keeping instances.
  ///
  /// - Parameter waits: Whether the caller waits for instances that threads are making.
  /// - Returns: The instances to close, and the cells whose instances are being made or loaded; `nil` if there are
  ///   none, or if another call has begun to close the injector.
  private func beginClosing(waits: Bool = false) -> (CloseQueue, pending: [Cell], Closing?)? {
    // Released outside of the lock, since a `deinit` may run then.
    var (table, kept, pending, rest) = (Table(), KeptCells(), [Cell](), ([], nil, [], nil) as Rest)
    let isPlain = state.withLock { state -> Bool? in
      if state.phase == .closed { return nil }
      pending = state.loads
      if waits { pending += state.made }
      let isPlain = state.endsPlainly && pending.isEmpty
      state.phase = .closed
      shortWay.open(nil)
      swap(&table, &state.table)
      swap(&kept, &state.kept)
      // Set under the same lock, so that a call that finds the injector closed waits for this closing.
      if !isPlain, !pending.isEmpty || !state.leaving.isEmpty || kept.areClosable {
        state.rare.orMade.closing = Closing(of: self, by: Work.makeID(), waits: !pending.isEmpty)
      }
      if !isPlain { rest = (state.attachments, state.sealed, state.loads, state.closing) }
      return isPlain
    }
    guard let isPlain else { return nil }
    if isPlain {
      withExtendedLifetime(table) {}  // Or the optimizer may release the old table under the lock.
      table = Table()
      kept.end()
      return nil
    }
    for attachment in rest.attachments { (attachment.object as? any EndingAttachment)?.end() }
    rest.sealed?.hide(true, .closed)
    var cells = kept.take { _ in true }
    let instances = Self.retire(cells)
    withExtendedLifetime(table) {}  // As above.
    table = Table()
    while cells.popLast() != nil {}  // The last instance is released first, unless it must be closed.
    _ = Self.retire(rest.loads)
    return (CloseQueue(instances, of: self), pending, rest.closing)
  }

  /// Whether instances that were released before are still being closed.
  private var isStillGivingUp: Bool { state.withLock { !$0.leaving.isEmpty } }

  func closeNowItself() {
    guard let (queue, pending, closing) = beginClosing() else { return }
    let failures = queue.runNow()
    guard let closing else { return }
    if queue.isEmpty, pending.isEmpty, !isStillGivingUp { return closing.end(failures) }
    // Nothing waits for this closing, so it is not part of other work.
    Work.apart { startClosing(queue, pending, closing, failures, Deadline()) }
  }

  func closeItself(_ deadline: Deadline) async -> [InjectorError] {
    if let (queue, pending, closing) = beginClosing(waits: true) {
      guard let closing else {
        _ = queue.runNow()
        return []
      }
      let failures = deadline.limit == nil && pending.isEmpty ? queue.runNow() : []
      if queue.isEmpty, pending.isEmpty, !isStillGivingUp {
        closing.end(failures)
        return failures
      }
      startClosing(queue, pending, closing, failures, deadline)
    }
    let (own, leaving) = state.withLock { ($0.closing, $0.leaving) }
    let ids = Work.current?.ids ?? []
    guard let closing = own, !leaving.contains(where: { ids.contains($0.id) }) else { return [] }
    await closing.cell.waitForEnd(for: Asker(Work.current), self)
    return closing.result
  }

  private func startClosing(
    _ queue: CloseQueue, _ pending: [Cell], _ closing: Closing, _ failures: [InjectorError], _ deadline: Deadline
  ) {
    let work = Work(closing.id, trail: (Work.current?.trail ?? []) + [closing.step], keeper: .max)
    Task { [self] in
      let rest = await work.run {
        for cell in pending { _ = await wait(for: cell, deadline, work) }
        let failures = await waitForLeaving(deadline, work)
        let late = CloseQueue(closing.endWaiting(), of: self)
        return await failures + late.run(deadline, work) + queue.run(deadline, work)
      }
      closing.end(failures + rest)
      work.end()
    }
  }
}

extension Injector {
  /// Waits until an instance is no longer being made.
  ///
  /// - Returns: Whether that was in time.
  @inline(never)
  private func wait(for cell: Cell, _ deadline: Deadline, _ work: Work) async -> Bool {
    await deadline.run { [self] in await cell.waitForEnd(for: Asker(work), self) } != nil
  }

  /// Waits for the closing of instances that were released before.
  private func waitForLeaving(_ deadline: Deadline, _ work: Work) async -> [InjectorError] {
    var failures: [InjectorError] = []
    for closing in state.withLock({ $0.leaving }) {
      let isOver = await wait(for: closing.cell, deadline, work)
      failures += closing.result
      guard !isOver, let first = closing.first else { continue }
      failures.append(.closingTimedOut(deadline.limit ?? .zero, first, InjectorError.Facts.Path(self)))
    }
    return failures
  }
}

extension Cell {
  /// Suspends the calling task until this instance is no longer being made, unless that would close a cycle of waits.
  func waitForEnd(for asker: Asker, _ injector: Injector) async {
    // A waiter that is to break a cycle of waits is woken before the attempt has ended: it enrols again.
    while true {
      let waiter = Waiter()
      guard WaitGraph.enrol(waiter, for: self, asker, injector) else { return }
      _ = await waiter.value
      WaitGraph.leave(waiter, asker)
    }
  }
}
