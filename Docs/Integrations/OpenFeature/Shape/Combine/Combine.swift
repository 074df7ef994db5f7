// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The part of Combine that the provider uses, with the same signatures.
public final class Future<Output, Failure: Error> {
  public typealias Promise = (Result<Output, Failure>) -> Void

  /// The result with which the promise was fulfilled.
  public private(set) var result: Result<Output, Failure>?

  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    attemptToFulfill { self.result = $0 }
  }
}

public struct AnyPublisher<Output, Failure: Error> {
  public init() {}
}
