package import Foundation

/// The time limit after which a wait counts as a deadlock.
package enum Watchdog {
  /// Far more than a slow and busy machine needs for any single step of a test.
  package static let seconds = 120

  /// Waits for the semaphore, and ends the process if nothing signals it in time.
  package static func wait(for end: DispatchSemaphore, _ what: @autoclosure () -> String) {
    guard end.wait(timeout: .now() + .seconds(seconds)) == .success else {
      fatalError("\(what()) has not ended after \(seconds) seconds.")
    }
  }
}

/// The number of the calling thread.
package var threadNumber: UInt { UInt(bitPattern: ObjectIdentifier(Thread.current)) }

/// Lets other threads run.
package func yieldThread() { sched_yield() }

/// Runs a body on a thread of its own, without waiting for it.
package func startThread(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }

/// Runs a body on a thread with a stack of `size` bytes, and waits for its end.
package func onThread<Outcome: Sendable>(
  stack size: Int = 512 << 10, _ body: @escaping @Sendable () -> Outcome
) -> Outcome {
  let (outcome, done) = (Setting<Outcome>(), DispatchSemaphore(value: 0))
  let thread = Thread {
    outcome.set(body())
    done.signal()
  }
  thread.stackSize = size
  thread.start()
  Watchdog.wait(for: done, "A thread")
  guard let value = outcome.value else { fatalError("A thread has ended without an outcome.") }
  return value
}

/// Runs bodies on threads of their own, all at the same time, and returns their outcomes in order.
package func inParallel<Outcome: Sendable>(_ bodies: (@Sendable () -> Outcome)...) -> [Outcome] {
  let (crew, outcomes) = (Crew(size: bodies.count), bodies.map { _ in Setting<Outcome>() })
  defer { crew.dismiss() }
  crew.run(zip(bodies, outcomes).map { body, outcome in { outcome.set(body()) } })
  return outcomes.compactMap(\.value)
}
