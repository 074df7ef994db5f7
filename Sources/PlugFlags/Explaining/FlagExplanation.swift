/// The evaluation of a flag, and how its targeting came to it.
///
/// ```
/// flag "checkout": one-click = "v2" (TARGETING_MATCH)
///   if: "one-click"
///     in: true
///       var country: "DE"
///       ["AT", "DE"]
///     "one-click"
/// ```
public struct FlagExplanation: Sendable, Hashable {
  /// The key of the flag.
  public let key: String

  /// The result. Its value is `nil` where the caller's default counts.
  public let evaluation: FlagEvaluation<FlagValue?>

  /// The source that has the flag, if it is one of those that an injector follows, see
  /// `Injector.follow(_:named:beginningWith:onFailure:)`.
  public let source: String?

  /// What was evaluated; `nil` if the flag has no targeting, or could not be evaluated.
  public let targeting: FlagTrace?
}

extension FlagExplanation: CustomStringConvertible {
  /// What a text says of the source.
  var origin: String { source.map { ", from \($0)" } ?? "" }

  /// The result, and below it the operations of the targeting.
  public var description: String {
    let value = evaluation.value.map(\.description) ?? "the caller's default"
    let shown = FlagEvaluation(
      value: value, variant: evaluation.variant, reason: evaluation.reason, errorCode: evaluation.errorCode,
      errorMessage: evaluation.errorMessage)
    let lines = ["flag \(JSONWriter.quoted(key)): \(shown)\(origin)"] + (targeting?.lines(level: 1) ?? [])
    return lines.joined(separator: "\n")
  }
}
