// Every error of the kernel is made here. The kernel states what failed and where; a message is made when it is read.

/// The reason why the kernel could not use a registration.
enum Failure {
  case absent
  case closed
  case mainActorRequired
  case depthExceeded
  /// A long chain of loads repeats a service.
  case endlessChain
  case scopeRequired
  /// Each of so many attempts to load needed an instance of another scope.
  case endlessLoad(attempts: Int)
  case cancelled
  case timedOut(Duration)
  case valueType(String)
  case shared
  /// An instance that the request has used was abandoned by its maker.
  case abandoned
}

extension InjectorError.Facts {
  init(_ registration: Registration, in injector: Injector, after way: [Step]) {
    self.init(registration, in: Path(injector), after: way)
  }

  fileprivate init(_ registration: Registration, in path: Path, after way: [Step]) {
    self.init(.service(Step(registration).name), in: path, after: way.map(\.name))
    if !registration.location.fileID.isEmpty { values.registeredAt = registration.location }
  }

  /// Collects the facts about the closing of an instance, which ends a chain without the closing of its injector.
  fileprivate init(closed registration: Registration, in path: Path) {
    self.init(registration, in: path, after: ThreadStack.current.with { $0.path.filter(\.act.isEmpty) })
  }

  init(about key: Key, candidate: String? = nil, in injector: Injector) {
    let way = ThreadStack.current.with { $0.path.map(\.name) }
    self.init(.service(ServiceName(key: key, candidate: candidate)), in: Path(injector), after: way)
  }

  /// Collects the facts about an injector as a whole.
  init(aboutWhole injector: Injector) { self = Self(about: Key(Injector.self), in: injector).with(.isAboutInjector) }

  /// Collects the facts about a given name, with the nearest of the other names.
  fileprivate init(
    _ name: Name, at point: String?, in injector: Injector, like text: String = "",
    _ others: [InjectorError.Suggestion] = []
  ) {
    self.init(name, in: Path(injector))
    (values.point, values.nearestName) = (point, NearestName(to: text, among: others))
  }
}

extension Injector {
  /// The error for a service that only the scope has for which a longer-lived instance is being made.
  func captureOfHidden(_ key: Key) -> InjectorError? {
    guard let scope = Self.hiddenCurrent, let steps = ThreadStack.current.with({ $0.capture(of: scope, for: scope) }),
      let cell = scope.visibleCell(of: key)
    else { return nil }
    return scope.captured(cell.registration, steps)
  }

  func failure(_ failure: Failure, _ registration: Registration, _ way: [Step]) -> InjectorError {
    var facts = InjectorError.Facts(registration, in: self, after: way)
    switch failure {
    case .absent: return .notRegistered(facts.with(.isPlaceholder))
    case .endlessLoad(let attempts): return .depthExceeded(facts.with(.ofAttempts), depth: attempts)
    case .closed: return closed(facts)
    case .mainActorRequired:
      facts[.isMadeOnce] = registration.lifetime == .lazySingleton && registration.maker == nil
      return .mainActorRequired(facts)
    case .depthExceeded: return .depthExceeded(facts, depth: facts.chain.count)
    case .endlessChain: return .depthExceeded(facts.with(.ofRounds), depth: facts.chain.count)
    case .scopeRequired:
      facts.values.otherInjector = registration.recipe.extras?.values.scopeName
      return .scopeRequired(facts)
    case .cancelled: return .cancelled(facts)
    case .timedOut(let limit): return .timedOut(facts, after: limit)
    case .shared:
      facts.values.refusal = .cannotBeIsolated
      return .lifetimeUnsupported(facts, lifetime: registration.lifetime)
    case .valueType(let type):
      facts.values.refusal = .valueType(type)
      return .lifetimeUnsupported(facts, lifetime: registration.lifetime)
    case .abandoned: return .constructionFailed(facts, underlying: Abandoned(name: registration.name))
    }
  }

  /// The error of a cycle, whose steps begin and end with one registration.
  func cycle(_ steps: [Step]) -> InjectorError {
    let last = steps[steps.endIndex - 1].registration
    var facts = InjectorError.Facts(last, in: self, after: ThreadStack.current.with { $0.path })
    let names = DistinctNames(steps.map(\.registration.key))
    facts[.isClosing] = steps.contains { !$0.act.isEmpty }
    return .circularDependency(facts, path: steps.map { names.name(of: $0.name) })
  }

  /// The facts about a service that this thread has requested.
  @inline(never)
  func facts(about registration: Registration) -> InjectorError.Facts {
    InjectorError.Facts(registration, in: self, after: ThreadStack.current.with { $0.path })
  }

  /// The error of a request that has found the registration replaced or reset in each attempt.
  func replaced(_ registration: Registration) -> InjectorError {
    .depthExceeded(facts(about: registration).with(.isReplaced), depth: Self.attemptLimit)
  }

