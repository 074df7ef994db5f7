import Synchronization

extension Injector {
  /// What others wait for who want the injector's instances to be closed.
  var closingIdentity: ClosingIdentity {
    instanceStore.withLock { $0.extras.identity }
  }

  /// What that is called.
  var closingName: String { Self.closingName(path) }

  static func closingName(_ path: String?) -> String { "Injector(\(path.map { "\"\($0)\"" } ?? "")) (closing)" }
}

/// One part of closing an injector's instances, as the code sees it that this runs.
final class ClosingContext: TaskWork {
  let node: any TaskGraph.Node
  let names: [String]
  let load = LoadContext.current
  private let hasEnded = Atomic(false)

  init(_ identity: ClosingIdentity, _ names: [String]) {
    node = identity
    self.names = names
  }

  var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  /// Runs what closes an instance.
  func run<Result>(_ close: () async -> Result) async -> Result {
    let result = await TaskGraph.run(self, close)
    end()
    return result
  }

  /// It does not wait for anything any more.
  func end() {
    hasEnded.store(true, ordering: .releasing)
    TaskGraph.shared.end(self)
  }
}

/// Instances that an injector releases, the last one first, each with its cell before the next one's turn comes. It is
/// an object, so that whoever runs it and whoever has made it do not each hold the cells.
final class CloseQueue: Sendable {
  /// In order of construction.
  private let cells: Guarded<[AnyEntry]>
  private let path: InjectorError.Facts.Path
  private let tracer: Tracer?
  /// What others wait for who want this to be closed.
  private let identity: ClosingIdentity

  init(_ cells: consuming [AnyEntry], of injector: Injector, _ identity: ClosingIdentity? = nil) {
    self.cells = Guarded(cells)
    path = .inner(names: injector.names)
    tracer = injector.registrations.isWatched ? injector.nearestTracer : nil
    self.identity = identity ?? injector.closingIdentity
  }

  /// Waits until an injector has been closed, unless that waits for what the calling code loads or closes.
  static func wait(for closing: Task<[InjectorError], Never>, of injector: Injector) async -> [InjectorError] {
    let result = try? await TaskGraph.shared.wait(for: injector.closingIdentity, [injector.closingName]) {
      await closing.value
    }
    return result ?? []
  }

  /// Closes what can be closed at once, down to the first that cannot.
  ///
  /// - Returns: What went wrong, and the rest, if there is any.
  static func run(
    _ kept: consuming KeptInstances, of injector: Injector
  ) -> (failures: [InjectorError], rest: CloseQueue?) {
    let isWatched = injector.registrations.isWatched
    var failures: [InjectorError] = []
    while let slot = kept.popLast() {
      guard slot.isClosable || isWatched else {
        kept.end(slot)
        continue
      }
      guard let cell = kept.cell(of: slot) else { continue }
      guard let new = close(cell, of: injector, isWatched: isWatched) else {
        return (failures, CloseQueue(kept.takeCells() + [cell], of: injector))
      }
      if !new.isEmpty { failures += new }
    }
    withExtendedLifetime(kept) {}
    return (failures, nil)
  }

  /// Does what is to be done to one instance, if that can be done at once.
  ///
  /// - Returns: What went wrong; `nil` if it cannot.
  @inline(never)
  private static func close(_ cell: AnyEntry, of injector: Injector, isWatched: Bool) -> [InjectorError]? {
    var errors: [any Error]? = []
    if cell.isClosable {
      cell.end()
      if let work = cell.pendingClose() { errors = work.runNow() }
    }
    guard let errors else { return nil }
    if !isWatched, errors.isEmpty { return [] }
    let closings = CloseQueue([], of: injector)
    let failures = errors.map { closings.failure($0, of: cell) }
    for failure in failures { closings.report(failure, of: cell) }
    closings.reportEnd(of: cell)
    return failures
  }

  /// Closes everything in a task for which nobody waits.
  @inline(never)
  func runInTask() { Task { _ = await run(Deadline()) } }

  /// Closes everything.
  ///
  /// - Parameter deadline: How long each may take.
  /// - Returns: What went wrong.
  func run(_ deadline: Deadline) async -> [InjectorError] {
    var failures: [InjectorError] = []
    while let cell = cells.withLock({ $0.popLast() }) {
      cell.end()
      if let work = cell.pendingClose() { failures += await run(work, of: cell, deadline) }
      reportEnd(of: cell)
    }
    return failures
  }

  /// The closing of a part, or what comes before.
  func context(_ part: String? = nil) -> ClosingContext {
    ClosingContext(identity, [Injector.closingName(path.text)] + [part].compactMap { $0.map { "\($0) (closing)" } })
  }

  /// Does what is to be done to one instance.
  func run(_ work: PendingClose, of cell: AnyEntry, _ deadline: Deadline) async -> [InjectorError] {
    let limited = deadline.limited(cell.limits.closing)
    let context = context(cell.declaration.name)
    let errors = await context.run { await limited.run { await work.run() } }
    let failures =
      errors?.map { failure($0, of: cell) } ?? [.timedOut(facts(of: cell), after: limited.limit ?? .zero)]
    for failure in failures { report(failure, of: cell) }
    return failures
  }

  /// Closes an instance that nobody has got, at once or in a task.
  func discard(_ work: PendingClose, of cell: AnyEntry, in injector: Injector) {
    if let errors = work.runNow() {
      for error in errors { report(failure(error, of: cell), of: cell) }
    } else {
      injector.finish(facts(of: cell)) { await self.run(work, of: cell, Deadline()) }
    }
  }

  /// The facts about the first that is to be closed.
  var facts: InjectorError.Facts {
    cells.withLock { $0.last }.map(facts) ?? InjectorError.Facts(.named("", .service), in: path)
  }

  private func report(_ failure: InjectorError, of cell: AnyEntry) {
    tracer?.receive(event(.failed(failure), cell))
  }

  private func reportEnd(of cell: AnyEntry) {
    if !cell.isState { tracer?.receive(event(.closed, cell)) }
  }

  private func event(_ kind: Injector.Event.Kind, _ cell: AnyEntry) -> Injector.Event {
    Injector.Event(
      kind: kind, service: cell.declaration.name, injector: path.text,
      chain: ThreadContext.chain(to: cell.declaration.name))
  }

  private func failure(_ error: any Error, of cell: AnyEntry) -> InjectorError {
    .closingFailed(facts(of: cell), underlying: error)
  }

  private func facts(of cell: AnyEntry) -> InjectorError.Facts {
    var facts = InjectorError.Facts(.service(cell.declaration.serviceName), in: path, after: ThreadContext.way)
    facts.registeredAt = cell.declaration.location
    return facts
  }
}
