/// The action that closes an instance when its injector releases it: immediately, if there is a closure for that and it
/// runs on the actor that it needs, or in a task.
struct CloseAction: Sendable {
  var now: (@Sendable () throws -> Void)?
  var isolation = FactoryIsolation.none
  let later: @Sendable () async throws -> Void
}

/// The closing of one injector, or of instances that it has released, the last first. Each is released when it has been
/// closed. Requests wait for the end of the closing as they wait for a cell.
final class Closing: Sendable {
  typealias Closable = (cell: Cell, box: AnyBox)

  private struct State {
    var rest: [Closable]
    /// Whether the closing waits for instances that were being made when it began.
    var waits: Bool
    /// The registrations of the injector, if the injector is closed.
    var registered: [Registration]?
    var failures: [RequestFailure] = []
  }

  /// The closing whose closures the calling task runs.
  @TaskLocal private static var running: Closing?

  let id = Work.makeID()
  let cell: Cell
  private let state: Guarded<State>
  private let number: UInt
  private let injector: Injector.Path
  private let observers: [ClosingObserver]

  init(_ rest: consuming [Closable] = [], of injector: Injector, _ observers: [ClosingObserver], waits: Bool = false) {
    (self.injector, number, self.observers) = (Injector.Path(injector), injector.number, observers)
    state = Guarded(State(rest: consume rest, waits: waits))
    cell = Cell(
      Registration(
        Key(Injector.self), .factory, AnyRecipe.unused, candidate: "\(injector)", depth: injector.depth,
        location: CodeLocation(fileID: "", line: 0)), maker: id)
  }

  var result: [RequestFailure] { state.withLock { $0.failures } }
  /// The instance that is closed next, or is being closed.
  var next: Closable? { state.withLock { $0.rest.last } }

  /// Adds the instances of a closed injector, before those that have been taken over.
  func add(_ instances: [Closable], _ registered: [Registration]) {
    state.withLock { ($0.rest, $0.registered) = (instances + $0.rest, registered) }
  }

  /// Takes over an instance that was being made when the closing began, unless the closing does not wait for it.
  func take(_ instance: Closable) -> Bool {
    state.withLock { state in
      if state.waits { state.rest.append(instance) }
      return state.waits
    }
  }

  func endWaiting() { state.withLock { $0.waits = false } }

  func end(_ failures: [RequestFailure]) {
    let old = state.withLock { state in
      defer { (state.failures, state.registered) = (failures, nil) }
      return state.registered
    }
    withExtendedLifetime(old) {}  // Released outside of the lock, since a `deinit` may run then.
    cell.fail(.look, by: id)
  }

  /// The closing of an injector, if the calling code is one of its closures.
  static func running(for injector: Injector) -> Closing? {
    guard let running, running.number == injector.number else { return nil }
    return running.state.withLock { $0.registered } == nil ? nil : running
  }

  /// The instance of a registration that is not closed yet.
  func box(of registration: Registration) -> AnyBox? {
    let isGiven = registration.hasInstance && !registration.isClosable
    let kept = state.withLock { state in
      state.rest.last { $0.cell.registration === registration && $0.cell.arguments == nil }
    }
    return kept?.cell.published.box ?? (isGiven ? registration.instance : nil)
  }

  /// A cell with the instance of a key that is not closed yet; `nil` if the injector has not registered the service.
  /// Throws where the calling code is not one of the closing's closures, or the instance does not exist.
  static func cell(of key: Key, in owner: Injector, for asking: Injector) throws -> Cell? {
    guard let closing = running(for: owner) else { throw asking.closed(key) }
    guard let own = closing.state.withLock({ $0.registered })?.first(where: { $0.key == key }) else { return nil }
    guard let box = closing.box(of: own) else { throw asking.closed(key) }
    return Cell(
      Registration(key, .singleton, AnyRecipe.unused, instance: box, depth: own.depth, location: own.location))
  }

  /// Closes instances immediately, up to the first that cannot be closed immediately.
  func runNow() -> [RequestFailure] {
    Self.$running.withValue(self) {
      var failures: [RequestFailure] = []
      while let next, let errors = Self.run(Self.actions(for: next)) {
        failures += end(next, errors.map { failure(.closingThrew($0), of: next.cell.registration) })
      }
      return failures
    }
  }

