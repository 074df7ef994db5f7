/// The result of evaluating a flag: a value, and how it came about.
public struct FlagEvaluation<Value: Sendable>: Sendable {
  /// The value of the variant, or the caller's default.
  public let value: Value

  /// The name of the variant; `nil` if the value is the caller's default.
  public let variant: String?

  /// How the value came about.
  public let reason: FlagReason

  /// What went wrong; `nil` unless ``reason`` is ``FlagReason/error``.
  public let errorCode: FlagErrorCode?

  /// What went wrong, in words.
  public let errorMessage: String?

  /// What the document and the flag say about themselves.
  public let metadata: [String: FlagValue]

  /// Creates a result, such as one for a test.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - variant: The name of the variant with the value, if there is one.
  ///   - reason: The reason for the value.
  ///   - errorCode: The kind of failure, if the evaluation failed.
  ///   - errorMessage: What went wrong, in words.
  ///   - metadata: What the document and the flag say about themselves.
  @inlinable
  public init(
    value: Value, variant: String?, reason: FlagReason, errorCode: FlagErrorCode? = nil, errorMessage: String? = nil,
    metadata: [String: FlagValue] = [:]
  ) {
    (self.value, self.variant, self.reason) = (value, variant, reason)
    (self.errorCode, self.errorMessage, self.metadata) = (errorCode, errorMessage, metadata)
  }
}

extension FlagEvaluation {
  /// The result where the injector is closed.
  @usableFromInline
  init(_ value: Value, error: String) {
    self.init(value: value, variant: nil, reason: .error, errorCode: .general, errorMessage: error)
  }
}

extension FlagEvaluation: Equatable where Value: Equatable {}
extension FlagEvaluation: Hashable where Value: Hashable {}

extension FlagEvaluation: CustomStringConvertible {
  /// `on = true (TARGETING_MATCH)`, or the error.
  public var description: String {
    let name = variant.map { "\($0) = " } ?? ""
    let error = errorCode.map { ", \($0.rawValue): \(errorMessage ?? "")" } ?? ""
    return "\(name)\(value) (\(reason.rawValue)\(error))"
  }
}
