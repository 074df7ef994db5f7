/// Why an ``Injector`` could not do what it was asked.
///
/// Every case carries ``Facts``: the service, the injector, the chain of requests that led there. `description`
/// renders them as a text with a headline, one line for each fact, and what to do about it.
///
/// ```swift
/// do {
///   network = try services.get(Networking.self)
/// } catch InjectorError.notRegistered {
///   network = Offline()
/// }
/// ```
public indirect enum InjectorError: Error, Sendable {
  /// Nothing is registered for the service.
  case notRegistered(Facts)

  /// Something is registered for the service already, and the injector was made without `allowRewrite`.
  case alreadyRegistered(Facts)

  /// The service was to be decorated, and an instance of it is in use already.
  case instanceExists(Facts)

  /// Candidates of one service are chosen by one type of context, and another type was given.
  case contextMismatch(Facts, expected: String, found: String)

  /// The service is registered, but not for these arguments: the lists that it is registered for, and the one that was
  /// given. One that is registered without arguments has an empty list.
  case argumentsMismatch(Facts, expected: [[String]], found: [String])

  /// Candidates are registered, and none applies.
  case noCandidate(Facts, Explanation)

  /// Candidates are chosen by a context, which was neither given nor could be resolved.
  case contextMissing(Facts, context: String)

  /// The service is needed to make itself. The path begins and ends with the same service, or with the same injector, if
  /// a load and the closing of that would wait for each other. A circle through a thread or a detached task that a factory
  /// waits for by itself is not found.
  case circularDependency(Facts, path: [String])

  /// The chain of dependencies is so long that the next level might overflow the stack, or it seems to have no end: more
  /// than 200 scopes lie one inside of the other, or 1,000 loads or configurations have begun one another.
  case depthExceeded(Facts, depth: Int)

  /// The factory, or a configuration, threw.
  case constructionFailed(Facts, underlying: any Error)

  /// The service is made on the main actor, has not been made yet, and was asked for elsewhere.
  case mainActorRequired(Facts)

  /// The service is made asynchronously, and has not been loaded yet.
  case notLoaded(Facts)

  /// Whoever waited for the service to be loaded has been cancelled.
  case cancelled(Facts)

  /// Loading the service, or closing it, took longer than it may.
  case timedOut(Facts, after: Duration)

  /// What was to be done when the injector gave the instance up threw.
  case closingFailed(Facts, underlying: any Error)

  /// A closure of the injection belongs to an actor that a synchronous request cannot run on.
  case actorUnsupported(Facts, actor: String)

  /// The injector has been sealed, so that its registrations can no longer change.
  case sealed(Facts)

  /// The injector, or what it is a scope of, has been closed; or it was opened as a scope of one that had been.
  case closed(Facts)

  /// The service has one instance for each scope, and was asked for outside of any.
  case scopeRequired(Facts)

  /// Something that lives longer would keep the service. The path goes from there to the service, with the lifetimes.
  case captiveDependency(Facts, path: [String])

  /// The injection cannot be what it says.
  case lifetimeUnsupported(Facts, lifetime: Lifetime, reason: LifetimeRefusal)

  /// It was to be changed as only a test may that is isolated, and none is.
  case notIsolated(Facts)

  /// The registrations do not fit together. The facts are about the first problem; the report has all.
  case invalid(Facts, ValidationReport)

  /// Why a lifetime is not possible.
  public enum LifetimeRefusal: Sendable, Hashable {
    /// Only an instance of a class can be held weakly; this is the type of the instance or of the service.
    case valueType(String)

    /// Whoever asks owns the instance, so that no injector can close it.
    case cannotBeClosed

    /// An instance that is made from arguments is either made anew, or one for equal arguments.
    case takesArguments

    /// Whoever asks owns the instance, so that no injector can make it early.
    case cannotBeEager

    /// It is one object for the program and every test, so that configuring it in a test would change it for all.
    case cannotBeIsolated
  }

  /// What is known about the request that failed.
  public struct Facts: Sendable, Hashable {
    /// What the error is about.
    let subject: Subject

    /// The service's type.
    public var service: String { subject.name }

    /// What kind of thing it is, if that is known better than its type tells.
    var givenForm: Form?

    enum Form: Sendable, Hashable {
      /// A service that is got by its type.
      case service
      /// A type that is a feature, but was got as a service.
      case featureAsService
      /// A key, with the expression that asks for it: `injector[Clock.self]`.
      case key(String)
      /// The key of a property, which is made from its default value.
      case property(String)
      /// What is made from arguments, with their types.
      case arguments([String])
      /// What is made without an injector.
      case standalone
      /// A candidate of a point, whatever its service.
      case candidate
    }

    /// The service's tag, if it has one.
    public var tag: String? { subject.tag }

    /// The id of the candidate that the error is about, if it is about one.
    public var candidate: String? { subject.candidate }

    /// The name of the injector; `nil` if it has none.
    public var injector: String? { place.path }

    let place: Place

    /// The id of the plugin point that was used by itself, if it was one.
    public internal(set) var point: String?

    /// The requests that led here, from the outermost to the one that failed.
    public var chain: [String] { subject.chain(after: way) }

    /// The steps that led here.
    let way: [ServiceName]

    /// Where the innermost request stands that failed, if it was one for a service that was to be given.
    public internal(set) var requestedAt: CodeLocation?

    /// Where the service is registered.
    public internal(set) var registeredAt: CodeLocation?

    /// What had been registered for the service before and is gone.
    public internal(set) var previousRegistration: PreviousRegistration?

    /// Whether each get makes an instance that no injector keeps.
    var isMadeAnew = false

    /// Whether the service was to be unregistered, and not to be given.
    var isRemoval = false

    /// What a chain that is too deep is too deep for, if not for the stack.
    var bound: Bound?

    enum Bound: Sendable, Hashable {
      /// Scopes that lie one inside of the other.
      case scopes
      /// Loads, or configurations, that have begun one another.
      case rounds
    }

    /// Whether a circle comes to an injector that is being closed.
    var isClosing = false

    /// Whether a test was to override what is made from arguments.
    var isOverride = false

    /// Where it is said that each scope registers the service.
    var placeholder: CodeLocation?

    /// The registered service with the most similar name.
    ///
    /// - Complexity: O(*n*) for *n* registrations, the first time. It is found only if the injector is still there.
    public var nearest: Suggestion? { nearestName?.suggestion }

    var nearestName: NearestName?

    init(_ subject: Subject, in place: Place, after way: [ServiceName] = []) {
      self.subject = subject
      self.place = place
      self.way = way
    }
  }

  /// What is known about the request that failed.
  public var facts: Facts {
    switch self {
    case .notRegistered(let facts), .alreadyRegistered(let facts), .instanceExists(let facts),
      .argumentsMismatch(let facts, _, _),
      .contextMismatch(let facts, _, _),
      .noCandidate(let facts, _), .contextMissing(let facts, _), .circularDependency(let facts, _),
      .depthExceeded(let facts, _), .constructionFailed(let facts, _), .mainActorRequired(let facts),
      .notLoaded(let facts), .cancelled(let facts), .timedOut(let facts, _), .closingFailed(let facts, _),
      .actorUnsupported(let facts, _), .sealed(let facts), .closed(let facts), .scopeRequired(let facts),
      .notIsolated(let facts), .captiveDependency(let facts, _), .lifetimeUnsupported(let facts, _, _),
      .invalid(let facts, _):
      facts
    }
  }
}

