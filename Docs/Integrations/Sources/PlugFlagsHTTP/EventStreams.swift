import AsyncHTTPClient
import NIOCore
import PlugFlags
import Synchronization

/// The connections to event streams of an OFREP server, and the wait for their next event.
struct EventStreams: Sendable {
  /// The greatest number of streams that a server may name.
  private static let countLimit = 8

  private let polling: FlagPolling
  private let bell = Bell()
  private var connections: [String: EventConnection] = [:]

  init(polling: FlagPolling) { self.polling = polling }

  /// Connects to streams, and ends the connections to all others.
  mutating func connect(to urls: [String]) {
    let urls = urls.filter { $0.hasPrefix("https://") || $0.hasPrefix("http://") }.prefix(Self.countLimit)
    connections = connections.filter { urls.contains($0.key) }
    for url in urls where connections[url] == nil {
      connections[url] = EventConnection(EventListener(url: url, polling: polling, bell: bell))
    }
  }

  /// Waits for an event, for a time at most. Events that have arrived before end the wait at once, and count as one.
  func event(within delay: Duration) async -> RefetchEvent? {
    await bell.event(within: delay, on: polling.clock)
  }
}

/// A connection to an event stream, which ends when it is released.
private final class EventConnection: Sendable {
  private let task: Task<Void, Never>

  init(_ listener: EventListener) {
    task = Task { await listener.run() }
  }

  deinit { task.cancel() }
}

/// What the connections ring, and what the polls wait for.
private final class Bell: Sendable {
  private enum State {
    case silent
    case rung(RefetchEvent)
    case waiting(Task<Void, Never>)
  }

  private let state = Mutex(State.silent)

  func ring(_ event: RefetchEvent) {
    let waiting = state.withLock { state in
      defer { state = .rung(event) }
      return if case .waiting(let task) = state { task } else { nil as Task<Void, Never>? }
    }
    waiting?.cancel()
  }

  func event(within delay: Duration, on clock: any Clock<Duration>) async -> RefetchEvent? {
    let sleep = Task { _ = try? await clock.sleep(for: delay) }
    let hasRung = state.withLock { state in
      if case .rung = state { return true }
      state = .waiting(sleep)
      return false
    }
    if hasRung { sleep.cancel() }
    await withTaskCancellationHandler {
      await sleep.value
    } onCancel: {
      sleep.cancel()
    }
    return state.withLock { state in
      defer { state = .silent }
      return if case .rung(let event) = state { event } else { nil }
    }
  }
}

/// Rings for each event of a stream, and opens the stream again when it ends.
///
/// Errors are not reported: the polls go on, and the URL may contain a secret.
private struct EventListener: Sendable {
  let url: String
  let polling: FlagPolling
  let bell: Bell

  func run() async {
    // A lost connection is opened again sooner than the next poll.
    let waits = FlagPolling(every: .seconds(1), jitter: polling.jitter, longestDelay: polling.longestDelay)
    var (reader, failures, isFirst) = (EventReader(), 0, true)
    while !Task.isCancelled {
      if let opened = try? await open(reader.lastID) {
        // What has changed meanwhile is not announced again.
        if !isFirst { bell.ring(RefetchEvent()) }
        isFirst = false
        // A server that ends each stream at once is asked less and less often.
        if await listen(to: opened.body, &reader) { failures = 0 }
      }
      failures += 1
      try? await polling.clock.sleep(for: waits.delay(afterFailures: failures))
    }
  }

  private func open(_ lastID: String?) async throws -> HTTPClientResponse? {
    var request = HTTPClientRequest(url: url)
    request.headers.add(name: "Accept", value: "text/event-stream")
    if let lastID { request.headers.add(name: "Last-Event-ID", value: lastID) }
    let response = try await polling.withTimeout { [polling, request] in
      try await polling.client.execute(request, deadline: .distantFuture)
    }
    let type = response.headers.first(name: "Content-Type") ?? ""
    return response.status == .ok && type.lowercased().hasPrefix("text/event-stream") ? response : nil
  }

  /// - Returns: Whether the stream has sent an event of any kind.
  private func listen(to body: HTTPClientResponse.Body, _ reader: inout EventReader) async -> Bool {
    var hasSent = false
    do {
      for try await part in body {
        guard let events = reader.read(part.readableBytesView) else { break }
        hasSent = hasSent || !events.isEmpty
        for event in events.lazy.compactMap(RefetchEvent.init) { bell.ring(event) }
      }
    } catch {}
    // The rest of an event that is cut off is not an event.
    reader = EventReader(after: reader.lastID)
    return hasSent
  }
}
