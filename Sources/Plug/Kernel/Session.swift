/// The unfinished work of an outermost request: configurations that wait for an instance further out, and the
/// publication of the instances that depend on them.
///
/// An instance is configured as soon as its factory has returned. A configuration that requests an instance that a
/// frame around it makes is put aside, and runs again at the end of that frame. Instances that are made meanwhile may
/// refer to an unconfigured one, so they are published only when all are configured.
final class Session {
  struct Made: Sendable {
    let registration: Registration
    /// The cell in which requests find the unpublished instance; `nil` if each request makes a new one.
    let cell: Cell?
    let box: AnyBox
    /// The undecorated instance, which is configured and closed.
    var inner: AnyBox?
    let injector: Injector
    /// The work that has claimed the cell.
    var maker: UInt
    /// Whether a load has made it. The load continues when its missing dependencies have been loaded.
    var isLoaded = false
    /// The number of scopes that the thread had opened when the construction began.
    var moment: UInt32 = 0
    var stage = Stage.configuring

    enum Stage: Sendable {
      /// Its configuration has yet to run to its end.
      case configuring
      /// Its configuration requested an instance that a frame around it makes. It runs again at the end of that frame.
      case putAside(until: Int)
      case configured
    }

    var isConfigured: Bool { if case .configured = stage { true } else { false } }
    var isConfiguring: Bool { if case .configuring = stage { true } else { false } }
  }

  /// An instance that another request has made and not finished.
  struct Borrowed: Sendable {
    let cell: Cell
    let box: AnyBox
    let injector: Injector

    enum Progress { case finished, unfinished(by: UInt), abandoned }

    var progress: Progress {
      cell.claim.withLock { claim in
        if cell.published.box === box { return .finished }
        if let making = claim.making, making.box === box { return .unfinished(by: making.maker) }
        return .abandoned
      }
    }
  }

  /// The work that an outermost request leaves to its end.
  struct Rest: Sendable {
    let made: [Made]
    let borrowed: [Borrowed]
  }

  /// The unpublished instances, in the order in which they were made. Those that were made before a frame stay while
  /// the frame lasts, since one of them is not configured or something is borrowed.
  var made: [Made] = []
  var borrowed: [Borrowed] = []
  /// Instances of the lifetime `graph`.
  var shared: [(registration: Registration, injector: UInt, box: AnyBox)] = []

  /// Whether an instance that is made now may be published at once.
  var isSettled: Bool { made.isEmpty && borrowed.isEmpty }

  /// The number of instances at the beginning that are known to be configured.
  private var configured = 0

  var rest: Rest { Rest(made: made, borrowed: borrowed) }

  func publishIfConfigured() {
    while configured < made.count, made[configured].isConfigured { configured += 1 }
    if configured == made.count, !made.isEmpty, borrowed.isEmpty { take(from: 0).publish() }
  }

  /// Lets the configurations that wait for one frame wait for another.
  func putAside(from index: Int, awaiting frame: Int, until other: Int) {
    for index in made[index...].indices {
      if case .putAside(frame) = made[index].stage { made[index].stage = .putAside(until: other) }
    }
  }

  /// Ends the sharing of instances from an index on, and returns them.
  func endSharing(from index: Int) -> [AnyBox] {
    let ended = shared[min(index, shared.count)...].map(\.box)
    shared.removeLast(ended.count)
    return ended
  }

  /// Removes and returns the instances from an index on.
  func take(from index: Int) -> [Made] {
    let taken = Array(made[min(index, made.count)...])
    made.removeLast(taken.count)
    configured = min(configured, made.count)
    return taken
  }
}

extension [Session.Made] {
  /// Releases instances that are not published.
  func abandon(_ error: any Error) {
    for one in reversed() {
      guard let cell = one.cell else { continue }
      one.injector.forget(cell)  // Before another request can claim the cell and keep its instance.
      if one.isLoaded, error.isRetried {
        cell.claim.withLock { $0.construct(nil) }
        continue
      }
      // Each waiter for a load receives the error, since the next load would fail in the same way.
      let outcome = one.isLoaded ? Cell.Outcome.failed(error) : error.outcomeForOthers
      one.injector.close(one.inner ?? one.box, of: one.registration) {
        cell.fail(outcome, by: one.maker, in: one.injector)
      }
    }
  }

  func publish() {
    for one in self { one.cell?.publish(one.box, in: one.injector) }
  }
}

extension Session.Rest {
  /// Waits for the borrowed instances, and publishes the request's own.
  ///
  /// - Returns: The error, if there is one.
  func finish(for asker: Asker) -> (any Error)? {
    do {
      if !borrowed.isEmpty { try WaitGraph.waitForEnd(of: borrowed, asker) }
      made.publish()
      return nil
    } catch {
      made.abandon(error)
      return error
    }
  }
}
