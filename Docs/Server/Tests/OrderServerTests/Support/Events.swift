import Synchronization

/// Records events in order, and lets a test wait for one.
final class Events: Sendable {
  private let all = Mutex<[String]>([])
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  func note(_ event: String) {
    all.withLock { $0.append(event) }
    continuation.yield(event)
  }

  /// Waits for an event, and returns all events so far.
  func until(_ last: String) async -> [String] {
    for await event in stream where event == last { break }
    return all.withLock { $0 }
  }
}
