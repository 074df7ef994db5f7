/// Instances that an injector gives up, the last one first, each with its cell before the next one's turn comes.
struct Closings: Sendable {
  /// In order of construction.
  private var cells: [AnyEntry]
  private let injector: String?
  private let tracer: Tracer?
  /// Tells the injector from others.
  private let identity: ObjectIdentifier

  /// Whose instances the calling task is closing.
  @TaskLocal private static var running: [ObjectIdentifier] = []

  init(_ cells: [AnyEntry], of injector: Injector) {
    self.cells = cells
    self.injector = injector.path
    tracer = injector.registrations.attention.isDemanded ? injector.nearestTracer : nil
    identity = ObjectIdentifier(injector)
  }

  /// Whether the calling code closes instances of an injector.
  static func areRunning(for injector: Injector) -> Bool { running.contains(ObjectIdentifier(injector)) }

  /// Closes what can be closed at once, down to the first that cannot.
  ///
  /// - Returns: The task that closes the rest, if there is any.
  @discardableResult
  consuming func run() -> Task<[InjectorError], Never>? {
    while let cell = cells.last {
      if let work = cell.closingWork() {
        guard let errors = work.runNow() else {
          let rest = self
          return Task { await rest.run(Deadline()) }
        }
        for error in errors { report(failure(error, of: cell), of: cell) }
      }
      reportEnd(of: cell)
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
      if let work = cell.closingWork() {
        let limited = deadline.limited(cell.limits.closing)
        let running = Self.running + [identity]
        let errors = await Self.$running.withValue(running) { await limited.run { await work.run() } }
        let own =
          errors?.map { failure($0, of: cell) } ?? [.timedOut(facts(of: cell), after: limited.limit ?? .zero)]
        for failure in own { report(failure, of: cell) }
        failures += own
      }
      reportEnd(of: cell)
      cells.removeLast()
    }
    return failures
  }

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
