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

    /// The location of the innermost failed request; `nil` if no request failed.
    public var requestedAt: CodeLocation? { values.requestedAt }

    /// Where the service is registered.
    public var registeredAt: CodeLocation? { self[.isPlaceholder] ? nil : values.registeredAt }

    /// The previous registration of the service, if it has ended. An injector remembers it for the first 1,000 such
    /// services.
    package var previousRegistration: PreviousRegistration? { values.previousRegistration }

    /// The most similar name of a registered service, with its tag.
    ///
    /// - Complexity: O(*n*) for *n* registrations on the first read. The search needs the injector: if it has been
    ///   released before the first read, the value is `nil`.
    public var nearest: String? { suggestion?.name }
    package var suggestion: Suggestion? { values.nearestName?.suggestion }

    private var content: Content

    init(_ name: Name, in path: Path, after way: [ServiceName] = []) {
      content = Content(Values(name: name, path: path, way: way))
    }
  }
}

extension InjectorError.Facts {
  /// What an error is about. Its texts are put together when they are read, because nobody reads most errors.
  enum Name: Sendable {
    case service(ServiceName)
    case named(String, Kind)
  }

  /// All that is known.
  struct Values: Sendable {
    let name: Name
    /// The injector that was asked.
    let path: Path
    /// The requests that led to the error, without the failed one or with it.
    let way: [ServiceName]
    var point: String?
    var requestedAt: CodeLocation?
    var registeredAt: CodeLocation?
    var previousRegistration: InjectorError.PreviousRegistration?
    /// The name of the scope that would keep the instance, or of the closed injector around this one.
    var place: String?
    /// The expression that asks for it, and the types of the arguments, if those of its type are not meant.
    var expression: String?
    var arguments: [any Any.Type]?
    var traits: UInt16 = 0
    /// What threw an error, if not the factory.
    var culprit: Culprit?
    /// How many injectors have the name of this one, if several have and a look-up has found the first.
    var contenders: Int?
    var nearestName: NearestName?
    /// The services that a name may mean.
    var alternatives: [InjectorError.Suggestion] = []
    /// What has to be loaded first.
    var missing: Missing?
  }

  // Not a generic box, for which the compiler would write how to copy, move and destroy the values.
  private final class Content: Sendable {
    let values: Values

    init(_ values: Values) { self.values = values }
  }

  enum Culprit: Sendable {
    case decorator(String, CodeLocation)
    case configuration(CodeLocation)
  }

  /// What may be so, each with a bit of its own.
  enum Trait: UInt16 {
    /// The instance that one request makes serves all later ones.
    case isMadeOnce = 1
    /// The injector was a copy that a preview had.
    case isOfPreview = 2
    /// The service was to be unregistered rather than requested.
    case isRemoval = 4
    /// A test was to override the service.
    case isOverride = 8
    /// It is about an injector as a whole, and no service.
    case isAboutInjector = 16
    /// The cycle includes an injector that is being closed.
    case isClosing = 32
    /// The injector has a name of the program's, and nothing has been registered in it.
    case isUntouched = 64
    /// Each scope must register the service. The location is the placeholder's.
    case isPlaceholder = 128
    /// The chain is too deep for nested scopes, rather than for the stack.
    case ofScopes = 256
    /// Too many loads or configurations have started one another.
    case ofRounds = 512
  }

  /// What kind of thing an error is about.
  @usableFromInline
  package enum Kind: Sendable {
    /// A service that is got by its type.
    case service
    /// A feature that was requested as a service.
    case featureAsService
    /// A key.
    case key
    /// The key of a property, which is made from its default value.
    case property
    /// A service made from arguments.
    case arguments
    /// A value made without an injector.
    case standalone
    /// A candidate of a point, whatever its service.
    case candidate
    /// A module that registers services.
    case module
  }

  /// The injector that was asked.
  enum Path: Sendable {
    /// One that lies in no other, with its name.
    case root(name: String?)
    /// A scope, or one that has gone, with the names on the way.
    case inner(names: [String])
    /// There was none.
    case none

    init(_ injector: Injector) {
      let name = injector.isHome ? Injector.Name.default : injector.name
      self = injector.isScope ? .inner(names: injector.names) : .root(name: name?.rawValue)
    }

    var text: String? {
      switch self {
      case .root(let name): name
      case .inner(let names): names.isEmpty ? nil : names.abbreviated.joined(separator: "/")
      case .none: nil
      }
    }

    /// The expression that finds the injector from anywhere: `Injector["services"]`; `nil` if it has no name.
    var expression: String? {
      guard case .root(let name?) = self else { return nil }
      return name == Injector.Name.default.rawValue ? "Injector.default" : "Injector[\(name.debugDescription)]"
    }
  }

  var values: Values {
    get { content.values }
    @inline(never) set { content = Content(newValue) }
  }

  subscript(trait: Trait) -> Bool {
    get { values.traits & trait.rawValue != 0 }
    @inline(never) set { values.traits = newValue ? values.traits | trait.rawValue : values.traits & ~trait.rawValue }
  }

  private var serviceName: ServiceName? { if case .service(let name) = values.name { name } else { nil } }
  var key: Key? { serviceName?.key }

  /// What kind of thing it is.
  var kind: Kind {
    if case .named(_, let kind) = values.name { return kind }
    if values.expression != nil { return .key }
    if values.arguments != nil { return .arguments }
    return key?.typed?.kind ?? (key?.type is any _FeatureAsService.Type ? .featureAsService : .service)
  }

  /// The expression that asks for a key: `injector[Clock.self]`; `nil` if a type does.
  var expression: String? {
    if let expression = values.expression { return expression }
    return arguments == nil ? key?.typed?.expression(tag: key?.tag?.rawValue) : nil
  }

  /// The types of the arguments of which it is made.
  var arguments: [any Any.Type]? { values.arguments ?? key?.arguments }
}

extension InjectorError.Facts: JSONEquatable {
  // Facts that are found later do not take part in the comparison.
  var json: RuleTrace.Value {
    let keys = ([key].compactMap(\.self) + values.way.map(\.key)).map { "\($0.word)" }
    let texts = [service, tag, candidate, injector, values.path.expression, point, values.place, expression]
    let end = previousRegistration.map { "\($0)" }
    let places = [values.requestedAt?.description, values.registeredAt?.description, end, "\(values.traits)"]
    return RuleTrace.Value(texts: (texts + places).map { $0 ?? "" } + (arguments ?? []).argumentNames + chain + keys)
  }
}

/// A type that has a subscript of its own and is not requested as a service. Errors suggest the subscript.
public protocol _FeatureAsService {}

extension [String] {
  /// The list as a call has it; `no arguments` if it is empty.
  var parenthesized: String { isEmpty ? "no arguments" : "(\(joined(separator: ", ")))" }

  /// The chain with its middle left out, if it is too long to read.
  var abbreviated: [String] {
    count <= 24 ? self : prefix(12) + ["… \(count - 20) more …"] + suffix(8)
  }
}
