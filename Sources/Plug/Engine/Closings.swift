/// Tells one injector whose instances are closed from others.
final class ClosingIdentity: Sendable {}

extension Injector {
  fileprivate var closingIdentity: ClosingIdentity {
    holdings.withLock { $0.extras.identity }
  }
}

/// Instances that an injector gives up, the last one first, each with its cell before the next one's turn comes.
struct Closings: Sendable {
  /// In order of construction.
  private var cells: [AnyEntry]
  private let injector: String?
  private let tracer: Tracer?
  private let identity: ClosingIdentity?

  /// Whose instances the calling task is closing.
  @TaskLocal private static var running: [ClosingIdentity] = []

  init(_ cells: [AnyEntry], of injector: Injector, _ identity: ClosingIdentity? = nil) {
    self.cells = cells
    self.injector = injector.path
    tracer = injector.registrations.attention.isDemanded ? injector.nearestTracer : nil
    self.identity = cells.isEmpty ? nil : identity ?? injector.closingIdentity
  }

  /// Waits until an injector has been closed, unless that waits for what the calling code is closing.
  static func wait(for closing: Task<[InjectorError], Never>, of injector: Injector) async -> [InjectorError] {
    guard let own = running.last else { return await closing.value }
    let other = injector.closingIdentity
    if running.contains(where: { $0 === other }) || TaskGraph.ofClosings.begin(own, for: other) != nil { return [] }
    defer { TaskGraph.ofClosings.end(own, for: other) }
    return await closing.value
  }

  /// Closes what can be closed at once, down to the first that cannot.
  ///
  /// - Returns: The rest, if there is any.
  static func run(_ cells: consuming [AnyEntry], of injector: Injector) -> Closings? {
    let isWatched = injector.registrations.attention.isDemanded
    while let cell = cells.last {
      var errors: [any Error]? = []
      if let work = cell.closingWork() { errors = work.runNow() }
      guard let errors else { return Closings(cells, of: injector) }
      if isWatched || !errors.isEmpty {
        let closings = Closings([], of: injector)
        for error in errors { closings.report(closings.failure(error, of: cell), of: cell) }
        closings.reportEnd(of: cell)
      }
      cells.removeLast()
    }
    return nil
  }

  /// Closes everything.
  ///
  /// - Parameter deadline: How long each may take.
  /// - Returns: What went wrong.
  consuming func run(_ deadline: Deadline) async -> [InjectorError] {
    var failures: [InjectorError] = []
    while let cell = cells.last {
      if let work = cell.closingWork() { failures += await run(work, of: cell, deadline) }
      reportEnd(of: cell)
      cells.removeLast()
    }
    return failures
  }

  /// Does what is to be done to one instance.
  func run(_ work: ClosingWork, of cell: AnyEntry, _ deadline: Deadline) async -> [InjectorError] {
    let limited = deadline.limited(cell.limits.closing)
    let running = Self.running + [identity].compactMap(\.self)
    let errors = await Self.$running.withValue(running) { await limited.run { await work.run() } }
    let failures =
      errors?.map { failure($0, of: cell) } ?? [.timedOut(facts(of: cell), after: limited.limit ?? .zero)]
    for failure in failures { report(failure, of: cell) }
    return failures
  }

  /// Closes an instance that nobody has got, at once or in a task.
  func discard(_ work: ClosingWork, of cell: AnyEntry, in injector: Injector) {
    if let errors = work.runNow() {
      for error in errors { report(failure(error, of: cell), of: cell) }
    } else {
      injector.finish(facts(of: cell)) { await run(work, of: cell, Deadline()) }
    }
  }

  /// The facts about the first that is to be closed.
  var facts: InjectorError.Facts {
    cells.last.map(facts) ?? InjectorError.Facts(name: "", injector: injector, registeredAt: nil)
  }

  /// Whether the calling code closes instances.
  static var areRunning: Bool { !running.isEmpty }

  private func report(_ failure: InjectorError, of cell: AnyEntry) {
    tracer?.receive(event(.failed(failure), cell))
  }

  private func reportEnd(of cell: AnyEntry) {
    if !cell.isState { tracer?.receive(event(.closed, cell)) }
  }

  private func event(_ kind: Injector.Event.Kind, _ cell: AnyEntry) -> Injector.Event {
    Injector.Event(kind: kind, service: cell.subject.name, injector: injector, chain: chain(to: cell))
  }

  private func failure(_ error: any Error, of cell: AnyEntry) -> InjectorError {
    .closingFailed(facts(of: cell), underlying: error)
  }

  private func facts(of cell: AnyEntry) -> InjectorError.Facts {
    let (subject, tag) = (cell.subject, cell.tag?.rawValue)
    var facts = InjectorError.Facts(
      service: subject.service, tag: tag, candidate: subject.candidate, injector: injector, chain: chain(to: cell))
    facts.registeredAt = subject.site
    return facts
  }

  private func chain(to cell: AnyEntry) -> [String] {
    ThreadContext.chain(to: cell.subject.name)
  }
}
