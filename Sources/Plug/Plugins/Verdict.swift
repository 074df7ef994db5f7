/// The decision of a hook on a candidate.
package enum Verdict: Sendable, Equatable {
  /// The candidate comes first. Its rule is not evaluated.
  case forced
  /// The candidate does not apply. Its rule is not evaluated.
  case refused(Explanation.Verdict)
}

/// The notes of a layer on a candidate: as strings, and as values by their names.
package typealias Notes = (texts: [String], values: [String: RuleTrace.Value])
