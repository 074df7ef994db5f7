/// Lines in the order in which they were added, from any thread.
package final class Log: Sendable {
  private let state = Locked<[String]>([])

  package init() {}

  package var lines: [String] { state.withLock { $0 } }

  package func add(_ line: String) {
    state.withLock { $0.append(line) }
  }
}
