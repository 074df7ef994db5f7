// Every error of the kernel is made here. The kernel says what failed and where; texts are made when they are read.

/// What the kernel could not do with a registration.
enum Failure {
  case absent
  case closed
  case mainActorRequired
  case depthExceeded
  case tooManyRounds
  case scopeRequired
  case replaced
  case cancelled
  case timedOut(Duration)
  case valueType(String)
  case shared
  /// Something that a request had got, and whose maker gave it up.
  case abandoned
}

extension InjectorError.Facts {
  init(_ registration: Registration, in injector: Injector, after way: [Step]) {
    self.init(registration, in: Path(injector), after: way)
  }

  init(_ registration: Registration, in path: Path, after way: [Step]) {
    self.init(
      .service(ServiceName(key: registration.key, candidate: registration.candidate)), in: path,
      after: way.map(\.name))
    if !registration.location.fileID.isEmpty { values.registeredAt = registration.location }
  }

  /// The closing of an instance is the end of a chain without the closing of its injector.
  fileprivate init(closed registration: Registration, in path: Path) {
    self.init(registration, in: path, after: Level.current.with { $0.path.filter(\.act.isEmpty) })
  }

  init(about key: Key, candidate: String? = nil, in injector: Injector) {
    self.init(
      .service(ServiceName(key: key, candidate: candidate)), in: Path(injector),
      after: Level.current.with { $0.path.map(\.name) })
  }

  /// Collects the facts about an injector as a whole.
  init(aboutWhole injector: Injector) {
    self.init(about: Key(Injector.self), in: injector)
    self[.isAboutInjector] = true
  }
}

extension Injector {
  func failure(_ failure: Failure, _ registration: Registration, _ stack: ResolutionStack) -> InjectorError {
    self.failure(failure, registration, stack.path)
  }

  func failure(_ failure: Failure, _ registration: Registration, _ way: [Step]) -> InjectorError {
    var facts = InjectorError.Facts(registration, in: self, after: way)
    switch failure {
    case .absent:
      facts[.isPlaceholder] = true
      return .notRegistered(facts)
    case .closed: return closed(facts)
    case .mainActorRequired:
      let isOfArguments = registration.base != nil || registration.maker != nil
      facts[.isMadeOnce] = registration.lifetime == .lazySingleton && !isOfArguments
      return .mainActorRequired(facts)
    case .depthExceeded: return .depthExceeded(facts, depth: facts.chain.count)
    case .tooManyRounds:
      facts[.ofRounds] = true
      return .depthExceeded(facts, depth: facts.chain.count)
    case .scopeRequired:
      facts.values.place = registration.recipe.extras?.values.scopeName
      return .scopeRequired(facts)
    case .shared:
      return .lifetimeUnsupported(facts, lifetime: registration.lifetime, reason: .cannotBeIsolated)
    case .replaced: return .notRegistered(facts)
    case .cancelled: return .cancelled(facts)
    case .timedOut(let limit): return .timedOut(facts, after: limit)
    case .valueType(let type):
      return .lifetimeUnsupported(facts, lifetime: registration.lifetime, reason: .valueType(type))
    case .abandoned: return .constructionFailed(facts, underlying: Abandoned(name: registration.name))
    }
  }

  /// The error of a circle, whose steps begin and end with one registration.
  func circle(_ steps: [Step]) -> InjectorError {
    guard let last = steps.last else {
      return .circularDependency(InjectorError.Facts(aboutWhole: self), path: [])
    }
    var facts = InjectorError.Facts(last.registration, in: self, after: Level.current.with { $0.path })
    let names = DistinctNames(steps.map(\.registration.key))
    facts[.isClosing] = steps.contains { !$0.act.isEmpty }
    return .circularDependency(facts, path: steps.map { names.name(of: $0.name) })
  }

  /// The error of a circle that leads back to what a thread is making.
  func circle(_ path: [Step], to registration: Registration) -> InjectorError {
    let start = path.firstIndex { $0.registration === registration } ?? path.count
    return circle(Array(path[start...]) + [Step(registration)])
  }

