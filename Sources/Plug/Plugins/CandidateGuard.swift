/// A policy of a layer for the construction of a candidate. It is one of the extras of an injection, and keeps its
/// state as an attachment of the registration.
package protocol CandidateGuard: AnyObject, Sendable {
  /// The verdict on a candidate that is not tried now, for explanations.
  func refusal(of candidate: Registration) -> Explanation.Verdict?

  /// The notes on the candidate in an explanation.
  func notes(on candidate: Registration) -> Notes?

  /// Begins to try the candidate.
  ///
  /// - Returns: The attempt, which receives the outcome; `nil` if the choice uses the next candidate immediately.
  func attempt(at candidate: Registration) -> (any CandidateAttempt)?
}

extension Registration {
  /// The guard of a candidate; `nil` for a registration that is not a candidate.
  var candidateGuard: (any CandidateGuard)? {
    guard candidate != nil, let layers = recipe.extras?.values.layers, !layers.isEmpty else { return nil }
    return layers.values.lazy.compactMap { $0 as? any CandidateGuard }.first
  }
}

extension Injection {
  /// Returns the injection with a value of a layer, which replaces the layer's earlier value; `nil` removes the value.
  package func adding(_ value: (any Sendable)?, of layer: any Any.Type) -> Self {
    changed { $0.layers[ObjectIdentifier(layer)] = value }
  }
}
