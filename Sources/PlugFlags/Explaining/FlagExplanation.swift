/// The evaluation of a flag, and the steps of its targeting.
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

  /// The result. Its value is `nil` if the caller's default is used.
  public let evaluation: FlagEvaluation<FlagValue?>

  /// The source of the flag, if an injector follows one, see
  /// `Injector.follow(_:named:flagSet:beginningWith:onFailure:)`.
  public let source: String?

  /// The evaluated targeting; `nil` if the flag has none, or could not be evaluated.
  public let targeting: FlagTrace?
}

extension FlagExplanation: CustomStringConvertible {
  /// The value, variant, reason and source.
  var result: String {
    let shown = evaluation.replacing(value: evaluation.value.map(\.description) ?? "the caller's default")
    return "\(shown)\(origin)"
  }

  /// The source as the end of a line; empty if there is none.
  var origin: String { source.map { ", from \($0)" } ?? "" }

  /// The result, and below it the operations of the targeting.
  public var description: String {
    (["flag \(JSONWriter.quoted(key)): \(result)"] + (targeting?.lines(level: 1) ?? [])).joined(separator: "\n")
  }
}
