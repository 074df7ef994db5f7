/// Errors about candidates and services that are given by their names.
extension InjectorError {
  /// No candidate has an id at a point.
  ///
  /// - Parameter others: The names of all candidates, of which the nearest is suggested.
  package static func unknownCandidate(
    _ id: String, at point: String, in injector: Injector, among others: [Suggestion]
  ) -> Self {
    .notRegistered(Facts(.named(id, .candidate), at: point, in: injector, nearest: "\(id) at \(point)", others))
  }

  /// No service has a name.
  package static func unknownService(named name: String, in injector: Injector, among others: [Suggestion]) -> Self {
    .notRegistered(Facts(.named(name, .service), in: injector, nearest: name, others))
  }

  /// A name means several services.
  ///
  /// - Parameter candidate: The id of the candidate that is looked for there.
  package static func ambiguous(
    _ name: String, of candidate: String? = nil, in injector: Injector, among services: [Suggestion]
  ) -> Self {
    var facts = Facts(.named(candidate ?? name, candidate == nil ? .service : .candidate), at: name, in: injector)
    facts.values.alternatives = services.sorted { $0.name < $1.name }
    return .notRegistered(facts)
  }

  /// What went wrong, in one line.
  package var headline: String { ErrorText(self).headline }

  /// Whether a factory, a dependency or a time limit is the reason, which another candidate may not have.
  package var isFailureOfCandidate: Bool {
    switch self {
    case .constructionFailed, .timedOut, .notRegistered, .noCandidate, .contextMissing, .contextMismatch,
      .argumentsMismatch:
      true
    default: false
    }
  }
}

extension InjectorError.Facts {
  fileprivate init(
    _ name: Name, at point: String? = nil, in injector: Injector, nearest wanted: String = "",
    _ others: [InjectorError.Suggestion] = []
  ) {
    self.init(name, in: Path(injector))
    values.point = point
    values.nearestName = NearestName(.nearest(to: wanted, among: others))
  }
}

extension InjectorError.Suggestion {
  package init(_ name: String, at location: CodeLocation) { self.init(name: name, registeredAt: location) }
}

extension Injector {
  /// The error of a call that a closed injector, or one in a closed one, cannot answer.
  package var closedError: InjectorError { closed(InjectorError.Facts(aboutWhole: self)) }
}
