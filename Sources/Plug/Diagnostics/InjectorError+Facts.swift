extension InjectorError {
  /// The facts about a failed request.
  public struct Facts: Sendable, Hashable {
    /// The type of the service.
    public var service: String {
      switch values.name {
      case .service(let name): nameParts(name.key.type, tag: name.key.tag?.rawValue).name
      case .named(let name, _): name
      }
    }

    /// The tag of the service; `nil` if it has none.
    public var tag: String? { key.flatMap { nameParts($0.type, tag: $0.tag?.rawValue).tag } }

    /// The id of the affected candidate; `nil` if the error does not affect a candidate.
    public var candidate: String? { serviceName?.candidate }

    /// The name of the injector; `nil` if it has none.
    public var injector: String? { values.path.text }

    /// The id of the plugin point that was used without an injector; `nil` if none was.
    public var point: String? { values.point }

    /// The requests that led to the error, from the outermost to the one that failed.
    public var chain: [String] {
      guard let name = serviceName else { return [] }
      let steps = values.way.last == name ? values.way : values.way + [name]
      let names = DistinctNames(steps.map(\.key))
      return steps.map { names.name(of: $0) }
    }

    /// The location of the innermost failed request or refused registration; `nil` if there is none.
    public var requestedAt: CodeLocation? { values.requestedAt }

    /// The location at which the service is registered.
    public var registeredAt: CodeLocation? { self[.isPlaceholder] ? nil : values.registeredAt }

    /// The most similar name of a registered service, with its tag.
    ///
    /// - Complexity: O(*n*) for *n* registrations. The search needs the injector: once that has been released, the
    ///   value is `nil`.
    public var nearest: String? { findings?.suggestion?.name }
    var findings: NearestName.Findings? { values.nearestName?.found }

    private var content: Content

    private init(_ content: Content) { self.content = content }

    init(_ name: Name, in path: Injector.Path, after way: [ServiceName] = []) {
      content = Content(Values(name: name, path: path, way: way))
    }
  }
}

extension InjectorError.Facts {
  /// The subject of an error. Its messages are made when they are read, because most errors are never read.
  enum Name: Sendable {
    case service(ServiceName)
    case named(String, SubjectKind)
  }

  /// All known facts.
  struct Values: Sendable {
    let name: Name
    /// The injector that received the request.
    let path: Injector.Path
    /// The requests that led to the error, with or without the failed one.
    let way: [ServiceName]
    var point: String?
    var requestedAt: CodeLocation?
    var registeredAt: CodeLocation?
    /// The name of the scope that would keep the instance, or of the closed injector around this one.
    var otherInjector: String?
    /// The expression that requests the subject, and the types of the arguments, if they differ from those of its type.
    var expression: String?
    var arguments: [any Any.Type]?
    var traits: UInt16 = 0
    /// The closure that threw an error, if it is not the factory.
    var culprit: RequestFailure.Culprit = .factory
    var nearestName: NearestName?
    /// The services that a name can refer to.
    var alternatives: [InjectorError.Suggestion] = []
    /// The instance that must be loaded first.
    var missing: Missing?
    /// Why the service does not support the lifetime.
    var refusal: LifetimeRefusal?
  }

  // Not a generic box, for which the compiler would emit code to copy, move and destroy the values.
  private final class Content: Sendable, Hashable {
    let values: Values

    init(_ values: Values) { self.values = values }

    /// Whether the facts that are known when the error is thrown are equal.
    static func == (first: Content, second: Content) -> Bool {
      InjectorError.Facts(first).compared == InjectorError.Facts(second).compared
    }

    func hash(into hasher: inout Hasher) { hasher.combine(InjectorError.Facts(self).compared) }
  }

  enum LifetimeRefusal: Sendable, Hashable {
    /// Only an instance of a class can be held weakly. The value is the type of the instance or of the service.
    case valueType(String)
    /// The caller owns the instance, so no injector can close it, or make it before a request.
    case isNotKept
    /// The program and all tests share the object, so a configuration in a test would affect all of them.
    case cannotBeIsolated
  }

  /// Facts that are true or false, each with a bit of its own.
  enum Trait: UInt16 {
    /// The instance that one request makes answers all later ones.
    case isMadeOnce = 1
    /// The instances of the service were to be reset.
    case isReset = 2
    /// The service was to be unregistered rather than requested.
    case isRemoval = 4
    /// A test was to override the service.
    case isOverride = 8
    /// The error is about an injector as a whole, not about a service.
    case isAboutInjector = 16
    /// The cycle includes an injector that is being closed.
    case isClosing = 32
    /// The closed injector is no scope.
    case isOfRoot = 64
    /// Each scope must register the service. The location is the placeholder's.
    case isPlaceholder = 128
    /// The chain is too deep for nested scopes, rather than for the stack.
    case ofScopes = 256
    /// A lazy value of the program would capture the service.
    case isOfLazy = 1024
    /// A chain of loads repeats a service and seems to have no end.
    case ofRounds = 512
    /// The service was to be decorated rather than requested.
    case isDecoration = 2048
    /// The registration was replaced or reset in each attempt.
    case isReplaced = 4096
    /// Each attempt to load needed an instance of another scope.
    case ofAttempts = 8192
    /// The missing value is a parameter of an initializer that is passed as a value.
    case isWired = 16384
    /// The registration of a candidate outside of points was refused.
    case isContribution = 32768
  }

  var values: Values {
    get { content.values }
    @inline(never) set { content = Content(newValue) }
  }

  subscript(trait: Trait) -> Bool {
    get { values.traits & trait.rawValue != 0 }
    @inline(never) set { values.traits = newValue ? values.traits | trait.rawValue : values.traits & ~trait.rawValue }
  }

  /// The facts with a trait.
  func with(_ trait: Trait) -> Self {
    var facts = self
    facts[trait] = true
    return facts
  }

  private var serviceName: ServiceName? { if case .service(let name) = values.name { name } else { nil } }
  var key: Key? { serviceName?.key }

  /// The kind of the subject.
  var kind: SubjectKind {
    if case .named(_, let kind) = values.name { return kind }
    if values.expression != nil { return .key }
    if values.arguments != nil { return .arguments }
    return key?.typed?.kind ?? (key?.type is any _FeatureAsService.Type ? .featureAsService : .service)
  }

  /// The expression that requests a key: `injector[Clock.self]`; `nil` for a request by type.
  var expression: String? {
    if let expression = values.expression { return expression }
    return arguments == nil ? key?.typed?.expression(tag: key?.tag?.rawValue) : nil
  }

  /// The types of the arguments from which the service is made.
  var arguments: [any Any.Type]? { values.arguments ?? key?.arguments }

  private var compared: [String] {
    let keys = ([key].compactMap(\.self) + values.way.map(\.key)).map { "\($0.word)" }
    let texts = [service, tag, candidate, injector, values.path.expression, point, values.otherInjector, expression]
    let locations = [values.requestedAt?.description, values.registeredAt?.description, "\(values.traits)"]
    return (texts + locations).map { $0 ?? "" } + (arguments ?? []).argumentNames + chain + keys
  }
}

/// A type that has a subscript of its own and is not requested as a service. Errors suggest the subscript.
public protocol _FeatureAsService {}
