extension InjectorError {
  /// Returns the error with the location of the failed request, unless it has one: the innermost request counts.
  ///
  /// - Parameter fileID: The file of the call; empty for a request of the library itself.
  @usableFromInline
  @inline(never)
  func asked(at fileID: StaticString, _ line: UInt) -> Self {
    let isKnown = fileID.hasPointerRepresentation && fileID.utf8CodeUnitCount > 0
    return isKnown ? asked(at: CodeLocation(fileID: "\(fileID)", line: Int(line))) : self
  }

  func asked(at location: CodeLocation?) -> Self {
    var facts = facts
    if location == nil || facts.requestedAt != nil { return self }
    facts.requestedAt = location
    return with(facts)
  }

  /// Returns the error with other facts.
  private func with(_ facts: Facts) -> Self {
    switch self {
    case .notRegistered: .notRegistered(facts)
    case .alreadyRegistered: .alreadyRegistered(facts)
    case .instanceExists: .instanceExists(facts)
    case .contextMismatch(_, let expected, let found): .contextMismatch(facts, expected: expected, found: found)
    case .argumentsMismatch(_, let expected, let found): .argumentsMismatch(facts, expected: expected, found: found)
    case .noCandidate(_, let explanation): .noCandidate(facts, explanation)
    case .contextMissing(_, let context): .contextMissing(facts, context: context)
    case .circularDependency(_, let path): .circularDependency(facts, path: path)
    case .depthExceeded(_, let depth): .depthExceeded(facts, depth: depth)
    case .constructionFailed(_, let underlying): .constructionFailed(facts, underlying: underlying)
    case .mainActorRequired: .mainActorRequired(facts)
    case .notLoaded: .notLoaded(facts)
    case .cancelled: .cancelled(facts)
    case .timedOut(_, let limit): .timedOut(facts, after: limit)
    case .closingFailed(_, let underlying): .closingFailed(facts, underlying: underlying)
    case .actorUnsupported(_, let actor): .actorUnsupported(facts, actor: actor)
    case .sealed: .sealed(facts)
    case .closed: .closed(facts)
    case .currentMissing: .currentMissing(facts)
    case .scopeRequired: .scopeRequired(facts)
    case .captiveDependency(_, let path): .captiveDependency(facts, path: path)
    case .lifetimeUnsupported(_, let lifetime, let reason):
      .lifetimeUnsupported(facts, lifetime: lifetime, reason: reason)
    case .notIsolated: .notIsolated(facts)
    case .invalid(_, let report): .invalid(facts, report)
    }
  }
}
