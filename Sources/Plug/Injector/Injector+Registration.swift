extension Injector {
  /// Registers an implementation of a service.
  ///
  /// ```swift
  /// try services.register(as: Networking.self, injectable: .lazySingleton { HTTPNetworking() })
  /// ```
  ///
  /// If candidates are registered for the service too, this one is the fallback: it always applies, and comes last.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: Tells it apart from others of the same type.
  ///   - injection: How an instance is made, and how long it lives.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` unless the injector allows rewriting,
  ///   ``InjectorError/actorUnsupported(_:actor:)``, ``InjectorError/sealed(_:)``. Nothing has changed then.
  @inlinable
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, injectable injection: Injection<Service>,
    fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) {
    try register(
      injection.makeCell(Subject(type, tag: tag, site: CodeLocation(fileID: fileID, line: line))))
  }

  /// Registers a lazy singleton.
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) throws(InjectorError) {
    let subject = Subject(type, tag: tag, site: CodeLocation(fileID: fileID, line: line))
    try register(Cell(Injection.Factory(make), .lazySingleton, subject: subject))
  }

  /// Registers a lazy singleton that is made from other services.
  ///
  /// ```swift
  /// try services.register { try Repository(network: $0.get()) }
  /// ```
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) throws(InjectorError) {
    let subject = Subject(type, tag: tag, site: CodeLocation(fileID: fileID, line: line))
    try register(Cell(Injection.Factory(make), .lazySingleton, subject: subject))
  }

  /// Removes all that is registered for a service, or one candidate of it. Its instances are released.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: Its tag.
  ///   - candidate: The id of one candidate; `nil` for everything.
  /// - Throws: ``InjectorError/notRegistered(_:)``, ``InjectorError/sealed(_:)``.
  public func unregister<Service: Sendable>(
    type: Service.Type, tag: Tag? = nil, candidate: String? = nil
  ) throws(InjectorError) {
    try isolatedForSetUp().changing(type, tag: tag, candidate: candidate) { entry throws(Refusal) in
      guard let entry else { throw .missing }
      return try candidate.map { id throws(Refusal) in try entry.removing(candidate: id) } ?? nil
    }
  }

  /// Whether something is registered for a service.
  public func isRegistered<Service: Sendable>(type: Service.Type, tag: Tag? = nil) -> Bool {
    sequence(first: isolated().registrations, next: \.parent).contains { $0.has(type, tag) }
  }

  /// Fixes the registrations: from now on every change throws ``InjectorError/sealed(_:)``.
  ///
  /// Lazy singletons that have not been made yet still are, when they are asked for. Sealing twice is sealing once.
  ///
  /// - Throws: ``InjectorError/invalid(_:_:)`` if ``validate()`` finds problems. Nothing is sealed then.
  public func seal() throws(InjectorError) {
    let injector = isolatedForSetUp()
    try injector.validateAsIs()
    injector.registrations.seal()
  }

  /// Whether the registrations are fixed.
  public var isSealed: Bool { isolated().registrations.isSealed }
}

extension Injector {
  @usableFromInline
  func register<Service: Sendable>(_ cell: Cell<Service>) throws(InjectorError) {
    let injector = isolatedForSetUp(at: cell.subject.site)
    if injector !== self { return try injector.register(cell) }
    try check(cell)
    if registrations.add(cell) {
      if cell.isClosable && cell.isHandedIn { _ = keep(cell) }
      return
    }
    try changing(Service.self, tag: cell.tag) { entry throws(Refusal) in
      try Replacement.registering(cell, over: entry, allowRewrite: allowRewrite)
    }
  }

  func register<Service, First, each Rest>(
    _ entry: ArgumentsEntry<Service, First, repeat each Rest>
  ) throws(InjectorError) {
    let injector = isolatedForSetUp(at: entry.site)
    try injector.check(entry)
    let key = entry.subject.service
    try injector.reportingRefusal(key, tag: entry.tag, candidate: nil) { () throws(Refusal) in
      try injector.registrations.replace(ServiceKey(key, entry.tag), by: entry, ignoringSeal: false) { _ in
        !allowRewrite
      }
    }
  }

  /// Changes the registry, and reports a refusal with all facts.
  func changing<Service: Sendable>(
    _ type: Service.Type, tag: Tag?, candidate: String? = nil, ownerWasReleased: Bool = false,
    _ change: (Entry<Service>?) throws(Refusal) -> Entry<Service>?
  ) throws(InjectorError) {
    try reportingRefusal(type, tag: tag, candidate: candidate) { () throws(Refusal) in
      try registrations.change(type, tag, ownerWasReleased: ownerWasReleased, change)
    }
  }

  /// Replaces what is stored under a key, or removes it, and reports a refusal with all facts. In an isolated test it
  /// does not matter whether the injector is sealed.
  func replace<Key: TypedKey>(
    _ key: Key.Type, tag: Tag? = nil, by new: Key.Stored?, unless isFinal: (AnyEntry) -> Bool = { _ in false }
  ) throws(InjectorError) {
    try reportingRefusal(key, tag: tag, candidate: nil) { () throws(Refusal) in
      try registrations.replace(ServiceKey(key, tag), by: new, ignoringSeal: isPrivate, unless: isFinal)
    }
  }

