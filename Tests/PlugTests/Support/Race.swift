import Foundation
import Synchronization
import Testing

@testable import Plug

/// Threads that stay from round to round and are released from a barrier in each.
///
/// Each round gets a subject of its own, so that every cache is cold. Of the tests that run in parallel one races at a
/// time: the threads of two would wait for a processor more often than for each other.
func race<Subject: Sendable, Outcome: Sendable>(
  threads: Int,
  rounds: Int,
  makeSubject: (Int) throws -> Subject,
  body: @escaping @Sendable (Subject, _ thread: Int) -> Outcome,
  check: (Subject, [Outcome]) throws -> Void
) throws {
  oneAtATime.lock()
  defer { oneAtATime.unlock() }
  let crew = Crew<Subject, Outcome>(size: threads, body: body)
  defer { crew.dismiss() }
  for round in 0..<rounds {
    let subject = try makeSubject(round)
    try check(subject, crew.run(subject))
  }
}

/// Recursive, because the check of a race may race itself.
private let oneAtATime = NSRecursiveLock()

private final class Crew<Subject: Sendable, Outcome: Sendable>: Sendable {
  private struct State {
    var subject: Subject?
    var outcomes: [Outcome?]
  }

  private let size: Int
  private let state: Guarded<State>
  private let arrived = Atomic(0)
  private let isDismissed = Atomic(false)
  private let starts: [DispatchSemaphore]
  private let done = DispatchSemaphore(value: 0)

  init(size: Int, body: @escaping @Sendable (Subject, Int) -> Outcome) {
    self.size = size
    state = Guarded(State(subject: nil, outcomes: Array(repeating: nil, count: size)))
    starts = (0..<size).map { _ in DispatchSemaphore(value: 0) }
    for index in 0..<size {
      Thread.detachNewThread { [self] in
        while let subject = waitForStart(index) {
          let outcome = body(subject, index)
          state.withLock { $0.outcomes[index] = outcome }
          done.signal()
        }
      }
    }
  }

  /// Releases all threads at once, and waits for them; ends the process if they hang.
  func run(_ subject: Subject) -> [Outcome] {
    state.withLock { $0.subject = subject }
    arrived.store(0, ordering: .releasing)
    for start in starts { start.signal() }
    for _ in starts {
      guard done.wait(timeout: .now() + .seconds(Watchdog.seconds)) == .success else {
        fatalError("A round has not ended after \(Watchdog.seconds) seconds.")
      }
    }
    return state.withLock { state in
      defer { state.subject = nil }
      return state.outcomes.compactMap(\.self)
    }
  }

  func dismiss() {
    isDismissed.store(true, ordering: .releasing)
    for start in starts { start.signal() }
  }

  private func waitForStart(_ index: Int) -> Subject? {
    starts[index].wait()
    if isDismissed.load(ordering: .acquiring) { return nil }
    arrived.add(1, ordering: .acquiringAndReleasing)
    while arrived.load(ordering: .acquiring) < size { sched_yield() }
    return state.withLock { $0.subject }
  }
}

/// How long a test may hang before it counts as a deadlock.
enum Watchdog {
  static let seconds = 10
}

/// A point in a test that several threads must reach before any goes on.
final class Rendezvous: Sendable {
  private let missing: Guarded<Int>
  private let gate = DispatchSemaphore(value: 0)

  init(_ count: Int) {
    missing = Guarded(count)
  }

  /// Waits for the others; later visitors pass.
  func meet() {
    let isLast = missing.withLock { missing in
      missing -= 1
      return missing <= 0
    }
    if !isLast { _ = gate.wait(timeout: .now() + .seconds(Watchdog.seconds)) }
    gate.signal()
  }
}

/// Runs bodies on threads of their own, and returns their outcomes in order.
func inParallel<Outcome: Sendable>(_ bodies: (@Sendable () -> Outcome)...) throws -> [Outcome] {
  var outcomes: [Outcome] = []
  try race(threads: bodies.count, rounds: 1) { _ in
    bodies
  } body: { bodies, index in
    bodies[index]()
  } check: { _, all in
    outcomes = all
  }
  return outcomes
}
