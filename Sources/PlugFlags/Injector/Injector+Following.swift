public import Plug
import PlugKeys

extension Injector {
  /// Waits for the first document of a sequence, puts it into force, and goes on with each that follows.
  ///
  /// ```swift
  /// let following = try await services.follow(FlagFile("flags.json"))
  /// ```
  ///
  /// Any asynchronous sequence of documents will do: a ``PlugFlags/FlagFile``, or an `AsyncStream` that your own client
  /// of a service feeds. The documents become values of ``PlugFlags/Flags`` in this injector, which may be sealed. If
  /// the sequence ends or fails later on, the last document stays in force. When the injector is closed or released,
  /// this ends.
  ///
  /// To let `start` wait for the first document, and `close` end this, register `Injection.following(_:onFailure:)`.
  ///
  /// - Parameters:
  ///   - documents: The documents. They are iterated in a task of its own.
  ///   - report: Receives the error if the sequence fails after its first document.
  /// - Returns: What goes on. Keep it for as long as you want that.
  /// - Throws: What the sequence throws before its first document; ``PlugFlags/NoFlagDocument`` if it ends without one;
  ///   `CancellationError` if the calling task is cancelled; `InjectorError.closed`.
  public func follow<Documents: AsyncSequence & Sendable>(
    _ documents: Documents, onFailure report: @escaping @Sendable (any Error) -> Void = { _ in }
  ) async throws -> FlagFollowing where Documents.Element == FlagDocument {
    let (begun, beginning) = AsyncThrowingStream<Void, any Error>.makeStream()
    let following = FlagFollowing(
      Task { [weak self] in
        var hasBegun = false
        do {
          for try await document in documents {
            guard let self else { break }
            try set(Flags.self, to: document)
            hasBegun = true
            beginning.finish()
          }
          beginning.finish(throwing: NoFlagDocument())
        } catch {
          if hasBegun, !Task.isCancelled, self?.isClosed == false { report(error) }
          beginning.finish(throwing: error)
        }
      })
    for try await _ in begun {}
    try Task.checkCancellation()
    return following
  }
}

extension Injection where Service == FlagFollowing {
  /// Follows a sequence of documents: `start` waits for the first one, and `close` ends it.
  ///
  /// ```swift
  /// try services.register(injectable: .following(FlagFile("flags.json")))
  /// try await services.start(timeout: .seconds(10))
  /// ```
  ///
  /// In a scope, register it there: the documents are then in force in that scope alone.
  ///
  /// - Parameters:
  ///   - documents: The documents, see `Injector.follow(_:onFailure:)`.
  ///   - report: Receives the error if the sequence fails after its first document.
  public static func following<Documents: AsyncSequence & Sendable>(
    _ documents: Documents, onFailure report: @escaping @Sendable (any Error) -> Void = { _ in }
  ) -> Self where Documents.Element == FlagDocument {
    .lazySingleton { injector in try await injector.follow(documents, onFailure: report) }
      .onClose { $0.cancel() }
  }
}
