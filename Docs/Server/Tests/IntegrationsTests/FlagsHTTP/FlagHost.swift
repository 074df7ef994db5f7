import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Plug
import PlugFlags
import PlugFlagsHTTP
import Synchronization

/// A server on loopback whose answers a test sets.
final class FlagHost: Sendable {
  typealias Answer = @Sendable (Request) async throws -> Response

  let clock = PollClock()
  let requests = Events()
  let events = EventSource()
  private let answer: Mutex<Answer>

  init(_ answer: @escaping Answer) { self.answer = Mutex(answer) }

  func answer(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

  /// Runs the server during a test, which receives its URL.
  func serving(_ test: @escaping @Sendable (String) async throws -> Void) async throws {
    let responder = CallbackResponder<BasicRequestContext> { request, _ in
      let answer = self.answer.withLock { $0 }
      return try await answer(request)
    }
    let logger = Logger(label: "host", factory: { _ in SwiftLogNoOpLogHandler() })
    try await Application(responder: responder, logger: logger).test(.live) { client in
      try await test("http://127.0.0.1:\(client.port ?? 0)")
    }
  }

  /// How the sequences of a test poll: 30, 60, 120 and at most 200 seconds, with a timeout of 10.
  func polling(
    cache: String? = nil, headers: @escaping @Sendable () throws -> [String: String] = { [:] }
  ) -> FlagPolling {
    FlagPolling(
      jitter: 0, longestDelay: .seconds(200), sizeLimit: 1 << 20, cache: cache, clock: clock, headers: headers)
  }
}

extension Response {
  /// An answer with JSON.
  static func json(
    _ text: String, tag: String? = nil, status: HTTPResponse.Status = .ok, _ others: HTTPFields = [:]
  ) -> Response {
    var headers = others
    if headers[.contentType] == nil { headers[.contentType] = "application/json" }
    headers[.eTag] = tag
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  /// An answer with a document whose flags `a` and `b` are a number.
  static func numbers(_ number: Int, tag: String? = nil) -> Response { .json(.numbers(number), tag: tag) }
}

extension String {
  /// A document whose flags `a` and `b` are a number.
  static func numbers(_ number: Int) -> String {
    let flag = #"{"state":"ENABLED","variants":{"n":\#(number)},"defaultVariant":"n"}"#
    return #"{"flags":{"a":\#(flag),"b":\#(flag)}}"#
  }
}

extension FlagDocument {
  /// The value of a flag that is a number; -1 if there is none.
  func number(_ key: String) -> Int { evaluate(FlagKey(key, default: -1), in: FlagAttributes()).value }
}

extension Injector {
  /// The reason why the first source of flags is stale, or its state.
  var flagState: String {
    guard let state = flagSources.first?.state else { return "none" }
    return if case .stale(_, let reason) = state { reason } else { "\(state)" }
  }
}

/// A latch that is shut until it is opened.
final class Latch: Sendable {
  private let opening = AsyncStream<Void>.makeStream()

  func open() { opening.continuation.finish() }
  func pass() async { for await _ in opening.stream {} }
}

/// The events of a stream that one client at a time reads.
final class EventSource: Sendable {
  private let connections = AsyncStream<AsyncStream<String>.Continuation>.makeStream()
  private let current = Mutex<AsyncStream<String>.Continuation?>(nil)

  func makeStream() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream<String>.makeStream()
    connections.continuation.yield(continuation)
    return stream
  }

  /// Sends a string as soon as a client is connected.
  func send(_ text: String) async { await connection()?.yield(text) }

  /// Ends the current connection.
  func end() async {
    await connection()?.finish()
    current.withLock { $0 = nil }
  }

  private func connection() async -> AsyncStream<String>.Continuation? {
    if let connection = current.withLock(\.self) { return connection }
    let next = await connections.stream.first { _ in true }
    current.withLock { $0 = next }
    return next
  }
}

/// The numbers from 1 on.
final class Counter: Sendable {
  private let last = Atomic(0)

  func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
