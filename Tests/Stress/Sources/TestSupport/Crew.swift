import Foundation
import Synchronization

/// Threads that stay from round to round, and are released from a barrier in each.
package final class Crew: Sendable {
  package typealias Body = @Sendable () -> Void

  private let bodies = Locked<[Body]?>([])
  private let arrived = Atomic(0)
  private let starts: [DispatchSemaphore]
  private let done = DispatchSemaphore(value: 0)

  package init(size: Int) {
    starts = (0..<size).map { _ in DispatchSemaphore(value: 0) }
    for index in 0..<size {
      let thread = Thread { [self] in
        while work(index) {}
      }
      thread.stackSize = 1 << 20
      thread.start()
    }
  }

  /// Runs each body on a thread of its own, all at the same time, and waits for their ends.
  package func run(_ work: [Body]) {
    bodies.withLock { $0 = work }
    arrived.store(0, ordering: .sequentiallyConsistent)
    for start in starts.prefix(work.count) { start.signal() }
    for _ in work { Watchdog.wait(for: done, "A round") }
    let ended = bodies.withLock { bodies in
      defer { bodies = [] }
      return bodies
    }
    withExtendedLifetime(ended) {}
  }

  /// Ends the threads.
  package func dismiss() {
    bodies.withLock { $0 = nil }
    for start in starts { start.signal() }
  }

  /// - Returns: Whether there may be more work.
  private func work(_ index: Int) -> Bool {
    starts[index].wait()
    do {
      guard let (body, count) = bodies.withLock({ bodies in bodies.map { ($0[index], $0.count) } }) else {
        return false
      }
      arrived.add(1, ordering: .sequentiallyConsistent)
      while arrived.load(ordering: .sequentiallyConsistent) < count { sched_yield() }
      body()
    }
    done.signal()
    return true
  }
}

/// Spends some time, so that threads meet at different places in each round.
@inline(never)
package func pause(_ turns: Int) {
  for turn in 0..<turns where turn % 64 == 63 { sched_yield() }
}

/// A point in a test that several threads must reach before any of them continues.
package final class Rendezvous: Sendable {
  private let missing: Locked<Int>
  private let gate = DispatchSemaphore(value: 0)

  package init(_ count: Int) {
    missing = Locked(count)
  }

  /// Waits for the others; later visitors pass.
  package func meet() {
    let isLast = missing.withLock { missing in
      missing -= 1
      return missing <= 0
    }
    if !isLast { _ = gate.wait(timeout: .now() + .seconds(Watchdog.seconds)) }
    gate.signal()
  }
}
