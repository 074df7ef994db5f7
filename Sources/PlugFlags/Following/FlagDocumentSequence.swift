/// A sequence of flag documents that has a name, and reports when it cannot get a document.
///
/// ``FlagFile`` is one. Conform your own client of a service, so that `flagSources` and the report of an injector show
/// since when the documents of the client are stale, and why. An injector also follows sequences that report nothing:
/// those are stale when they have ended.
public protocol FlagDocumentSequence: AsyncSequence, Sendable where Element == FlagDocument {
  /// The name of the source in explanations and reports.
  var name: String { get }

  /// Returns the sequence with another closure that receives its reports.
  ///
  /// - Parameter report: Receives the reason why there is no document, and `nil` when the last document that the
  ///   sequence has yielded is valid again. A document that is yielded needs no report.
  func reporting(_ report: @escaping @Sendable (FlagDocumentError?) -> Void) -> Self
}