  /// Closes the remaining instances.
  @inline(never)
  func run(_ deadline: Deadline, _ work: Work?) async -> [RequestFailure] {
    await Self.$running.withValue(self) {
      var failures: [RequestFailure] = []
      while let next {
        let registration = next.cell.registration
        let limited = deadline.limited(registration.recipe.extras?.values.limits.closing)
        let trail = (work?.trail ?? []) + [Step(registration, act: " (closing)")]
        let part = Work(Work.makeID(), trail: trail, ownerDepth: .max, hasCell: false)
        let errors = await part.run { await limited.run { await Self.runLater(Self.actions(for: next)) } }
        part.end()
        failures += end(
          next,
          errors?.map { failure(.closingThrew($0), of: registration) }
            ?? [failure(.closingTimedOut(limited.limit ?? .zero), of: registration)])
      }
      return failures
    }
  }

  /// The failure to close an instance, which ends a chain without the closing of its injector. A closed injector keeps
  /// it, and so it keeps no recipe and no given instance.
  fileprivate func failure(_ cause: RequestFailure.Cause, of registration: Registration) -> RequestFailure {
    let way = ThreadStack.current.with { $0.path.filter(\.act.isEmpty) }
    return RequestFailure(cause, registration.withoutRecipe, injector, way.map { Step($0.registration.withoutRecipe) })
  }

  private func end(_ instance: Closable, _ failures: [RequestFailure]) -> [RequestFailure] {
    // By identity: a load that has ended meanwhile may have added its instance behind this one.
    let last = state.withLock { own in own.rest.lastIndex { $0.box === instance.box }.map { own.rest.remove(at: $0) } }
    for observe in observers { observe(instance.cell.registration, failures) }
    withExtendedLifetime(last) {}  // As above.
    return failures
  }

  private static func actions(for instance: Closable) -> [CloseAction] {
    instance.cell.registration.recipe.extras?.values.closings.map { $0(instance.box) } ?? []
  }

  /// - Returns: The errors; `nil` if an action cannot run here, in which case none has run.
  private static func run(_ actions: [CloseAction]) -> [any Error]? {
    var works: [@Sendable () throws -> Void] = []
    for action in actions {
      guard let now = action.now, !action.isolation.isMainActor || isOnMainActor() else { return nil }
      works.append(now)
    }
    return works.compactMap { work in
      do { try work() } catch { return error }
      return nil
    }
  }

  private static func runLater(_ actions: [CloseAction]) async -> [any Error] {
    var errors: [any Error] = []
    for action in actions { do { try await action.later() } catch { errors.append(error) } }
    return errors
  }
}

extension Injector {
  /// Closes the instances when the last reference to the injector is released.
  func end() {
    name?.environment.remove(number)
    defer { Layers.forget(self) }
    guard !isClosedItself, let (closing, _) = beginClosing() else { return }
    _ = closing.runNow()
    if closing.next != nil { Task { _ = await closing.run(Deadline(), nil) } }
  }

  /// What few injectors have to close.
  private typealias Rest = (sealed: SealedTable?, loads: [Cell], closing: Closing?)

