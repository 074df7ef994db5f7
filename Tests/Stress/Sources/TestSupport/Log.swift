/// Lines in the order in which they were added, from any thread.
package final class Log: Sendable {
  private let state = Locked<[String]>([])

  package init() {}

  // A copy made under the lock: ThreadSanitizer does not see the order that the counts of a shared buffer establish.
  package var lines: [String] { state.withLock { $0.map(\.self) } }

  package func add(_ line: String) {
    state.withLock { $0.append(line) }
  }
}
