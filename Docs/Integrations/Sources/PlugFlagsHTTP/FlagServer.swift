import Foundation
public import PlugFlags

/// A server with a flag document that is polled, as an asynchronous sequence of documents.
///
/// ```swift
/// try services.register(.following(FlagServer("https://config.example/flags.json")))
/// try await services.start()
/// ```
///
/// It yields the document of the first answer, and then each new one. If the server gives an entity tag, later requests
/// ask only for a newer document. While there is no good answer, the last document stays current, and the source is
/// stale, with the time and the reason: see `flagSources`. The intervals then double, and `Retry-After` is granted.
///
/// An answer is good if it has the status 200, the content type of JSON or plain text, a body within the limit, and a
/// flag document. Redirects are not followed, so that headers with credentials reach no other server.
///
/// If the first request fails and there is no cache, `start` throws, as it does for a file without a document. To start
/// anyway, pass `beginningWith:`. Polling ends with the task that iterates; with `.following`, the injector's `close`
/// ends it.
public struct FlagServer: FlagDocumentSequence {
  /// The elements are documents.
  public typealias Element = FlagDocument

  /// What the server is asked for.
  enum Exchange: Sendable {
    case document(FractionalVersion)
    case evaluation(FlagAttributes)
  }

  /// The URL without its query and credentials.
  public let name: String

  let url: String
  let exchange: Exchange
  let polling: FlagPolling
  /// What the program has passed, for errors that do not make the documents stale.
  private let complain: @Sendable (FlagDocumentError) -> Void
  private var report: @Sendable (FlagDocumentError?) -> Void

  /// Creates a sequence of the documents at a URL. It sends no request before it is iterated.
  ///
  /// - Parameters:
  ///   - url: The URL of a document in flagd's format.
  ///   - version: How `fractional` hashes.
  ///   - polling: The intervals, the limits, and the headers of the requests.
  ///   - report: Receives the error when there is no good answer: once, until the reason changes.
  public init(
    _ url: String, fractional version: FractionalVersion = .v2, polling: FlagPolling = FlagPolling(),
    onProblem report: @escaping @Sendable (FlagDocumentError) -> Void = { _ in }
  ) {
    self.init(url, .document(version), polling, report)
  }

  /// Creates a sequence of the flags that a server evaluates for one context, with the OpenFeature Remote Evaluation
  /// Protocol.
  ///
  /// ```swift
  /// let flags = FlagServer(
  ///   ofrep: "https://flags.example", context: ["targetingKey": "p-17"])
  /// let following = try await session.follow(flags)
  /// ```
  ///
  /// Use it where one injector or scope belongs to one user, as in an app. Each flag has the value, variant, reason and
  /// metadata of the server, whatever context your program passes: rules such as `.flag("new-checkout")`, and
  /// `flag(_:in:)`, read them as flags of any other document. If the server leaves a value to the program, the caller's
  /// default is used. For another context, follow another sequence, in another scope or after cancelling the first.
  ///
  /// The server is polled, and asked at once when one of the event streams that it names announces a change, though at
  /// most once a second. The statuses 401 and 403 end the sequence with an error, as the protocol demands.
  ///
  /// - Parameters:
  ///   - base: The URL that `/ofrep/v1/evaluate/flags` is appended to.
  ///   - context: The context, which needs a targeting key.
  ///   - polling: The intervals, the limits, and the headers of the requests.
  ///   - report: Receives the error when there is no good answer: once, until the reason changes.
  public init(
    ofrep base: String, context: FlagAttributes, polling: FlagPolling = FlagPolling(),
    onProblem report: @escaping @Sendable (FlagDocumentError) -> Void = { _ in }
  ) {
    let path = (base.hasSuffix("/") ? "" : "/") + "ofrep/v1/evaluate/flags"
    self.init(base + path, .evaluation(context), polling, report)
  }

  private init(
    _ url: String, _ exchange: Exchange, _ polling: FlagPolling,
    _ report: @escaping @Sendable (FlagDocumentError) -> Void
  ) {
    (self.url, name, self.exchange, self.polling) = (url, Self.shown(url), exchange, polling)
    complain = report
    self.report = { problem in if let problem { report(problem) } }
  }

  /// Returns a URL without its query and credentials.
  static func shown(_ url: String) -> String {
    guard var components = URLComponents(string: url) else { return String(url.prefix { $0 != "?" }) }
    (components.user, components.password, components.query, components.fragment) = (nil, nil, nil, nil)
    return components.string ?? ""
  }

  /// Returns the sequence with another closure that receives its reports.
  public func reporting(_ other: @escaping @Sendable (FlagDocumentError?) -> Void) -> FlagServer {
    var server = self
    server.report = { [report] problem in
      other(problem)
      report(problem)
    }
    return server
  }

  /// Begins to poll the server.
  public func makeAsyncIterator() -> Iterator { Iterator(server: self) }

  /// An iteration over the documents of a server.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let server: FlagServer
    private var state = PollingState()
    private var streams: EventStreams

    fileprivate init(server: FlagServer) {
      self.server = server
      streams = EventStreams(polling: server.polling)
    }

    /// Waits for the next document.
    ///
    /// - Returns: `nil` if the task has been cancelled, or the server has refused the client.
    /// - Throws: `FlagDocumentError` when the server refuses the client for good.
    public mutating func next() async throws -> FlagDocument? {
      while !Task.isCancelled {
        switch state.step {
        case .begin:
          let cached = server.cached()
          state.begin(with: cached)
          if let cached { return cached }
        case .poll(let event):
          let outcome = await server.poll(tag: state.tag, after: event)
          if Task.isCancelled { return nil }
          if case .document(_, _, let urls) = outcome { streams.connect(to: urls) }
          switch state.receive(outcome, server.polling) {
          case .none: break
          case .yield(let document):
            server.keep(document)
            return document
          case .report(let problem): server.report(problem)
          case .recover: server.report(nil)
          case .fail(let error): throw error
          }
        case .wait(let delay):
          if state.followsEvent { try? await server.polling.clock.sleep(for: .seconds(1)) }
          state.resume(with: await streams.event(within: delay))
        case .pause(let delay):
          try? await server.polling.clock.sleep(for: delay)
          state.resume(with: nil)
        case .end: return nil
        }
      }
      return nil
    }
  }

  private func cached() -> FlagDocument? {
    let version = if case .document(let version) = exchange { version } else { FractionalVersion.v2 }
    return polling.cache.flatMap { try? FlagDocument(contentsOfFile: $0, fractional: version) }
  }

  /// Writes a document into the cache. If it cannot, the document is current all the same.
  private func keep(_ document: FlagDocument) {
    guard let cache = polling.cache else { return }
    do {
      try document.data(isIndented: false).write(to: URL(fileURLWithPath: cache), options: .atomic)
    } catch {
      complain(.unreadable(path: cache, reason: "the cache cannot be written: \(error.localizedDescription)"))
    }
  }
}