  /// The error of a cycle that leads back to an instance that the thread is making.
  func cycle(_ path: [Step], to registration: Registration) -> InjectorError {
    let start = path.lastIndex { $0.registration === registration } ?? path.count
    return cycle(Array(path[start...]) + [Step(registration)])
  }

  func captured(_ registration: Registration, _ steps: [Step]) -> InjectorError {
    var facts = InjectorError.Facts(registration, in: self, after: ThreadStack.current.with { $0.path })
    facts[.isOfLazy] = steps.first?.registration.key.typed?.kind == .standalone
    let way = steps.map(\.registration) + [registration]
    let names = DistinctNames(way.map(\.key))
    return .captiveDependency(facts, path: way.map { $0.nameInChain(names) })
  }

  func notLoaded(_ cell: Cell, in owner: Injector, _ stack: ResolutionStack) -> InjectorError {
    var facts = InjectorError.Facts(cell.registration, in: self, after: stack.path)
    facts.values.missing = Missing(cell: cell, owner: owner, way: stack.steps(from: 0))
    return .notLoaded(facts)
  }

  package func closed(_ key: Key) -> InjectorError {
    closed(InjectorError.Facts(about: key, in: self))
  }

  func closed(_ facts: InjectorError.Facts) -> InjectorError {
    var facts = facts
    facts.values.registeredAt = nil
    if depth > Self.depthLimit { return .depthExceeded(facts.with(.ofScopes), depth: Int(depth)) }
    if let closed = Array(levels).last(where: \.isClosedItself) {
      facts[.isOfRoot] = !closed.isScope
      if closed !== self { facts.values.otherInjector = InjectorError.Facts.Path(closed).text ?? "(unnamed)" }
    }
    return .closed(facts)
  }

  func failure(ofOpenScopes count: Int) -> InjectorError {
    .closingFailed(InjectorError.Facts(aboutWhole: self), underlying: OpenScopes(count: count))
  }

  /// The error of a call that an injector cannot answer because it or a parent is closed.
  package var closedError: InjectorError { closed(InjectorError.Facts(aboutWhole: self)) }
}

extension InjectorError {
  /// Wraps the error of a factory, a decorator or a configuration, unless it is the error of a dependency.
  static func wrapping(
    _ error: any Error, _ registration: Registration, in injector: Injector, _ way: @autoclosure () -> [Step],
    blaming culprit: Facts.Culprit? = nil
  ) -> Self {
    if let error = error as? InjectorError { return error }
    var facts = Facts(registration, in: injector, after: way())
    facts.values.culprit = culprit
    return .constructionFailed(facts, underlying: error)
  }

  static func closing(_ error: any Error, _ registration: Registration, _ injector: Facts.Path) -> Self {
    .closingFailed(Facts(closed: registration, in: injector), underlying: error)
  }

  static func closingTimedOut(_ limit: Duration, _ registration: Registration, _ injector: Facts.Path) -> Self {
    .timedOut(Facts(closed: registration, in: injector), after: limit)
  }

  /// The error for an id that no candidate at a point has.
  ///
  /// - Parameter others: The names of all candidates, of which the nearest is suggested.
  package static func unknownCandidate(
    _ id: String, at point: String, in injector: Injector, among others: [Suggestion]
  ) -> Self {
    .notRegistered(Facts(.named(id, .candidate), at: point, in: injector, like: "\(id) at \(point)", others))
  }

  /// The error for a name that no service has.
  package static func unknownService(named name: String, in injector: Injector, among others: [Suggestion]) -> Self {
    .notRegistered(Facts(.named(name, .service), at: nil, in: injector, like: name, others))
  }

  /// The error for a name that several services have.
  ///
  /// - Parameter candidate: The id of the candidate that is searched for in them.
  package static func ambiguous(
    _ name: String, of candidate: String? = nil, in injector: Injector, among services: [Suggestion]
  ) -> Self {
    var facts = Facts(.named(candidate ?? name, candidate == nil ? .service : .candidate), at: name, in: injector)
    facts.values.alternatives = alphabeticalOrder(of: services.map(\.name)).map { services[$0] }
    return .notRegistered(facts)
  }

  /// The error in one line.
  package var headline: String { ErrorText(self).headline }

  /// The service that must be loaded before the request can be answered.
  var missing: Missing? { if case .notLoaded(let facts) = self { facts.values.missing } else { nil } }

  /// Whether a load continues after this error.
  var isRetried: Bool { if case .mainActorRequired = self { true } else { missing != nil } }

  /// The outcome for requests that waited for an attempt that failed with this error. Some errors concern only the
  /// thread of the attempt: other requests look again.
  var outcomeForOthers: Cell.Outcome {
    switch self {
    case .circularDependency, .captiveDependency, .depthExceeded, .mainActorRequired, .notLoaded: .look
    default: .failed(self)
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
