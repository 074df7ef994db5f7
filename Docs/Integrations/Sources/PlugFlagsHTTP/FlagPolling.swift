public import AsyncHTTPClient

/// The intervals and limits of the requests to a ``FlagServer``, and their headers.
///
/// ```swift
/// let polling = FlagPolling(every: .seconds(60), cache: "flags.cache.json") {
///   ["Authorization": "Bearer \(token)"]
/// }
/// ```
public struct FlagPolling: Sendable {
  let interval: Duration
  let jitter: Double
  let longestDelay: Duration
  let timeout: Duration
  let sizeLimit: Int
  let cache: String?
  let clock: any Clock<Duration>
  let client: HTTPClient
  let headers: @Sendable () async throws -> [String: String]

  /// The longest time that `Retry-After` is granted.
  static let longestPause = Duration.seconds(86_400)

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - interval: The time between two polls, at least one second. It doubles with each failure in a row.
  ///   - jitter: The greatest share, from 0 to 1, by which each wait is lengthened at random, so that a fleet does not
  ///     poll at one moment.
  ///   - longestDelay: The longest interval after failures. A server may ask for more with `Retry-After`, up to a day.
  ///   - timeout: How long an answer may take, from the headers of the request to the last byte of the body.
  ///   - sizeLimit: The greatest number of bytes of a body. The rest of a longer one is not received.
  ///   - cache: The path of a file that keeps the last good document. The next launch uses it until the first answer.
  ///     Each server, and each context of an evaluation by the server, needs a file of its own.
  ///   - clock: The clock that measures the waits and the timeout.
  ///   - client: The client, for a proxy or certificates of your own; if it is `nil`, one that all sequences share. It
  ///     must run until the iteration has ended, and an answer that it was redirected to is refused.
  ///   - headers: Returns headers such as `Authorization`. It runs for each request, within its timeout. Requests for
  ///     event streams do not have them.
  public init(
    every interval: Duration = .seconds(30), jitter: Double = 0.1, longestDelay: Duration = .seconds(600),
    timeout: Duration = .seconds(10), sizeLimit: Int = 8 << 20, cache: String? = nil,
    clock: any Clock<Duration> = ContinuousClock(), client: HTTPClient? = nil,
    headers: @escaping @Sendable () async throws -> [String: String] = { [:] }
  ) {
    self.interval = max(interval, .seconds(1))
    self.jitter = min(max(jitter, 0), 1)
    self.longestDelay = max(longestDelay, self.interval)
    (self.timeout, self.sizeLimit, self.cache, self.clock) = (timeout, sizeLimit, cache, clock)
    (self.client, self.headers) = (client ?? Self.sharedClient, headers)
  }

  /// The client of all sequences that have none of their own. It lives as long as the process.
  private static let sharedClient: HTTPClient = {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    // The polls try again, not the client.
    configuration.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  /// The time until the next request.
  ///
  /// - Parameters:
  ///   - failures: The number of failures since the last good answer.
  ///   - pause: The time that the server has asked for.
  ///   - random: A number from 0 to 1. It only lengthens the wait, so that no request comes before the pause is over.
  func delay(afterFailures failures: Int, pause: Duration? = nil, random: Double = .random(in: 0...1)) -> Duration {
    var delay = interval
    for _ in 1..<max(failures, 1) where delay < longestDelay { delay *= 2 }
    return max(min(delay, longestDelay), min(pause ?? .zero, Self.longestPause)) * (1 + jitter * random)
  }

  /// Runs a closure, and cancels it after the timeout.
  func withTimeout<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask(operation: body)
      group.addTask { [timeout, clock] in
        try await clock.sleep(for: timeout)
        throw TimedOut(timeout: timeout)
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }
}

private struct TimedOut: Error, CustomStringConvertible {
  let timeout: Duration
  var description: String { "no whole answer within \(timeout)" }
}
