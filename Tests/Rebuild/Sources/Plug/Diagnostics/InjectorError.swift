/// Why an ``Injector`` could not do what it was asked to.
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
/// `description` renders them as a headline, one line for each fact, and what to do about it.
public indirect enum InjectorError: Error, Sendable {
  /// The service is not registered.
  case notRegistered(Facts)

  /// The service is already registered, and the injector was created without `allowRewrite`.
  case alreadyRegistered(Facts)

  /// The service cannot be decorated, because an instance of it is in use.
  case instanceExists(Facts)

  /// The service's candidates are selected by one type of context, and another type was given.
  case contextMismatch(Facts, expected: String, found: String)

  /// The service is registered with other arguments: the lists it is registered with, and the one that was given. A
  /// service registered without arguments has an empty list.
  case argumentsMismatch(Facts, expected: [[String]], found: [String])

  /// The service has candidates, but none of them applies.
  case noCandidate(Facts, Explanation)

  /// The service's candidates are selected by a context that was neither given nor registered.
  case contextMissing(Facts, context: String)

  /// The service depends on itself.
  ///
  /// The path begins and ends with the same service; or with the same injector, if a load and the closing of that
  /// injector would wait for each other. A cycle through a thread or a detached task that a factory waits for is not
  /// detected.
  case circularDependency(Facts, path: [String])

  /// The nesting is too deep, or seems to have no end: a chain of dependencies that might overflow the stack, more than
  /// 200 nested scopes or 100 nested points, or 1,000 loads or configurations that have started one another.
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

  /// A closing of an instance threw an error when its injector released it.
  case closingFailed(Facts, underlying: any Error)

  /// A closure of the injection is isolated to an actor that a synchronous request cannot run on.
  case actorUnsupported(Facts, actor: String)

  /// The injector is sealed, so its registrations cannot change.
  case sealed(Facts)

  /// The injector, or one around it, has been closed, or was already closed when the scope was opened.
  case closed(Facts)

  /// The service was requested from ``Injector/current``, and the calling task runs in no injector.
  case currentMissing(Facts)

  /// The service has one instance per scope, and was requested outside of any scope.
  case scopeRequired(Facts)

  /// An instance with a longer lifetime would keep the service. The path leads from that instance to the service, with
  /// the lifetimes.
  case captiveDependency(Facts, path: [String])

  /// The injection's lifetime is impossible for the service.
  case lifetimeUnsupported(Facts, lifetime: Lifetime, reason: LifetimeRefusal)

  /// The change is reserved for isolated tests, and the caller runs in none.
  case notIsolated(Facts)

  /// The registrations do not fit together. The facts are about the first problem; the report contains all of them.
  case invalid(Facts, ValidationReport)

  /// Why a lifetime is impossible.
  public enum LifetimeRefusal: Sendable, Hashable {
    /// Only an instance of a class can be held weakly. The value is the type of the instance or of the service.
    case valueType(String)

    /// The caller owns the instance, so no injector can close it.
    case cannotBeClosed

    /// The caller owns the instance, so no injector can make it early.
    case cannotBeEager

    /// The program and all tests share the object, so configuring it in a test would change it for all.
    case cannotBeIsolated
  }

  /// What is known about the failed request.
  public struct Facts: Sendable, Hashable {
    /// What the error is about.
    let name: Name

    /// The type of the service.
    public var service: String { name.service }

    /// What kind of thing it is, if that is known better than its type tells.
    var givenForm: Form?

    enum Form: Sendable, Hashable {
      /// A service that is got by its type.
      case service
      /// A feature that was requested as a service.
      case featureAsService
      /// A key, with the expression that requests it: `injector[Clock.self]`.
      case key(String)
      /// The key of a property, which is made from its default value.
      case property(String)
      /// A service made from arguments, with their types.
      case arguments([String])
      /// A value made without an injector.
      case standalone
      /// A candidate of a point, whatever its service.
      case candidate
      /// A module that registers services.
      case module
    }

    /// The tag of the service; `nil` if it has none.
    public var tag: String? { name.tag }

    /// The id of the candidate the error is about; `nil` if it is not about one.
    public var candidate: String? { name.candidate }

    /// The name of the injector; `nil` if it has none.
    public var injector: String? { path.text }

    let path: Path

    /// The id of the plugin point that was used by itself; `nil` if none was.
    public internal(set) var point: String?

    /// The requests that led to the error, from the outermost to the one that failed.
    public var chain: [String] { name.chain(after: way) }

    /// The steps that led here.
    let way: [ServiceName]

    /// Where the innermost failed request is; `nil` if the error is not about a request.
    public internal(set) var requestedAt: CodeLocation?

    /// Where the service is registered.
    public internal(set) var registeredAt: CodeLocation?

    /// What was registered for the service before, if that registration has ended.
    public internal(set) var previousRegistration: PreviousRegistration?

    /// Whether the instance that one request makes serves all later ones.
    var isMadeOnce = false

    /// Whether the injector was a copy that a preview had.
    var isOfPreview = false
    /// The name of the scope that would keep the instance, if only scopes of a name do.
    var requiredScope: String?

    /// Whether the service was to be unregistered rather than requested.
    var isRemoval = false

    /// Whether it is about an injector as a whole, and no service.
    var isAboutInjector = false

    /// The injector around this one that is closed; `nil` if this one is, or none.
    var closedAround: String?

    /// What the chain is too deep for; `nil` for the stack.
    var bound: Bound?

    enum Bound: Sendable, Hashable {
      /// Nested scopes.
      case scopes
      /// Loads or configurations that have started one another.
      case rounds
    }

    /// Whether the cycle includes an injector that is being closed.
    var isClosing = false

    /// Whether a test was to override a service made from arguments.
    var isOverride = false

    /// Whether the injector has a name of the program's, and nothing has been registered in it.
    var isUntouched = false

    /// What threw an error, if not the factory.
    var culprit: Culprit?

    enum Culprit: Sendable, Hashable {
      case decorator(String, CodeLocation)
      case configuration(CodeLocation)
    }

    /// How many injectors have the name of this one, if it was looked up although several have.
    var contenders: Int?

    /// Where a placeholder says that each scope registers the service.
    var placeholder: CodeLocation?

    /// The registered service with the most similar name.
    ///
    /// - Complexity: O(*n*) for *n* registrations on the first read. It is found only while the injector is alive.
    public var nearest: Suggestion? { nearestName?.suggestion }

    var nearestName: NearestName?

    /// What has to be loaded first. It is no part of what makes facts equal.
    var missing: Missing?

    init(_ name: Name, in path: Path, after way: [ServiceName] = []) {
      self.name = name
      self.path = path
      self.way = way
    }
  }

  /// What is known about the failed request.
  public var facts: Facts {
    switch self {
    case .notRegistered(let facts), .alreadyRegistered(let facts), .instanceExists(let facts),
      .argumentsMismatch(let facts, _, _),
      .contextMismatch(let facts, _, _),
      .noCandidate(let facts, _), .contextMissing(let facts, _), .circularDependency(let facts, _),
      .depthExceeded(let facts, _), .constructionFailed(let facts, _), .mainActorRequired(let facts),
      .notLoaded(let facts), .cancelled(let facts), .timedOut(let facts, _), .closingFailed(let facts, _),
      .actorUnsupported(let facts, _), .sealed(let facts), .closed(let facts), .scopeRequired(let facts),
      .currentMissing(let facts),
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
