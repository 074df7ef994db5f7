/// Something in a flag document that is valid, but probably a mistake.
///
/// ```
/// flags.checkout.targeting.if[2]: the condition is always true, so nothing after it is reached
/// ```
public struct FlagFinding: Sendable, Hashable, CustomStringConvertible {
  /// The JSON path of the value, such as `flags.checkout.variants.old`.
  public let path: String

  /// A description of the finding.
  public let message: String

  init(_ path: JSONPath, _ message: String) {
    (self.path, self.message) = (path.description, message)
  }

  /// The path and the message.
  public var description: String { "\(path): \(message)" }
}

extension FlagDocument {
  /// The parts of the document that are valid, but probably mistakes.
  ///
  /// These are branches that are never reached, variants that no targeting selects, and results of targeting that
  /// name no variant; weights that are all 0, or negative; a bucketing value that is constant, or that another flag
  /// or an enclosing split has; lists among the operands of `max` and `min`; objects that look like operations, and
  /// names that look misspelled; variables of `$flagd` that do not exist; variants of several types; metadata that is
  /// not a Boolean, string or number; and evaluators that no flag refers to.
  ///
  /// Mistakes are among the ``problems``. Flags that cannot be evaluated have no findings.
  ///
  /// - Complexity: O(*n*) for *n* values in the document, and O(*m*²) for *m* conditions of one `if`.
  public var findings: [FlagFinding] {
    var lint = FlagLint(contents)
    lint.visitDocument()
    return lint.findings
  }
}
