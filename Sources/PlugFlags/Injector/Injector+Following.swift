public import Plug
import PlugKeys

extension Injector {
  /// Waits for the first document of a sequence, and makes it and each later document current.
  ///
  /// ```swift
  /// let following = try await services.follow(FlagFile("flags.json"))
  /// ```
  ///
  /// Any asynchronous sequence of documents will do: a ``PlugFlags/FlagFile``, or an `AsyncStream` that your own client
  /// of a service feeds. The documents become values of ``PlugFlags/Flags`` in this injector, which may be sealed. If
  /// the sequence ends or fails later on, or its file cannot be read any more, the last document stays current, and
  /// the source is stale, see `flagSources`. The following ends when the injector is closed or released.
  ///
  /// An injector can follow several sequences, and merges their documents in the order of the calls: if several have a
  /// flag or a member of metadata with the same key, the last one is used. The next document of any sequence replaces a
  /// document that is set in another way.
  ///
  /// To let `start` wait for the first document, and `close` end the following, register
  /// `Injection.following(_:named:flagSet:beginningWith:onFailure:)`.
  ///
  /// - Parameters:
  ///   - documents: The documents. They are iterated in a separate task.
  ///   - name: The name of the source in explanations and reports; if it is `nil`, the name of a
  ///     ``PlugFlags/FlagDocumentSequence``, such as the path of a file, or a number.
  ///   - flagSet: The set of flags to take from the documents, see ``PlugFlags/FlagDocument/flagSet(_:)``; all flags if
  ///     it is `nil`.
  ///   - first: A document that is current until the sequence yields one. If it is given, nothing waits.
  ///   - report: Receives the error if the sequence fails after its first document.
  /// - Returns: A token that ends the following when it is cancelled or released.
  /// - Throws: The error that the sequence throws or reports before its first document, such as
  ///   ``PlugFlags/FlagDocumentError``; ``PlugFlags/NoFlagDocument`` if it ends without one; `CancellationError` if the
  ///   calling task is cancelled; `InjectorError.closed`.
  public func follow<Documents: AsyncSequence & Sendable>(
    _ documents: Documents, named name: String? = nil, flagSet: String? = nil,
    beginningWith first: FlagDocument? = nil, onFailure report: @escaping @Sendable (any Error) -> Void = { _ in }
  ) async throws -> FlagFollowing where Documents.Element == FlagDocument {
    let injector = active
    let sources = FlagSources.of(injector)
    let number = sources.begin(name, documents)
    let select = { (document: FlagDocument) in flagSet.map(document.flagSet) ?? document }
    let (begun, beginning) = AsyncThrowingStream<Void, any Error>.makeStream()
    if let first { sources.put(select(first), of: number, isFirst: true, in: injector, beginning) }
    let documents = documents.withReports { problem in
      sources.note(problem?.reason, of: number)
      if let problem { beginning.finish(throwing: problem) }
    }
    let task = Task { [weak injector] in
      var hasBegun = false
      do {
        for try await document in documents {
          guard let injector else { break }
          sources.put(select(document), of: number, in: injector, beginning)
          hasBegun = true
          if injector.isClosed { break }
        }
        sources.note("the sequence has ended", of: number)
        beginning.finish(throwing: NoFlagDocument())
      } catch {
        sources.note((error as? FlagDocumentError)?.reason ?? "\(error)", of: number)
        if hasBegun, !Task.isCancelled, injector?.isClosed == false { report(error) }
        beginning.finish(throwing: error)
      }
    }
    let following = FlagFollowing {
      task.cancel()
      sources.end(number)
    }
    for try await _ in begun {}
    try Task.checkCancellation()
    return following
  }
}

extension AsyncSequence where Element == FlagDocument {
  /// Returns the sequence; if it can, it reports why it has no document, and `nil` when it has one again.
  fileprivate func withReports(to report: @escaping @Sendable (FlagDocumentError?) -> Void) -> Self {
    (self as? any FlagDocumentSequence)?.reporting(report) as? Self ?? self
  }
}

extension Injection where Service == FlagFollowing {
  /// Follows a sequence of documents: `start` waits for the first one, and `close` ends the following.
  ///
  /// ```swift
  /// try services.register(.following(FlagFile("flags.json")))
  /// try await services.start(timeout: .seconds(10))
  /// ```
  ///
  /// In a scope, register it there: the documents are then current in that scope alone. To follow several sequences in
  /// an order, call `Injector.follow(_:named:flagSet:beginningWith:onFailure:)` for one after the other.
  ///
  /// - Parameters:
  ///   - documents: The documents, see `Injector.follow(_:named:flagSet:beginningWith:onFailure:)`.
  ///   - name: The name of the source in explanations and reports.
  ///   - flagSet: The set of flags to take from the documents; all flags if it is `nil`.
  ///   - first: A document that is current until the sequence yields one. If it is given, nothing waits.
  ///   - report: Receives the error if the sequence fails after its first document.
  public static func following<Documents: AsyncSequence & Sendable>(
    _ documents: Documents, named name: String? = nil, flagSet: String? = nil,
    beginningWith first: FlagDocument? = nil, onFailure report: @escaping @Sendable (any Error) -> Void = { _ in }
  ) -> Self where Documents.Element == FlagDocument {
    .lazySingleton { injector in
      try await injector.follow(documents, named: name, flagSet: flagSet, beginningWith: first, onFailure: report)
    }
    .onClose { $0.cancel() }
  }
}
