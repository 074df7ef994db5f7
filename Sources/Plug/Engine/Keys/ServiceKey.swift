/// What is registered: a type, and the tag that tells two of it apart.
@usableFromInline
struct ServiceKey: Sendable {
  @usableFromInline let service: any Any.Type
  @usableFromInline let tag: Injector.Tag?

  @inlinable
  init(_ service: any Any.Type, _ tag: Injector.Tag?) {
    self.service = service
    self.tag = tag
  }

  /// The keys of services, all with one tag, or with none.
  static func each<each Service: Sendable>(
    _ services: repeat (each Service).Type, tag: Injector.Tag? = nil
  ) -> [ServiceKey] {
    var keys: [ServiceKey] = []
    repeat keys.append(ServiceKey(each services, tag))
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
