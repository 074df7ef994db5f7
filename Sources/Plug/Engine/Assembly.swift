/// Instances that refer to each other and are published together, once all of them have been configured.
///
/// Each session that makes an instance with a configuration starts an assembly. When a session on another thread needs
/// an instance of it in the meantime, it gets the instance at once and joins, because waiting could be a deadlock: the
/// first may in turn need what the other is making. Whoever leaves last publishes for all.
///
/// Soundness of the unchecked conformance: all state is read and written under `WaitGraph.lock`, but for `members`
/// after closing, which belong to the thread that left last.
final class Assembly: @unchecked Sendable {
  private var active = 1
  private var members: [Construction] = []
  private var failure: InjectorError?
  private var isFinished = false
  private var waiters: [ThreadContext] = []
  private var successor: Assembly?

  /// The assembly that this one has been merged into.
  var current: Assembly {
    var assembly = self
    while let successor = assembly.successor { assembly = successor }
    return assembly
  }

  func add(_ construction: Construction) {
    members.append(construction)
  }

  /// Makes the session of a thread a part of this assembly, with all that it has assembled itself.
  ///
  /// - Returns: `false` if everybody has left already.
  func admit(_ context: ThreadContext) -> Bool {
    guard active > 0 else { return false }
    guard let own = context.assembly?.current else {
      active += 1
      context.assembly = self
      return true
    }
    if own !== self { absorb(own) }
    return true
  }

  private func absorb(_ other: Assembly) {
    active += other.active
    members += other.members
    waiters += other.waiters
    failure = failure ?? other.failure
    other.successor = self
    other.members = []
    other.waiters = []
  }

  /// Ends the part of the calling thread, and returns when everything has been published or given up.
  ///
  /// - Parameter failure: What went wrong in this part.
  /// - Returns: What went wrong in any part.
  func leave(_ context: ThreadContext, failure: InjectorError?) -> InjectorError? {
    let (assembly, isLast) = WaitGraph.lock.withLock { _ in
      let assembly = current
      assembly.active -= 1
      assembly.failure = assembly.failure ?? failure
      if assembly.active > 0 { assembly.waiters.append(context) }
      return (assembly, assembly.active == 0)
    }
    if isLast {
      assembly.close()
    } else {
      while !WaitGraph.lock.withLock({ _ in assembly.current.isFinished }) { context.parker.park() }
    }
    return WaitGraph.lock.withLock { _ in assembly.current.failure }
  }

  private func close() {
    // Released here and not under the lock: the last reference to an instance may go with its construction.
    var refusal: InjectorError?
    for member in members {
      let failure = member.finish(failure)
      refusal = refusal ?? failure
    }
    members = []
    let waiters = WaitGraph.lock.withLock { _ in
      failure = refusal
      isFinished = true
      return self.waiters
    }
    for waiter in waiters { waiter.parker.unpark() }
  }
}

extension ThreadContext {
  /// Puts a constructed instance aside until this session ends.
  func assemble(_ construction: Construction) {
    let assembly = WaitGraph.lock.withLock { _ in
      let assembly = self.assembly?.current ?? Assembly()
      assembly.add(construction)
      return assembly
    }
    self.assembly = assembly
    construction.advance(to: .constructed(assembly))
  }

  /// Runs the configurations that this session owes, and publishes what it has assembled.
  ///
  /// - Returns: What went wrong; then nothing has been published.
  func finishSession() -> InjectorError? {
    var failure: InjectorError?
    var next = 0
    while next < deferred.count, failure == nil {
      do throws(InjectorError) {
        try deferred[next].run(self)
      } catch {
        failure = error
      }
      next += 1
    }
    deferred = []
    guard let assembly else { return failure }
    self.assembly = nil
    return assembly.leave(self, failure: failure)
  }
}

/// A configuration that waits for the end of its session.
struct Deferred {
  let run: (ThreadContext) throws(InjectorError) -> Void
}
