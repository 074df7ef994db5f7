// What registrations elsewhere say about a missing service.

extension Injector {
  /// The registrations whose instances could answer requests for a key, if they were registered as that service.
  func undeclared(_ key: Key) -> [Registration] {
    guard isExistential(key.type) || key.type is AnyClass else { return [] }
    // The type `any P.Type`, which the runtime cannot name for a private protocol.
    let suffix = isExistential(key.type) ? "Xp" : "m"
    guard let metatype = _mangledTypeName(key.type).flatMap({ _typeByName($0 + suffix) }) else { return [] }
    func registrations<Metatype>(of type: Metatype.Type) -> [Registration] {
      levels.flatMap(\.registrations).filter { $0.key.tag == key.tag && $0.key.type is Metatype }
    }
    return registrations(of: metatype)
  }

  /// What to do about a missing service that is registered as its own type or in another injector, or whose injector
  /// does not exist.
  func remedy(for key: Key) -> String? {
    if let own = undeclared(key).map(\.key.text).min() {
      return "\(own) is registered as \(own): register it as \(codeName(key.type)).self"
    }
    func expression(_ name: Name?) -> String { Injector.Path.root(name: name?.rawValue).expression ?? "" }
    // Many injectors may have a string, which says nothing about this one.
    let others = qualifiedName(key.type).hasPrefix("Swift.") ? [] : Environment.injectors(in: sandbox)
    let having = others.compactMap { other in other.visibleCell(of: key).map { (other.name, $0.registration.location) }
    }
    if let (other, location) = having.first(where: { $0.0 == name }) ?? having.first {
      let (injector, place) = (expression(other), "registered at \(location)")
      return other == name
        ? "Create \(injector) before you use its name: another injector of that name has the service, \(place)"
        : "Ask \(injector), where it is \(place)"
    }
    if !isMadeForItsName { return nil }
    return "Create the injector at launch. If a global or static let creates it, use that there: it is made lazily"
  }

  /// Whether no injector had the name when it was looked up, so that this one was made for it.
  var isMadeForItsName: Bool {
    guard let name, name != .default else { return false }
    let original = state.withLock { $0.origin?.injector }
    return name.environment.madeForName === (original ?? self)
  }
}

extension Environment {
  /// The open injectors with names, in the order of these, of a sandbox and of the program.
  fileprivate static func injectors(in sandbox: UInt) -> [Injector] {
    let environments = all
    return alphabeticalOrder(of: environments.map(\.name)).map { environments[$0] }.flatMap { environment in
      let created = [sandbox, 0].map { environment.created(in: $0) { !$0.isClosedItself } }
      return (created + [environment.madeForName]).compactMap(\.self)
    }
  }
}
