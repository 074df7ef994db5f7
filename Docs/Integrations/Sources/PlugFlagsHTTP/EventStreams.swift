import AsyncHTTPClient
import NIOCore
import PlugFlags
import Synchronization

/// Event streams of an OFREP server, and the wait for their next event.
///
/// The connections end when it is released: their tasks keep the bell, not the streams.
final class EventStreams: Sendable {
  /// The greatest number of streams that a server may name.
  private static let countLimit = 8

  private let polling: FlagPolling
  private let bell = Bell()
  private let connections = Mutex<[String: Task<Void, Never>]>([:])

  init(polling: FlagPolling) { self.polling = polling }

  deinit {
    connections.withLock { connections in for task in connections.values { task.cancel() } }
  }

  /// Connects to streams, and ends the connections to all others.
  func connect(to urls: [String]) {
    let urls = urls.filter { $0.hasPrefix("https://") || $0.hasPrefix("http://") }.prefix(Self.countLimit)
    connections.withLock { connections in
      for (url, task) in connections where !urls.contains(url) {
        task.cancel()
        connections[url] = nil
      }
      for url in urls where connections[url] == nil {
        let connection = EventConnection(url: url, polling: polling, bell: bell)
        connections[url] = Task { await connection.run() }
      }
    }
  }

  /// Waits for an event, for a time at most. Events that have arrived before end the wait at once, and count as one.
  func event(within delay: Duration) async -> RefetchEvent? {
    await bell.event(within: delay, on: polling.clock)
  }
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

/// A connection to an event stream that is opened again when it ends.
///
/// Errors are not reported: the polls go on, and the URL may contain a secret.
private struct EventConnection: Sendable {
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
        (failures, isFirst) = (0, false)
        await listen(to: opened.body, &reader)
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

  private func listen(to body: HTTPClientResponse.Body, _ reader: inout EventReader) async {
    do {
      for try await part in body {
        guard let events = reader.read(part.readableBytesView) else { break }
        for event in events.lazy.compactMap(RefetchEvent.init) { bell.ring(event) }
      }
    } catch {}
    // The rest of an event that is cut off is not an event.
    reader = EventReader(after: reader.lastID)
  }
}
