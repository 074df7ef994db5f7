/// What is registered: a type, and the tag that tells two of it apart.
@usableFromInline
struct ServiceKey: Sendable {
  let service: any Any.Type
  let tag: Injector.Tag?

  init(_ service: any Any.Type, _ tag: Injector.Tag?) {
    self.service = service
    self.tag = tag
  }

  /// The keys of services without a tag.
  static func each<each Service: Sendable>(_ services: repeat (each Service).Type) -> [ServiceKey] {
    var keys: [ServiceKey] = []
    repeat keys.append(ServiceKey(each services, nil))
    return keys
  }

  var type: ObjectIdentifier { ObjectIdentifier(service) }
  var name: String { serviceName(service, tag: tag) }
}

extension ServiceKey: Hashable {
  @usableFromInline
  static func == (first: Self, second: Self) -> Bool { first.type == second.type && first.tag == second.tag }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    if let tag { hasher.combine(tag) }
  }
}

/// A service that the factory or the configuration of another asks for.
struct Dependency: Sendable, Hashable {
  let key: ServiceKey
  /// Whether it is asked for in a configuration, when everything has been made.
  var isConfigured = false
  /// Whether the one who asks can do without.
  var isOptional = false
  /// Whether the one who asks gives the context that chooses among candidates.
  var givesContext = false
}

/// What a factory and its configuration have asked for.
struct Record: Sendable {
  private(set) var dependencies: [Dependency] = []

  mutating func note(_ dependency: Dependency) {
    if !dependencies.contains(dependency) { dependencies.append(dependency) }
  }
}

/// What is known of a factory's dependencies before it runs.
@usableFromInline
enum Knowledge: Sendable {
  /// There are none.
  case none
  /// Nothing: it is a closure.
  case opaque
  /// The types of an initializer's parameters.
  case wired([ServiceKey])
  /// What the one who wrote the closure says.
  case declared([ServiceKey])
  /// There is no factory: each scope registers the service itself.
  case absent
}

/// How candidates are chosen, as far as it is known without a context.
struct Choice {
  /// What chooses.
  let context: ServiceKey

  /// Whether the context has to be registered: an injector has itself.
  var needsRegistration: Bool { context.type != ObjectIdentifier(Injector.self) }

  /// Of each candidate, in order, whether it always applies or never; `nil` if that depends on the context.
  let verdicts: [Bool?]
}
