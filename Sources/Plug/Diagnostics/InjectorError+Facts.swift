extension InjectorError {
  /// What is known about the failed request.
  public struct Facts: Sendable, Hashable {
    /// The type of the service.
    public var service: String {
      switch name {
      case .service(let name): nameParts(name.key.type, tag: name.key.tag?.rawValue).name
      case .named(let name, _): name
      }
    }

    /// The tag of the service; `nil` if it has none.
    public var tag: String? { serviceName.flatMap { nameParts($0.key.type, tag: $0.key.tag?.rawValue).tag } }

    /// The id of the candidate the error is about; `nil` if it is not about one.
    public var candidate: String? { serviceName?.candidate }

    /// The name of the injector; `nil` if it has none.
    public var injector: String? { path.text }

    /// The id of the plugin point that was used by itself; `nil` if none was.
    public var point: String? { values.point }

    /// The requests that led to the error, from the outermost to the one that failed.
    public var chain: [String] {
      guard let name = serviceName else { return [] }
      let way = content.value.way
      let isLast = way.last.map { $0.key == name.key && $0.candidate == name.candidate && $0.act == name.act } ?? false
      let steps = isLast ? way : way + [name]
      let names = DistinctNames(steps.map(\.key))
      return steps.map { names.name(of: $0) }
    }

    /// Where the innermost failed request is; `nil` if the error is not about a request.
    public var requestedAt: CodeLocation? { values.requestedAt }

    /// Where the service is registered.
    public var registeredAt: CodeLocation? { self[.isPlaceholder] ? nil : values.registeredAt }

    /// What was registered for the service before, if that registration has ended.
    public var previousRegistration: PreviousRegistration? { values.previousRegistration }

    /// The registered service with the most similar name.
    ///
    /// - Complexity: O(*n*) for *n* registrations on the first read. It is found only while the injector is alive.
    public var nearest: Suggestion? { values.nearestName?.suggestion }

    private var content: Boxed<(name: Name, path: Path, way: [ServiceName], values: Values)>

    init(_ name: Name, in path: Path, after way: [ServiceName] = []) {
      content = Boxed((name, path, way, Values()))
    }
  }
}

extension InjectorError.Facts {
  /// What an error is about. Its texts are put together when they are read, because nobody reads most errors.
  enum Name: Sendable {
    case service(ServiceName)
    case named(String, Kind)
  }

  /// What only some errors have.
  struct Values: Sendable {
    var point: String?
    var requestedAt: CodeLocation?
    var registeredAt: CodeLocation?
    var previousRegistration: InjectorError.PreviousRegistration?
    /// The name of the scope that would keep the instance, or that of the injector that is closed around this one.
    var place: String?
    /// What kind of thing it is, if that is known better than its type tells.
    var form: Form?
    var traits: UInt16 = 0
    /// What threw an error, if not the factory.
    var culprit: Culprit?
    /// How many injectors have the name of this one, if it was looked up although several have.
    var contenders: Int?
    var nearestName: NearestName?
    /// The services that a name may mean.
    var alternatives: [InjectorError.Suggestion] = []
    /// What has to be loaded first.
    var missing: Missing?
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
    /// Each scope is to register the service, and the location is that of the placeholder that says so.
    case isPlaceholder = 128
    /// The chain is too deep for nested scopes, rather than for the stack.
    case ofScopes = 256
    /// Too many loads or configurations have started one another.
    case ofRounds = 512
  }

  var name: Name { content.value.name }
  var path: Path { content.value.path }

  var values: Values {
    get { content.value.values }
    @inline(never) set { content = Boxed((name, path, content.value.way, newValue)) }
  }

  subscript(trait: Trait) -> Bool {
    get { values.traits & trait.rawValue != 0 }
    @inline(never) set { values.traits = newValue ? values.traits | trait.rawValue : values.traits & ~trait.rawValue }
  }

  private var serviceName: ServiceName? { if case .service(let name) = name { name } else { nil } }
}

extension InjectorError.Facts: JSONEquatable {
  // What is found out later is no part of what makes facts equal.
  var json: RuleTrace.Value {
    let keys = [serviceName?.key].compactMap(\.self) + content.value.way.map(\.key)
    let form = values.form
    let texts = [service, tag, candidate, injector, path.expression, point, values.place, form?.expression]
    return .array([
      RuleTrace.Value(texts: texts.map { $0 ?? "" } + (form?.arguments ?? []) + chain),
      RuleTrace.Value(texts: keys.map { "\($0.word)" }), values.requestedAt?.json ?? .null,
      values.registeredAt?.json ?? .null, previousRegistration?.json ?? .null, .number(Double(values.traits)),
    ])
  }
}
