extension InjectorError {
  /// What is known about the failed request.
  public struct Facts: Sendable, Hashable {
    /// The type of the service.
    public var service: String {
      switch name {
      case .service(let name): name.parts.name
      case .named(let name, _): name
      }
    }

    /// The tag of the service; `nil` if it has none.
    public var tag: String? { serviceName?.parts.tag }

    /// The id of the candidate the error is about; `nil` if it is not about one.
    public var candidate: String? { serviceName?.candidate }

    /// The name of the injector; `nil` if it has none.
    public var injector: String? { path.text }

    /// The id of the plugin point that was used by itself; `nil` if none was.
    public internal(set) var point: String? {
      get { values.point }
      set { values.point = newValue }
    }

    /// The requests that led to the error, from the outermost to the one that failed.
    public var chain: [String] {
      guard let name = serviceName?.text else { return [] }
      let chain = content.way.map(\.text)
      return chain.last == name ? chain : chain + [name]
    }

    /// Where the innermost failed request is; `nil` if the error is not about a request.
    public internal(set) var requestedAt: CodeLocation? {
      get { values.requestedAt }
      set { values.requestedAt = newValue }
    }

    /// Where the service is registered.
    public internal(set) var registeredAt: CodeLocation? {
      get { self[.isPlaceholder] ? nil : values.registeredAt }
      set { values.registeredAt = newValue }
    }

    /// What was registered for the service before, if that registration has ended.
    public internal(set) var previousRegistration: PreviousRegistration? {
      get { values.previousRegistration }
      set { values.previousRegistration = newValue }
    }

    /// The registered service with the most similar name.
    ///
    /// - Complexity: O(*n*) for *n* registrations on the first read. It is found only while the injector is alive.
    public var nearest: Suggestion? { values.nearestName?.suggestion }

    private var content: Content

    init(_ name: Name, in path: Path, after way: [ServiceName] = []) {
      content = Content(name, path, way, Values())
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
    var traits: Traits = []
    var nearestName: NearestName?
    /// What has to be loaded first.
    var missing: Missing?
  }

  struct Traits: OptionSet {
    let rawValue: UInt16

    /// The instance that one request makes serves all later ones.
    static var isMadeOnce: Self { Self(rawValue: 1) }
    /// The injector was a copy that a preview had.
    static var isOfPreview: Self { Self(rawValue: 2) }
    /// The service was to be unregistered rather than requested.
    static var isRemoval: Self { Self(rawValue: 4) }
    /// A test was to override the service.
    static var isOverride: Self { Self(rawValue: 8) }
    /// It is about an injector as a whole, and no service.
    static var isAboutInjector: Self { Self(rawValue: 16) }
    /// The cycle includes an injector that is being closed.
    static var isClosing: Self { Self(rawValue: 32) }
    /// The injector has a name of the program's, and nothing has been registered in it.
    static var isUntouched: Self { Self(rawValue: 64) }
    /// Each scope is to register the service, and the location is that of the placeholder that says so.
    static var isPlaceholder: Self { Self(rawValue: 128) }
    /// The chain is too deep for nested scopes, rather than for the stack.
    static var ofScopes: Self { Self(rawValue: 256) }
    /// Too many loads or configurations have started one another.
    static var ofRounds: Self { Self(rawValue: 512) }
  }

  /// An object, so that facts are copied as one reference.
  private final class Content: Sendable {
    let name: Name
    let path: Path
    let way: [ServiceName]
    let values: Values

    init(_ name: Name, _ path: Path, _ way: [ServiceName], _ values: Values) {
      (self.name, self.path, self.way, self.values) = (name, path, way, values)
    }
  }

  var name: Name { content.name }
  var path: Path { content.path }

  var values: Values {
    get { content.values }
    set { content = Content(content.name, content.path, content.way, newValue) }
  }

  subscript(trait: Traits) -> Bool {
    get { values.traits.contains(trait) }
    set { values.traits = newValue ? values.traits.union(trait) : values.traits.subtracting(trait) }
  }

  private var serviceName: ServiceName? { if case .service(let name) = name { name } else { nil } }
}

extension InjectorError.Facts: JSONEquatable {
  // What is found out later is no part of what makes facts equal.
  package var json: RuleTrace.Value {
    let key = serviceName?.key
    return .array([
      .string(service), RuleTrace.Value(key.map { "\($0.word)" }), RuleTrace.Value(tag), RuleTrace.Value(candidate),
      RuleTrace.Value(injector), RuleTrace.Value(path.expression), RuleTrace.Value(texts: chain),
      RuleTrace.Value(texts: content.way.map { "\($0.key.word)" }), RuleTrace.Value(point),
      values.requestedAt?.json ?? .null, values.registeredAt?.json ?? .null, previousRegistration?.json ?? .null,
      RuleTrace.Value(values.place), .number(Double(values.traits.rawValue)),
      RuleTrace.Value(values.form.map { [$0.expression] + $0.arguments }),
    ])
  }
}