  func captured(_ registration: Registration, _ steps: [Step]) -> InjectorError {
    let facts = InjectorError.Facts(registration, in: self, after: Level.current.with { $0.path })
    let way = steps.map(\.registration) + [registration]
    let names = DistinctNames(way.map(\.key))
    return .captiveDependency(facts, path: way.map { $0.nameInChain(names) })
  }

  func notLoaded(_ cell: Cell, in owner: Injector, _ stack: ResolutionStack) -> InjectorError {
    var facts = InjectorError.Facts(cell.registration, in: self, after: stack.path)
    facts.values.missing = Missing(cell: cell, owner: owner, way: stack.steps(from: 0))
    return .notLoaded(facts)
  }

  package func closed(_ key: Key, by level: Injector) -> InjectorError {
    closed(InjectorError.Facts(about: key, in: self))
  }

  func closed(_ registration: Registration, _ way: [Step]) -> InjectorError {
    closed(InjectorError.Facts(registration, in: self, after: way))
  }

  func closed(_ facts: InjectorError.Facts) -> InjectorError {
    var facts = facts
    facts.values.registeredAt = nil
    if depth > Self.depthLimit {
      facts[.ofScopes] = true
      return .depthExceeded(facts, depth: Int(depth))
    }
    var closed: Injector?
    for level in levels where closed == nil && level.isClosedItself { closed = level }
    if let closed, closed !== self { facts.values.place = InjectorError.Facts.Path(closed).text ?? "(unnamed)" }
    return .closed(facts)
  }
}

extension InjectorError {
  /// Wraps what a factory, a decorator or a configuration threw, unless it is the error of a dependency.
  static func wrapping(
    _ error: any Error, _ registration: Registration, in injector: Injector, _ stack: ResolutionStack,
    blaming culprit: Facts.Culprit? = nil
  ) -> Self {
    wrapping(error, registration, in: injector, trail: stack.path, blaming: culprit)
  }

  static func wrapping(
    _ error: any Error, _ registration: Registration, in injector: Injector, trail: [Step],
    blaming culprit: Facts.Culprit? = nil
  ) -> Self {
    if let error = error as? InjectorError { return error }
    var facts = Facts(registration, in: injector, after: trail)
    if culprit != nil { facts.values.culprit = culprit }
    return .constructionFailed(facts, underlying: error)
  }

  static func closing(_ error: any Error, _ registration: Registration, _ injector: Facts.Path) -> Self {
    .closingFailed(Facts(closed: registration, in: injector), underlying: error)
  }

  static func closingTimedOut(_ limit: Duration, _ registration: Registration, _ injector: Facts.Path) -> Self {
    .timedOut(Facts(closed: registration, in: injector), after: limit)
  }

  /// What has to be loaded before the request can be answered.
  var missing: Missing? { if case .notLoaded(let facts) = self { facts.values.missing } else { nil } }

  /// Whether a load goes on after this error.
  var isRetried: Bool {
    if case .mainActorRequired = self { return true }
    return missing != nil
  }
}

/// Something that a request had got, and whose maker gave it up.
private struct Abandoned: Error, CustomStringConvertible {
  let name: String
  var description: String { "\(name), which it had got before that was configured, has been given up" }
}

extension CodeLocation {
  /// Where what the program does not register begins, such as the value of a property.
  package static let unknown = CodeLocation(fileID: "", line: 0)
}

extension Registration {
  package var name: String { ServiceName(key: key, candidate: candidate).text }

  /// The name and, unless it only chooses, how long its instances live.
  func nameInChain(_ names: DistinctNames) -> String {
    isChoice ? names.name(of: self) : "\(names.name(of: self)) (\(lifetime))"
  }
}

extension Step {
  var name: ServiceName { ServiceName(key: registration.key, candidate: registration.candidate, act: act) }
}
