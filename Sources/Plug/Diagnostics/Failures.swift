// Errors for users, made of what the kernel throws. A message is made when it is read.

extension InjectorError.Facts {
  fileprivate init(_ registration: Registration, in path: Injector.Path, after way: [Step]) {
    self.init(.service(Step(registration).name), in: path, after: way.map(\.name))
    if !registration.location.fileID.isEmpty { values.registeredAt = registration.location }
  }

  fileprivate init(_ failure: RequestFailure) {
    let registration = failure.registration
    self.init(registration, in: failure.injector, after: failure.way)
    var values = self.values
    values.requestedAt = failure.requestedAt
    var trait: Trait?
    switch failure.cause {
    case .absent: trait = .isPlaceholder
    case .closed(let outer, let isRoot):
      values.registeredAt = nil
      values.otherInjector = outer.map { $0.text ?? "(unnamed)" }
      if isRoot { trait = .isOfRoot }
    case .nested:
      values.registeredAt = nil
      trait = .ofScopes
    case .mainActorRequired:
      if registration.lifetime == .lazySingleton && registration.maker == nil { trait = .isMadeOnce }
    case .endlessChain: trait = .ofRounds
    case .endlessLoad: trait = .ofAttempts
    case .replaced: trait = .isReplaced
    case .scopeRequired: values.otherInjector = registration.recipe.extras?.values.scopeName
    case .cycle(let steps): if steps.contains(where: { !$0.act.isEmpty }) { trait = .isClosing }
    case .captured(let steps): if steps.first?.registration.key.isOfProgram == true { trait = .isOfLazy }
    case .notLoaded(let missing): values.missing = missing
    case .valueType(let type): values.refusal = .valueType(type)
    case .shared: values.refusal = .cannotBeIsolated
    case .thrown(_, let culprit): values.culprit = culprit
    case .depthExceeded, .cancelled, .timedOut, .abandoned, .closingThrew, .closingTimedOut: break
    }
    if let trait { values.traits = trait.rawValue }
    self.values = values
  }

  init(about key: Key, candidate: String? = nil, in injector: Injector) {
    let way = ThreadStack.current.with { $0.path.map(\.name) }
    self.init(.service(ServiceName(key: key, candidate: candidate)), in: Injector.Path(injector), after: way)
  }

  /// Collects the facts about an injector as a whole.
  init(aboutWhole injector: Injector) { self = Self(about: Key(Injector.self), in: injector).with(.isAboutInjector) }

  /// Collects the facts about a given name, with the nearest of the other names.
  fileprivate init(
    _ name: Name, at point: String?, in injector: Injector, like text: String = "",
    _ others: [InjectorError.Suggestion] = []
  ) {
    self.init(name, in: Injector.Path(injector))
    (values.point, values.nearestName) = (point, NearestName(to: text, among: others))
  }
}

extension Injector {
  /// The error for a service that only the scope has for which a longer-lived instance is being made.
  func captureOfHidden(_ key: Key) -> InjectorError? {
    guard let scope = Self.hiddenCurrent, let steps = ThreadStack.current.with({ $0.capture(of: scope, for: scope) }),
      let cell = scope.visibleCell(of: key)
    else { return nil }
    return InjectorError(scope.failure(.captured(steps), cell.registration))
  }

  /// The facts about a service that this thread has requested.
  @inline(never)
  func facts(about registration: Registration) -> InjectorError.Facts {
    InjectorError.Facts(registration, in: Path(self), after: ThreadStack.current.with { $0.path })
  }

  /// The error of a call that an injector cannot answer because it or a parent is closed.
  ///
  /// - Parameter key: The requested service; `nil` for a call about the injector as a whole.
  package func closedError(for key: Key? = nil) -> InjectorError {
    let error = InjectorError(closed(key ?? Key(Injector.self)))
    return key == nil ? error.with(error.facts.with(.isAboutInjector)) : error
  }

  func failure(ofOpenScopes count: Int) -> InjectorError {
    .closingFailed(InjectorError.Facts(aboutWhole: self), underlying: OpenScopes(count: count))
  }
}

extension InjectorError {
  /// Runs code that throws errors of the kernel.
  package static func entering<Result>(_ body: () throws -> Result) throws(InjectorError) -> Result {
    do { return try body() } catch { throw InjectorError(error) }
  }

  /// The error for users. Everything that the kernel throws is a ``RequestFailure`` or such an error already.
  @inline(never)
  package init(_ error: any Error) {
    switch error {
    case let error as InjectorError: self = error
    case let failure as RequestFailure: self.init(failure)
    default: self = .constructionFailed(Facts(.named("\(error)", .service), in: .none), underlying: error)
    }
  }

