public import Plug
import PlugKeys

/// The keys of the flags that each new current document changes, as an asynchronous sequence.
///
/// ```swift
/// for await keys in services.flagChanges() { cache.forget(keys) }
/// ```
///
/// ``FlagDocument/changedKeys(since:)`` finds the keys. A document that changes no flag is skipped. A slow
/// consumer receives all changes since the last element at once. The sequence finishes when the injector is closed or
/// released. It supports one consumer.
public struct FlagChanges: AsyncSequence, Sendable {
  let documents: AsyncStream<FlagDocument>
  let first: FlagDocument

  /// Returns the changed keys of a document. As a closure, it is left out of programs that follow no changes.
  let keys: @Sendable (_ document: FlagDocument, _ last: FlagDocument) -> [String]

  /// Begins to wait for changes.
  public func makeAsyncIterator() -> Iterator {
    Iterator(documents: documents.makeAsyncIterator(), last: first, keys: keys)
  }

  /// An iteration over the changes.
  public struct Iterator: AsyncIteratorProtocol {
    var documents: AsyncStream<FlagDocument>.Iterator
    var last: FlagDocument
    let keys: @Sendable (FlagDocument, FlagDocument) -> [String]

    /// Waits for the next change.
    ///
    /// - Returns: `nil` if the injector has been closed or released, or the task has been cancelled.
    public mutating func next() async -> [String]? {
      while let document = await documents.next(isolation: #isolation) {
        let keys = keys(document, last)
        last = document
        if !keys.isEmpty { return keys }
      }
      return nil
    }
  }
}

extension Injector {
  /// The keys of the flags that each new current document changes from now on.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for the trap if the injector is closed.
  ///   - line: The line of the call.
  public func flagChanges(fileID: StaticString = #fileID, line: UInt = #line) -> FlagChanges {
    let first = self[Flags.self, fileID: fileID, line: line]
    let documents = values(of: Flags.self, fileID: fileID, line: line)
    return FlagChanges(documents: documents, first: first) { $0.changedKeys(since: $1) }
  }
}
