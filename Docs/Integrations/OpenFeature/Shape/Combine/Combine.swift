// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What the provider uses of Combine, by its signatures.
public final class Future<Output, Failure: Error> {
  public typealias Promise = (Result<Output, Failure>) -> Void

  /// What the promise was fulfilled with.
  public private(set) var result: Result<Output, Failure>?

  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    attemptToFulfill { self.result = $0 }
  }
}

public struct AnyPublisher<Output, Failure: Error> {
  public init() {}
}
