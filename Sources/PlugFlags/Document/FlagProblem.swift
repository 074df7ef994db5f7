/// A mistake in a flag document, and its location.
///
/// ```
/// flags.checkout.targeting.if[0].sem_ver: operator "=>" is unknown; one of = != < <= > >= ^ ~
/// ```
public struct FlagProblem: Sendable, Hashable, CustomStringConvertible {
  /// The effect of a problem on its flag.
  public enum Severity: String, Sendable, Hashable {
    /// The flag cannot be evaluated: each evaluation is an error with ``FlagErrorCode/parseError``.
    case error

    /// The flag is evaluated, but the part with the problem evaluates to null.
    case warning
  }

  /// The JSON path of the value that is wrong, such as `flags.checkout.targeting.if[0]`.
  public let path: String

  /// A description of the problem.
  public let message: String

  /// The effect on the flag.
  public let severity: Severity

  /// The key of the flag, or the name of the evaluator, that contains the problem.
  var flag: String?
  let evaluator: String?
  /// The index of the flag, if the document lists flags in an array.
  let index: Int?

  init(_ path: JSONPath, _ message: String, _ severity: Severity = .error) {
    (flag, evaluator) = (path.member(of: "flags"), path.member(of: "$evaluators"))
    index = path.index(in: "flags")
    (self.path, self.message, self.severity) = (path.description, message, severity)
  }

  /// The path and the message.
  public var description: String { "\(path): \(message)" }
}
