import Foundation
package import Testing

/// Threads that stay from round to round and are released from a barrier in each, at most some turns after one another.
///
/// Each round gets a subject of its own, so that every cache is cold. Only one of the tests that run in parallel races
/// at a time: the threads of two races would wait for a processor more often than for each other.
package func race<Subject: Sendable, Outcome: Sendable>(
  threads: Int,
  rounds few: Int = 10,
  at location: SourceLocation = #_sourceLocation,
  makeSubject: (Int) throws -> Subject,
  body: @escaping @Sendable (Subject, _ thread: Int) -> Outcome,
  check: (Subject, [Outcome]) throws -> Void
) throws {
  oneAtATime.lock()
  defer { oneAtATime.unlock() }
  let crew = Crew(size: threads)
  defer { crew.dismiss() }
  try Rounds.run(few, at: location) { round in
    let (subject, outcomes) = (try makeSubject(round.number), (0..<threads).map { _ in Setting<Outcome>() })
    var random = round.random
    crew.run(
      outcomes.enumerated().map { thread, outcome in
        let delay = random.delay()
        return {
          pause(delay)
          outcome.set(body(subject, thread))
        }
      })
    try check(subject, outcomes.compactMap(\.value))
  }
}

/// Recursive, because the check of a race may race itself.
private let oneAtATime = NSRecursiveLock()
