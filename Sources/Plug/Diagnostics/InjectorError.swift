/// An error that an ``Injector`` throws.
///
/// ```swift
/// do {
///   network = try services.get(Networking.self)
/// } catch InjectorError.notRegistered {
///   network = Offline()
/// }
/// ```
///
/// Every case carries ``Facts``: the service, the injector, and the chain of requests that led to the error.
/// `description` has a headline, one line for each fact, and fixes.
public indirect enum InjectorError: Error, Sendable {
  /// The service is not registered.
  case notRegistered(Facts)

  /// The service is already registered, and the injector was created without `allowRewrite`.
  case alreadyRegistered(Facts)

  /// The service cannot be decorated, because an instance of it has been begun.
  case instanceExists(Facts)

  /// The service's candidates are selected by another type of context than the given one.
  case contextMismatch(Facts, expected: String, found: String)

  /// The service is registered with other arguments. `expected` has the registered lists of types, and `found` the
  /// given one. A service registered without arguments has an empty list.
  case argumentsMismatch(Facts, expected: [[String]], found: [String])

  /// The service has candidates, but none of them applies.
  case noCandidate(Facts, Explanation)

  /// The service's candidates are selected by a context that was neither given nor registered.
  case contextMissing(Facts, context: String)

  /// The service depends on itself.
  ///
  /// The path begins and ends with the same service, or with the same injector if a load and the closing of that
  /// injector would wait for each other. A cycle through a thread or a detached task that a factory waits for is not
  /// detected.
  case circularDependency(Facts, path: [String])

  /// The nesting is too deep, and may be endless: a chain of dependencies that might overflow the stack, more than 200
  /// nested scopes or 100 nested points, or 1,000 loads or configurations that have started one another.
  case depthExceeded(Facts, depth: Int)

  /// A factory or a configuration threw an error.
  case constructionFailed(Facts, underlying: any Error)

  /// The service has not been made yet, is made on the main actor, and was requested elsewhere.
  case mainActorRequired(Facts)

  /// The service is made asynchronously and has not been loaded yet.
  case notLoaded(Facts)

  /// The calling task was cancelled while it waited for the service to be loaded.
  case cancelled(Facts)

  /// Loading or closing the service exceeded its time limit.
  case timedOut(Facts, after: Duration)

  /// An `onClose` closure threw an error when the injector released its instance, or scopes of the injector were still
  /// open when `close()` began.
  case closingFailed(Facts, underlying: any Error)

  /// A closure of the injection is isolated to an actor on which a synchronous request cannot run.
  case actorUnsupported(Facts, actor: String)

  /// The injector is sealed, so its registrations cannot change.
  case sealed(Facts)

  /// The injector or one of its parents has been closed, possibly before the scope was opened.
  case closed(Facts)

  /// The service was requested from ``Injector/current``, and the calling task has no current injector.
  case currentMissing(Facts)

  /// The service has one instance per scope, and was requested outside a scope.
  case scopeRequired(Facts)

  /// An instance with a longer lifetime would keep the service. The path leads from that instance to the service, and
  /// shows the lifetimes.
  case captiveDependency(Facts, path: [String])

  /// The service does not support the lifetime of the injection, for example because only an instance of a class can be
  /// held weakly, or because no injector can close or make an instance that the caller owns.
  case lifetimeUnsupported(Facts, lifetime: Lifetime)

  /// The change is reserved for isolated tests, and the caller does not run in one.
  case notIsolated(Facts)

  /// The registrations do not fit together. The facts describe the first problem, and the report contains all problems.
  case invalid(Facts, ValidationReport)

  /// The facts about the failed request.
  public var facts: Facts {
    switch self {
    case .notRegistered(let facts), .alreadyRegistered(let facts), .instanceExists(let facts),
      .contextMismatch(let facts, _, _), .argumentsMismatch(let facts, _, _), .noCandidate(let facts, _),
      .contextMissing(let facts, _), .circularDependency(let facts, _), .depthExceeded(let facts, _),
      .constructionFailed(let facts, _), .mainActorRequired(let facts), .notLoaded(let facts), .cancelled(let facts),
      .timedOut(let facts, _), .closingFailed(let facts, _), .actorUnsupported(let facts, _), .sealed(let facts),
      .closed(let facts), .currentMissing(let facts), .scopeRequired(let facts), .captiveDependency(let facts, _),
      .lifetimeUnsupported(let facts, _), .notIsolated(let facts), .invalid(let facts, _):
      facts
    }
  }
}

extension InjectorError {
  /// A registered service, suggested instead of a missing one.
  struct Suggestion: Sendable {
    /// The name of the service, with its tag.
    let name: String
    let registeredAt: CodeLocation
    var text: String { "\(name), registered at \(registeredAt)" }
  }

  func asked(at location: CodeLocation?) -> Self {
    var facts = facts
    if location == nil || facts.requestedAt != nil { return self }
    facts.values.requestedAt = location
    return with(facts)
  }

  /// Returns the error with other facts.
  func with(_ facts: Facts) -> Self {
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
    case .lifetimeUnsupported(_, let lifetime): .lifetimeUnsupported(facts, lifetime: lifetime)
    case .notIsolated: .notIsolated(facts)
    case .invalid(_, let report): .invalid(facts, report)
    }
  }
}
