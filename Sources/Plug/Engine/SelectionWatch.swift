/// Finds out which properties choose a winner, and chooses again when one of them changes.
///
/// A property that is read while the winner is chosen is noted here, and observed, before it is read; so no change is
/// missed.
///
/// Soundness of the unchecked conformance: everything is immutable or guarded.
final class SelectionWatch: Observer, @unchecked Sendable {
  typealias Stream = AsyncThrowingStream<String?, any Error>

  private struct Observed {
    /// What is observed, and what has been read since the choice began.
    var states: [AnyPropertyState] = []
    var read: [AnyPropertyState] = []
    var last: String??
  }

  private let observed = Guarded(Observed())
  private let continuation: Stream.Continuation
  private let choose: @Sendable () throws -> String?

  init(_ continuation: Stream.Continuation, _ choose: @escaping @Sendable () throws -> String?) {
    self.continuation = continuation
    self.choose = choose
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
    Attention.shared.begin()
    let winner = Result { try choose() }
    Attention.shared.end()
    context.watch = outer
    let unread = observed.withLock { observed in
      defer { (observed.states, observed.read) = (observed.read, []) }
      return observed.states.filter { state in !observed.read.contains { $0 === state } }
    }
    for state in unread { state.detach(self) }
    switch winner {
    case .success(let winner): report(winner)
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

  /// Ends it for good.
  func stop() {
    cancel()
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
    _ choose: @escaping @Sendable (Injector) throws -> String?
  ) -> AsyncThrowingStream<String?, any Error> {
    let (stream, continuation) = SelectionWatch.Stream.makeStream(of: String?.self)
    let watch = SelectionWatch(continuation) { [weak self] in
      guard let self else { throw CancellationError() }
      // With the state of this one it is told when the injector ends, whatever else is read.
      _ = try get(Ending.self)
      return try choose(self)
    }
    continuation.onTermination = { _ in watch.stop() }
    watch.look()
    return stream
  }
}

/// Never changes.
private enum Ending: Property {
  static var defaultValue: Bool { false }
}