  private init(_ failure: RequestFailure) {
    let (facts, registration) = (Facts(failure), failure.registration)
    self =
      switch failure.cause {
      case .absent: .notRegistered(facts)
      case .closed: .closed(facts)
      case .nested(let depth): .depthExceeded(facts, depth: Int(depth))
      case .mainActorRequired: .mainActorRequired(facts)
      case .depthExceeded, .endlessChain: .depthExceeded(facts, depth: facts.chain.count)
      case .endlessLoad, .replaced: .depthExceeded(facts, depth: Injector.attemptLimit)
      case .scopeRequired: .scopeRequired(facts)
      case .cycle(let steps): .circularDependency(facts, path: steps.names())
      case .captured(let steps):
        .captiveDependency(facts, path: (steps + [Step(registration)]).names(showsLifetimes: true))
      case .notLoaded: .notLoaded(facts)
      case .cancelled: .cancelled(facts)
      case .timedOut(let limit), .closingTimedOut(let limit): .timedOut(facts, after: limit)
      case .valueType, .shared: .lifetimeUnsupported(facts, lifetime: registration.lifetime)
      case .abandoned: .constructionFailed(facts, underlying: Abandoned(name: registration.name))
      case .thrown(let error, _): .constructionFailed(facts, underlying: error)
      case .closingThrew(let error): .closingFailed(facts, underlying: error)
      }
  }

  /// The error for a name that no service has, or for an id that no candidate at a point has.
  ///
  /// - Parameters:
  ///   - point: Where a candidate is searched for; `nil` for a service.
  ///   - others: The names of all services or candidates, of which the nearest is suggested.
  package static func unknown(
    _ name: String, at point: String? = nil, in injector: Injector,
    among others: [(name: String, location: CodeLocation)]
  ) -> Self {
    .notRegistered(
      Facts(
        .named(name, point == nil ? .service : .candidate), at: point, in: injector,
        like: point.map { "\(name) at \($0)" } ?? name, others.map { Suggestion(name: $0, registeredAt: $1) }))
  }

  /// The error for a name that several services have.
  ///
  /// - Parameter candidate: The id of the candidate that is searched for in them.
  package static func ambiguous(
    _ name: String, of candidate: String? = nil, in injector: Injector, among services: [Registration]
  ) -> Self {
    var facts = Facts(.named(candidate ?? name, candidate == nil ? .service : .candidate), at: name, in: injector)
    let names = services.map(\.key.fullName)
    facts.values.alternatives = alphabeticalOrder(of: names).map {
      Suggestion(name: names[$0], registeredAt: services[$0].location)
    }
    return .notRegistered(facts)
  }

  /// The error in one line.
  package var headline: String { ErrorText(self).headline }
}

extension Error {
  /// Returns the error for users, with the location of the failed request, unless it has one: the innermost request
  /// counts.
  ///
  /// - Parameter fileID: The file of the call; empty for a request of the library itself.
  @usableFromInline
  @inline(never)
  package func asked(at fileID: StaticString, _ line: UInt) -> InjectorError {
    let isKnown = fileID.hasPointerRepresentation && fileID.utf8CodeUnitCount > 0
    let error = InjectorError(self)
    return isKnown ? error.asked(at: CodeLocation(fileID: "\(fileID)", line: Int(line))) : error
  }
}

extension RequestFailure: CustomStringConvertible {
  var description: String { InjectorError(self).description }
}

extension InjectorError: RequestError {
  var missing: Missing? { if case .notLoaded(let facts) = self { facts.values.missing } else { nil } }
  var needsMainActor: Bool { if case .mainActorRequired = self { true } else { false } }
  var requestedAt: CodeLocation? { facts.requestedAt }

  var isOfThread: Bool {
    switch self {
    case .circularDependency, .captiveDependency, .depthExceeded, .mainActorRequired, .notLoaded: true
    default: false
    }
  }
}

/// The error for scopes that are open when the closing of their parent begins.
private struct OpenScopes: Error, CustomStringConvertible {
  let count: Int
  var description: String { "\(count) of its scopes \(count == 1 ? "was" : "were") still open" }
}

/// The error for an unfinished instance that a request has used and another request has abandoned.
private struct Abandoned: Error, CustomStringConvertible {
  let name: String
  var description: String { "another request has failed to finish \(name), which it depends on" }
}

extension [Step] {
  /// The names of a path.
  fileprivate func names(showsLifetimes: Bool = false) -> [String] {
    let names = DistinctNames(map(\.registration.key))
    return map { showsLifetimes ? $0.registration.nameInChain(names) : names.name(of: $0.name) }
  }
}
