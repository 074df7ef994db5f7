/// A collection of all implementations of a service, which can be got where only the service is registered.
protocol Collecting {
  /// The service.
  static var service: any Any.Type { get }

  /// Collects all that apply; `nil` if the service is not registered. The collection must be `Sendable`.
  static func collect(from injector: Injector, _ tag: Injector.Tag?) throws(InjectorError) -> (any Sendable)?
}

extension Array: Collecting {
  static var service: any Any.Type { Element.self }

  static func collect(from injector: Injector, _ tag: Injector.Tag?) throws(InjectorError) -> (any Sendable)? {
    try injector.array(of: sendable(Element.self), tag)
  }
}

extension Dictionary: Collecting where Key == String {
  static var service: any Any.Type { Value.self }

  static func collect(from injector: Injector, _ tag: Injector.Tag?) throws(InjectorError) -> (any Sendable)? {
    func dictionary<Element: Sendable>(of value: Element.Type) throws(InjectorError) -> (any Sendable)? {
      try injector.dictionary(of: value, tag)
    }
    return try dictionary(of: sendable(Value.self))
  }
}

/// The type of what a `Sendable` collection contains.
///
/// Soundness of the cast: `Sendable` is a marker, without witnesses, so that both are one pointer to the type's metadata;
/// and a collection is `Sendable` only if what it contains is. A conformance cannot be conditional on a marker.
private func sendable(_ type: any Any.Type) -> any Sendable.Type {
  unsafe unsafeBitCast(type, to: (any Sendable.Type).self)
}

extension Injector {
  /// All implementations of a service that apply, in order; `nil` if it is not registered.
  fileprivate func array<Element: Sendable>(
    of element: Element.Type, _ tag: Tag?
  ) throws(InjectorError) -> (any Sendable)? {
    try lookUp(element, tag, isOptional: true)?.all(for: self)
  }

  /// The same, by the ids of the candidates.
  func dictionary<Value: Sendable>(of value: Value.Type, _ tag: Tag?) throws(InjectorError) -> [String: Value]? {
    try lookUp(value, tag, isOptional: true)?.identified(for: self).reduce(into: [:]) { $0[$1.id] = $1.service }
  }

  /// Gets what is registered for a service here, or in what this is a scope of; or all implementations of one, if it is a
  /// collection of these.
  @usableFromInline
  func getOrCollect<Service: Sendable>(_ service: Service.Type, _ tag: Tag?) throws(InjectorError) -> Service {
    if let entry = try lookUp(service, tag) { return try entry.instance(for: self) }
    return try collect(service, tag)
  }

  /// Gives what is not registered, if it is a collection of something that is.
  private func collect<Service: Sendable>(_ service: Service.Type, _ tag: Tag?) throws(InjectorError) -> Service {
    if let collection = try collectIfPossible(service, tag) { return collection }
    throw absence(of: service, tag: tag)
  }

  @usableFromInline
  func collectIfPossible<Service: Sendable>(_ service: Service.Type, _ tag: Tag?) throws(InjectorError) -> Service? {
    guard let collection = service as? any Collecting.Type else { return nil }
    return try collection.collect(from: self, tag) as? Service
  }
}