extension InjectorError: CustomStringConvertible {
  /// The headline, the facts and what to do, in several lines.
  public var description: String { ErrorText(self).description }
}

extension InjectorError {
  /// What a factory or a configuration threw: as it is, if it is the error of a dependency.
  init(reporting error: any Error, about declaration: Declaration, in injector: Injector) {
    self = error as? InjectorError ?? .constructionFailed(Facts(about: declaration, in: injector), underlying: error)
  }
}

extension InjectorError.Facts {
  /// Collects the facts about a step of the calling thread's resolution.
  init(about declaration: Declaration, in injector: Injector) {
    self.init(.service(declaration.serviceName), in: Place(injector), after: ThreadContext.way)
    if declaration.service is any AnyPropertyKey.Type { return }
    registeredAt = declaration.location
  }

  /// The same about a chain that is too deep for something else than the stack.
  func exceeding(_ bound: Bound) -> Self {
    var facts = self
    facts.bound = bound
    return facts
  }

  /// The same about a circle that comes to an injector which is being closed.
  var waitingForClosing: Self {
    var facts = self
    facts.isClosing = true
    return facts
  }

  /// Collects the facts about a service that the calling thread asks for.
  init(service: any Any.Type, tag: Injector.Tag?, candidate: String? = nil, in injector: Injector) {
    let name = ServiceName(key: ServiceKey(service, tag), candidate: candidate)
    self.init(.service(name), in: Place(injector), after: ThreadContext.way)
  }
}