  func reportingRefusal(
    _ type: any Any.Type, tag: Tag?, candidate: String?,
    _ change: () throws(Refusal) -> (old: AnyEntry?, new: AnyEntry?)
  ) throws(InjectorError) {
    do throws(Refusal) {
      let (old, new) = try change()
      if old != nil || new != nil { exchange(old, for: new) }
    } catch {
      var facts = InjectorError.Facts(service: type, tag: tag, candidate: candidate, in: self)
      switch error {
      case .registered(let site, let candidate):
        facts = InjectorError.Facts(service: type, tag: tag, candidate: candidate, in: self)
        facts.registeredAt = site
        throw .alreadyRegistered(facts)
      case .otherContext(let expected, let found, let site):
        facts.registeredAt = site
        throw .invalidType(facts, expected: expected, found: found)
      case .sealed(let site):
        facts.registeredAt = site
        throw .sealed(facts)
      case .made(let site):
        facts.registeredAt = site
        throw .alreadyMade(facts)
      case .closed:
        throw .scopeClosed(facts)
      case .missing:
        throw absence(of: type, tag: tag, candidate: candidate, isRemoval: true)
      }
    }
  }

  /// Refuses what can be known not to work.
  func check<Service>(_ cell: Cell<Service>) throws(InjectorError) {
    if let actor = cell.factory.isolation.unsupportedActor { throw .actorUnsupported(refusal(of: cell), actor: actor) }
    let lifetime = cell.kind
    let isKept = lifetime == .lazySingleton || lifetime == .scoped
    if !isKept, let actor = cell.factory.extras?.loader?.actor {
      throw .actorUnsupported(refusal(of: cell), actor: actor)
    }
    if !isKept, cell.factory.extras?.isEager == true, lifetime != .singleton {
      throw .lifetimeUnsupported(refusal(of: cell), lifetime: lifetime, reason: .cannotBeEager)
    }
    if lifetime == .weakSingleton, WeakInstance<Service>.isFutile {
      throw .lifetimeUnsupported(refusal(of: cell), lifetime: lifetime, reason: .valueType(typeName(Service.self)))
    }
    if lifetime == .weakSingleton || !lifetime.isKept, cell.isClosable {
      throw .lifetimeUnsupported(refusal(of: cell), lifetime: lifetime, reason: .cannotBeClosed)
    }
  }

  /// Refuses what can be known not to work.
  func check<Service, First, each Rest>(
    _ entry: ArgumentsEntry<Service, First, repeat each Rest>
  ) throws(InjectorError) {
    if let actor = entry.isolation.unsupportedActor { throw .actorUnsupported(refusal(of: entry), actor: actor) }
    switch entry.lifetime {
    case .factory, .lazySingleton, .scoped: break
    case let other: throw .lifetimeUnsupported(refusal(of: entry), lifetime: other ?? .graph, reason: .takesArguments)
    }
  }

  private func refusal(of entry: AnyEntry) -> InjectorError.Facts {
    let subject = entry.subject
    return InjectorError.Facts(service: subject.service, tag: subject.tag, candidate: subject.candidate, in: self)
  }

  /// Gives up the instances of what has been replaced, and keeps those that were handed in with a closing.
  private func exchange(_ old: AnyEntry?, for new: AnyEntry?) {
    guard old !== new else { return }
    if let old { forgetArguments(of: old) }
    if let old, holdings.withLock({ !$0.kept.isEmpty }) {
      let staying = Set((new?.parts ?? []).map(ObjectIdentifier.init))
      giveUp(old.parts.filter { !staying.contains(ObjectIdentifier($0)) })
    }
    guard let new, new.isClosable else { return }
    let known = Set((old?.parts ?? []).map(ObjectIdentifier.init))
    for cell in new.parts where cell.isClosable && cell.isHandedIn && !known.contains(ObjectIdentifier(cell)) {
      _ = keep(cell)
    }
  }

  /// The error for a service that is not there, with the nearest name that is.
  @usableFromInline
  func absence(
    of type: any Any.Type, tag: Tag?, candidate: String? = nil, isRemoval: Bool = false,
    placeholder: CodeLocation? = nil
  ) -> InjectorError {
    var facts = InjectorError.Facts(service: type, tag: tag, candidate: candidate, in: self)
    facts.isRemoval = isRemoval
    facts.placeholder = placeholder
    facts.departure = registrations.departure(type, tag)
    let entries = sequence(first: registrations, next: \.parent).flatMap(\.entries)
    let wanted = type as? any AnyArgumentsKey.Type
    let expected = entries.compactMap { $0.argumentTypes(for: wanted?.service ?? type, tag) }
      .filter { wanted != nil || !$0.isEmpty }
    if !isRemoval, !expected.isEmpty {
      var facts = InjectorError.Facts(service: wanted?.service ?? type, tag: tag, in: self)
      facts.registeredAt = entries.first { $0.argumentTypes(for: wanted?.service ?? type, tag) != nil }?.site
      if let wanted { facts.form = .arguments(wanted.arguments) }
      return .argumentsMismatch(facts, expected: expected, found: wanted?.arguments ?? [])
    }
    let registered = entries.map(InjectorError.Neighbor.init).sorted {
      ($0.name, $0.registeredAt.description) < ($1.name, $1.registeredAt.description)
    }
    let name = serviceName(facts.service, tag: facts.tag)
    facts.nearest = Spelling.nearest(to: name, among: registered.map(\.name)).map { registered[$0] }
    return .notRegistered(facts)
  }
}

extension AnyEntry {
  /// The types of the arguments that it takes for a service; `nil` if it is for another.
  fileprivate func argumentTypes(for service: any Any.Type, _ tag: Injector.Tag?) -> [String]? {
    guard self.tag == tag else { return nil }
    if subject.service == service { return [] }
    guard let key = subject.service as? any AnyArgumentsKey.Type, key.service == service else { return nil }
    return key.arguments
  }
}

extension InjectorError.Neighbor {
  fileprivate init(_ entry: AnyEntry) {
    self.init(name: serviceName(entry.subject.service, tag: entry.tag), registeredAt: entry.site)
  }
}
