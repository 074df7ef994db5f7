/// A type that can be got where only another is registered: a collection of all implementations of a service, or an
/// optional one.
protocol Derived {
  /// The service; of an optional collection the collection, and then what that contains.
  static var services: [any Any.Type] { get }

  /// What a request gives while the service is not registered; `nil` if that is an error.
  static var absent: Self? { get }

  /// Answers a request for the service; `nil` if that is not registered.
  static func derive(from request: some ServiceRequest) throws(InjectorError) -> Self?
}

/// A request for a service of a type that is found out while it is answered.
protocol ServiceRequest {
  /// The winner, if any candidate applies; `nil` if the service is not registered.
  func first<Service: Sendable>(_ service: Service.Type) throws(InjectorError) -> Service??

  /// All that apply, in order, with the ids of the candidates; `nil` if the service is not registered.
  func identified<Service: Sendable>(
    _ service: Service.Type
  ) throws(InjectorError) -> [(id: String, service: Service)]?
}

extension Array: Derived {
  static var services: [any Any.Type] { [Element.self] }
  static var absent: Self? { isExistential(Element.self) ? [] : nil }

  static func derive(from request: some ServiceRequest) throws(InjectorError) -> Self? {
    func all<Service: Sendable>(_ service: Service.Type) throws(InjectorError) -> Self? {
      try request.identified(service)?.map(\.service) as? Self
    }
    return try all(sendable(Element.self))
  }
}

extension Dictionary: Derived where Key == String {
  static var services: [any Any.Type] { [Value.self] }
  static var absent: Self? { isExistential(Value.self) ? [:] : nil }

  static func derive(from request: some ServiceRequest) throws(InjectorError) -> Self? {
    func all<Service: Sendable>(_ service: Service.Type) throws(InjectorError) -> Self? {
      let identified = try request.identified(service)
      return identified?.reduce(into: [String: Service]()) { $0[$1.id] = $1.service } as? Self
    }
    return try all(sendable(Value.self))
  }
}

extension Optional: Derived {
  static var services: [any Any.Type] { [Wrapped.self] + ((Wrapped.self as? any Derived.Type)?.services ?? []) }
  static var absent: Self? { .some(nil) }

  static func derive(from request: some ServiceRequest) throws(InjectorError) -> Self? {
    func first<Service: Sendable>(_ service: Service.Type) throws(InjectorError) -> Self? {
      guard let winner = try request.first(service) else { return nil }
      return .some(winner.flatMap { $0 as? Wrapped })
    }
    if let winner = try first(sendable(Wrapped.self)) { return winner }
    guard let derived = Wrapped.self as? any Derived.Type else { return nil }
    return (try derived.derive(from: request) as? Wrapped).map { .some($0) }
  }
}

/// The type of what a `Sendable` collection or optional contains.
///
/// Soundness of the cast: `Sendable` is a marker, without witnesses, so that both are one pointer to the type's
/// metadata; and such a type is `Sendable` only if what it contains is. A conformance cannot be conditional on a
/// marker.
func sendable(_ type: any Any.Type) -> any Sendable.Type {
  unsafe unsafeBitCast(type, to: (any Sendable.Type).self)
}

extension ServiceKey {
  /// The services that are looked up where nothing is registered for this one, and whether it is no error if nothing is
  /// registered for these either.
  var derivation: (keys: [ServiceKey], isOptional: Bool)? {
    func isOptional<Type: Derived>(_ type: Type.Type) -> Bool { type.absent != nil }
    let arguments = service as? any AnyArgumentsKey.Type
    guard let derived = (arguments?.service ?? service) as? any Derived.Type else { return nil }
    let keys = derived.services.map { service in
      ServiceKey(arguments?.replacingService(by: sendable(service)) ?? service, tag)
    }
    return (keys, isOptional(derived))
  }
}

private struct PlainRequest: ServiceRequest {
  let injector: Injector
  let tag: Injector.Tag?

  func first<Service: Sendable>(_ service: Service.Type) throws(InjectorError) -> Service?? {
    guard let entry = try injector.search(service, tag) else { return nil }
    return .some(try entry.first(for: injector))
  }

  func identified<Service: Sendable>(
    _ service: Service.Type
  ) throws(InjectorError) -> [(id: String, service: Service)]? {
    try injector.search(service, tag)?.identified(for: injector)
  }
}

private struct ContextRequest<Context: Sendable>: ServiceRequest {
  let injector: Injector
  let tag: Injector.Tag?
  let context: Context

  func first<Service: Sendable>(_ service: Service.Type) throws(InjectorError) -> Service?? {
    guard let entry = try injector.search(service, tag) else { return nil }
    return .some(try entry.first(in: context, for: injector))
  }

  func identified<Service: Sendable>(
    _ service: Service.Type
  ) throws(InjectorError) -> [(id: String, service: Service)]? {
    try injector.search(service, tag)?.identified(in: context, for: injector)
  }
}

extension Injector {
  /// Gets what is registered for a service here, or in what this is a scope of; or what can be derived from it.
  @usableFromInline
  func getOrDerive<Service: Sendable>(_ service: Service.Type, _ tag: Tag?) throws(InjectorError) -> Service {
    if let entry = try lookUp(service, tag) { return try entry.instance(for: self) }
    return try derive(service, tag)
  }

  /// Gives what is not registered, if it can be derived; apart from the above, which would have to make room for it.
  @inline(never)
  private func derive<Service: Sendable>(_ service: Service.Type, _ tag: Tag?) throws(InjectorError) -> Service {
    let request = PlainRequest(injector: self, tag: tag)
    if let derived = try derive(service, from: request, orAbsent: true) { return derived }
    throw absence(of: ServiceKey(service, tag))
  }

  /// Gives what is not registered for a context, if it can be derived.
  @usableFromInline
  func derive<Service: Sendable, Context: Sendable>(
    _ service: Service.Type, _ tag: Tag?, in context: Context
  ) throws(InjectorError) -> Service {
    let request = ContextRequest(injector: self, tag: tag, context: context)
    if let derived = try derive(service, from: request, orAbsent: true) { return derived }
    throw absence(of: ServiceKey(service, tag))
  }

  /// Gives what is not registered, if it can be derived from what is.
  @usableFromInline
  func deriveIfRegistered<Service: Sendable>(_ service: Service.Type, _ tag: Tag?) throws(InjectorError) -> Service? {
    try derive(service, from: PlainRequest(injector: self, tag: tag), orAbsent: false)
  }

  func derive<Service: Sendable>(
    _ service: Service.Type, from request: some ServiceRequest, orAbsent: Bool
  ) throws(InjectorError) -> Service? {
    func answer<Type: Derived>(_ type: Type.Type) throws(InjectorError) -> Service? {
      (try type.derive(from: request) ?? (orAbsent ? type.absent : nil)).flatMap { $0 as? Service }
    }
    guard let type = service as? any Derived.Type else { return nil }
    return try answer(type)
  }

  /// All implementations of a service, by the ids of the candidates; `nil` if it is not registered.
  func dictionary<Value: Sendable>(of value: Value.Type, _ tag: Tag?) throws(InjectorError) -> [String: Value]? {
    try lookUp(value, tag, isOptional: true)?.identified(for: self).reduce(into: [:]) { $0[$1.id] = $1.service }
  }
}
