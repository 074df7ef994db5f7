/// The result of evaluating a flag: a value, and how it came about.
public struct FlagEvaluation<Value: Sendable>: Sendable {
  /// The value of the variant, or the caller's default.
  public let value: Value

  /// The name of the variant; `nil` if the value is the caller's default.
  public let variant: String?

  /// How the value came about.
  public let reason: FlagReason

  /// The kind of error; `nil` unless ``reason`` is ``FlagReason/error``.
  public let errorCode: FlagErrorCode?

  /// A description of the error.
  public let errorMessage: String?

  /// The metadata of the document and the flag.
  public let metadata: [String: FlagValue]

  /// Creates a result, such as one for a test.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - variant: The name of the variant with the value, if there is one.
  ///   - reason: The reason for the value.
  ///   - errorCode: The kind of error, if the evaluation failed.
  ///   - errorMessage: A description of the error.
  ///   - metadata: The metadata of the document and the flag.
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
  /// Creates the result of an evaluation by a closed injector.
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
