import PlugFlags

/// What an iteration over the documents of a server has received, and what it does next.
struct PollingState: Sendable {
  enum Step: Sendable {
    /// Read the cache.
    case begin
    /// Send a request, which an event of the server may have caused.
    case poll(RefetchEvent?)
    /// Wait, until an event of the server at the latest.
    case wait(Duration)
    /// Wait, whatever the server announces: the last request has failed.
    case pause(Duration)
    /// Finish: the server has refused the client for good.
    case end
  }

  enum Outcome: Sendable {
    case document(FlagDocument, tag: String?, streams: [String])
    case unchanged
    /// The request has failed; the server may have asked for a pause.
    case failure(FlagDocumentError, pause: Duration? = nil)
    /// The server will not answer any further request either.
    case refusal(FlagDocumentError)
  }

  enum Action: Sendable {
    case none
    case yield(FlagDocument)
    case report(FlagDocumentError)
    /// Report that the last document is valid again.
    case recover
    case fail(FlagDocumentError)
  }

  private(set) var step = Step.begin
  /// Whether an event of the server caused the last request. Then the next one may come after a second at the earliest,
  /// however many changes the server announces.
  private(set) var followsEvent = false
  /// The entity tag of the last document.
  private(set) var tag: String?
  private var document: FlagDocument?
  private var failures = 0
  private var problem: FlagDocumentError?

  mutating func begin(with cached: FlagDocument?) {
    document = cached
    step = .poll(nil)
  }

  mutating func resume(with event: RefetchEvent?) {
    step = .poll(event)
    followsEvent = event != nil
  }

  /// Notes what a request has come to.
  mutating func receive(_ outcome: Outcome, _ polling: FlagPolling) -> Action {
    switch outcome {
    case .document(let new, let newTag, _):
      tag = newTag
      if new == document { return succeed(polling) }
      _ = succeed(polling)
      document = new
      return .yield(new)
    case .unchanged:
      return succeed(polling)
    case .failure(let new, let pause):
      failures += 1
      step = .pause(polling.delay(afterFailures: failures, pause: pause))
      defer { problem = new }
      return new == problem ? .none : .report(new)
    case .refusal(let error):
      step = .end
      return .fail(error)
    }
  }

  private mutating func succeed(_ polling: FlagPolling) -> Action {
    defer { problem = nil }
    failures = 0
    step = .wait(polling.delay(afterFailures: 0))
    return problem == nil ? .none : .recover
  }
}
