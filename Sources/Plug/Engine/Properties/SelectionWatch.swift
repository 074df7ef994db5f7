/// Finds out which properties choose a winner, and chooses again when one of them changes.
///
/// A property that is read while the winner is chosen is noted here, and observed, before it is read; so no change is
/// missed.
///
/// Soundness of the unchecked conformance: everything is immutable or guarded.
final class SelectionWatch: Observer, @unchecked Sendable {
  typealias Stream = AsyncThrowingStream<String?, any Error>

  /// The injector has been closed, or released: its state is about to say so.
  struct Ended: Error {}

  private struct Observed {
    /// What is observed, and what has been read since the choice began.
    var states: [AnyPropertyState] = []
    var read: [AnyPropertyState] = []
    var last: String??
  }

  private let observed = Guarded(Observed())
  private let service: String
  /// A state of the injector with which this ends.
  private let ending: AnyPropertyState
  private let continuation: Stream.Continuation
  private let choose: @Sendable () throws -> String?

  init(
    _ service: String, until ending: AnyPropertyState, _ continuation: Stream.Continuation,
    _ choose: @escaping @Sendable () throws -> String?
  ) {
    self.service = service
    self.ending = ending
    self.continuation = continuation
    self.choose = choose
    super.init()
    if !ending.attach(self) { end() }
  }

  /// Notes that a property is going to be read.
  func note(_ state: AnyPropertyState) {
    let isNew = observed.withLock { observed in
      if observed.read.contains(where: { $0 === state }) { return false }
      observed.read.append(state)
      return !observed.states.contains { $0 === state }
    }
    if isNew { state.attach(self) }
  }

  override func see() {
    let context = ThreadContext.current
    let outer = context.watch
    context.watch = self
    Instrumentation.shared.begin()
    let winner = Result { try choose() }
    Instrumentation.shared.end()
    context.watch = outer
    let unread = observed.withLock { observed in
      defer { (observed.states, observed.read) = (observed.read, []) }
      return observed.states.filter { state in !observed.read.contains { $0 === state } }
    }
    for state in unread { state.detach(self) }
    if isOver { return detach() }
    switch winner {
    case .success(let winner): report(winner)
    case .failure(is Ended): break
    case .failure(let error): continuation.finish(throwing: error)
    }
  }

  private func report(_ winner: String?) {
    let last = observed.withLock { observed in
      defer { observed.last = winner }
      return observed.last
    }
    if last != winner { continuation.yield(winner) }
  }

  override func finish() {
    continuation.finish()
  }

  /// A property of another injector may have been read, which only changes what is chosen.
  override func end(of state: AnyPropertyState) {
    if state === ending { end() } else { look() }
  }

  override func trapWithoutEnd() -> Never {
    fatalError(
      """
      selections(of:) of \(service) never settles: a rule sets a property that it reads, to a new value each time.
      To fix this:
        - Let rules only read properties, not set them.
      """)
  }

  /// Ends it for good.
  func stop() {
    cancel()
    detach()
  }

  private func detach() {
    ending.detach(self)
    let states = observed.withLock { observed in
      defer { observed = Observed() }
      return observed.states + observed.read
    }
    for state in states { state.detach(self) }
  }
}

extension Injector {
  /// The winners that `choose` gives, each when it is another than the one before, until this injector ends.
  func winners(
    of service: any Any.Type, _ choose: @escaping @Sendable (Injector) throws -> String?
  ) -> AsyncThrowingStream<String?, any Error> {
    let (stream, continuation) = SelectionWatch.Stream.makeStream(of: String?.self)
    do throws(InjectorError) {
      let watch = SelectionWatch(typeName(service), until: try state(of: Ending.self), continuation) { [weak self] in
        guard let self else { throw SelectionWatch.Ended() }
        return try chooseWhileOpen(choose)
      }
      continuation.onTermination = { _ in watch.stop() }
      watch.look()
    } catch {
      continuation.finish(throwing: error)
    }
    return stream
  }

  /// Chooses, unless the injector is closed before or meanwhile: then the rules have not seen what they should.
  private func chooseWhileOpen(_ choose: (Injector) throws -> String?) throws -> String? {
    let winner = Result { try choose(self) }
    if isClosed { throw SelectionWatch.Ended() }
    return try winner.get()
  }
}

/// Never changes; its state is told when the injector ends.
private enum Ending: Property {
  static var defaultValue: Bool { false }
}

extension ThreadContext {
  /// Who wants to know which properties are read.
  ///
  /// Soundness of the cast: nothing else sets it.
  var watch: SelectionWatch? {
    get { watchObject.map { unsafe unsafeDowncast($0, to: SelectionWatch.self) } }
    set { watchObject = newValue }
  }
}
