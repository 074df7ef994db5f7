/// Something that is wrong in a flag document, and where.
///
/// ```
/// flags.checkout.targeting.if[0].sem_ver: operator "=>" is unknown; one of = != < <= > >= ^ ~
/// ```
public struct FlagProblem: Sendable, Hashable, CustomStringConvertible {
  /// What a problem means for the flag in which it is.
  public enum Severity: String, Sendable, Hashable {
    /// The flag cannot be evaluated: each evaluation is an error with ``FlagErrorCode/parseError``.
    case error

    /// The flag is evaluated, but the part with the problem does not work: it gives null.
    case warning
  }

  /// The JSON path of the value that is wrong, such as `flags.checkout.targeting.if[0]`.
  public let path: String

  /// A description of the problem.
  public let message: String

  /// What it means for the flag.
  public let severity: Severity

  /// The key of the flag, or the name of the evaluator, in which it is.
  let flag: String?
  let evaluator: String?

  init(_ path: JSONPath, _ message: String, _ severity: Severity = .error) {
    (flag, evaluator) = (path.member(of: "flags"), path.member(of: "$evaluators"))
    (self.path, self.message, self.severity) = (path.description, message, severity)
  }

  /// The path and the message.
  public var description: String { "\(path): \(message)" }
}