  /// Stops the injector from making and keeping instances.
  ///
  /// - Parameter waits: Whether the caller waits for instances that threads are making.
  /// - Returns: The closing, and the cells whose instances are being made or loaded; `nil` if nothing has to be closed,
  ///   or if another call has begun to close the injector.
  private func beginClosing(waits: Bool = false) -> (Closing, pending: [Cell])? {
    // Released outside of the lock, since a `deinit` may run then.
    var (table, kept, attachments) = (Table(), KeptCells(), [any Attachment]())
    var (pending, rest) = ([Cell](), nil as Rest?)
    let observers = Layers.areWatched ? closingObservers : []
    let wasOpen = state.withLock { state in
      if state.phase == .closed { return false }
      pending = state.loads  // A closing waits for loads in its task, even if the caller does not wait for threads.
      if waits { pending += state.beingMade }
      let closes = state.kept.areClosable || !pending.isEmpty || !state.leaving.isEmpty || !observers.isEmpty
      // Set under the same lock, so that a call that finds the injector closed waits for this closing.
      if closes { state.rare.orMade.closing = Closing(of: self, observers, waits: !pending.isEmpty) }
      if closes || state.sealed != nil { rest = (state.sealed, state.loads, state.closing) }
      attachments = state.attachments
      state.phase = .closed
      shortWay.open(nil)
      swap(&table, &state.table)
      swap(&kept, &state.kept)
      return true
    }
    if wasOpen { countScope(-1) }
    for attachment in attachments { attachment.end(keepsValues: false) }
    guard let rest else {
      withExtendedLifetime(table) {}  // Or the optimizer may release the old table under the lock.
      table = Table()
      kept.end()
      return nil
    }
    rest.sealed?.hide(true, .closed)
    var cells = kept.take { _ in true }
    var instances = Self.retire(cells)
    rest.closing?.add(instances, ((rest.sealed?.cells ?? []) + table.cells).map(\.registration))
    instances = []  // Or it would release the first instance first.
    withExtendedLifetime(table) {}  // As above.
    table = Table()
    while cells.popLast() != nil {}  // The last instance is released first, unless it must be closed.
    _ = Self.retire(rest.loads)  // Cancels them: a singleton that is still loaded is not among the kept cells.
    return rest.closing.map { ($0, pending) }
  }

  var closingObservers: [ClosingObserver] { Layers.hooks(of: self).compactMap { $0.closing(in: self) } }

  func closeNowItself() {
    guard let (closing, pending) = beginClosing() else { return }
    let failures = closing.runNow()
    // Nothing waits for this closing, so it is not part of other work.
    _ = Work.apart { finish(closing, pending, failures, Deadline()) }
  }

  func closeItself(_ deadline: Deadline) async -> [RequestFailure] {
    if let (closing, pending) = beginClosing(waits: true) {
      let failures = deadline.limit == nil && pending.isEmpty ? closing.runNow() : []
      if finish(closing, pending, failures, deadline) { return failures }
    }
    let (own, leaving, loads) = state.withLock { ($0.closing, $0.leaving, $0.loads) }
    let (ids, makers) = (Work.current?.ids ?? [], loads.compactMap { $0.claim.withLock(\.maker) })
    // The closing waits for the work that calls, or will.
    guard let closing = own, !(leaving.map(\.id) + makers).contains(where: ids.contains) else { return [] }
    await closing.cell.waitForEnd(for: Asker(Work.current), self)
    return closing.result
  }

  /// Closes in a task what could not be closed immediately.
  ///
  /// - Returns: Whether everything is closed.
  private func finish(
    _ closing: Closing, _ pending: [Cell], _ failures: [RequestFailure], _ deadline: Deadline
  ) -> Bool {
    if closing.next == nil, pending.isEmpty, state.withLock({ $0.leaving.isEmpty }) {
      closing.end(failures)
      return true
    }
    let work = Work(
      closing.id, trail: (Work.current?.trail ?? []) + [Step(closing.cell.registration, act: " (closing)")],
      ownerDepth: .max)
    Task { [self] in
      let rest = await work.run {
        for cell in pending { await cell.waitForEnd(for: Asker(work), self, deadline) }
        let failures = await waitForLeaving(deadline, work)
        closing.endWaiting()
        return await failures + closing.run(deadline, work)
      }
      closing.end(failures + rest)
      work.end()
    }
    return false
  }
}

extension Injector {
  /// Waits for the closing of instances that were released before.
  private func waitForLeaving(_ deadline: Deadline, _ work: Work) async -> [RequestFailure] {
    var failures: [RequestFailure] = []
    for closing in state.withLock({ $0.leaving }) {
      let isOver = await closing.cell.waitForEnd(for: Asker(work), self, deadline)
      failures += closing.result
      guard !isOver, let next = closing.next else { continue }
      failures.append(closing.failure(.closingTimedOut(deadline.limit ?? .zero), of: next.cell.registration))
    }
    return failures
  }
}
