extension Injector {
  /// Registers an implementation of a service.
  ///
  /// ```swift
  /// try services.register(
  ///   as: Networking.self, injectable: .lazySingleton { HTTPNetworking() })
  /// ```
  ///
  /// If the service also has candidates, this registration is the fallback: it always applies and comes last. In a
  /// scope, it replaces what the scope inherits for the service.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the injection.
  ///   - tag: Distinguishes the service from others of the same type.
  ///   - injection: How an instance is made, and how long it lives.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` unless the injector allows rewriting;
  ///   ``InjectorError/actorUnsupported(_:actor:)``, ``InjectorError/lifetimeUnsupported(_:lifetime:reason:)``,
  ///   ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``. A registration that throws changes nothing.
  @discardableResult
  @inlinable
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, injectable injection: Injection<Service>,
    fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) -> Injector {
    try register(
      injection.makeCell(Declaration(type, tag: tag, location: CodeLocation(fileID: fileID, line: line))))
    return self
  }

  /// Registers a lazy singleton made by a closure.
  ///
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: What ``register(as:tag:injectable:fileID:line:)`` throws.
  @discardableResult
  @inlinable
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) throws(InjectorError) -> Injector {
    try register(Injection.Factory(make), type, tag, fileID, line)
    return self
  }

  /// Registers a lazy singleton made from other services.
  ///
  /// ```swift
  /// try services.register { try Repository(network: $0.get()) }
  /// ```
  ///
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: What ``register(as:tag:injectable:fileID:line:)`` throws.
  @discardableResult
  @inlinable
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) throws(InjectorError) -> Injector {
    try register(Injection.Factory(make), type, tag, fileID, line)
    return self
  }

  /// Removes everything registered for a service, or one of its candidates, and releases the instances. Scopes inside
  /// keep what they have made of it until they are closed, but give it to nobody any more.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  ///   - candidate: The id of the candidate to remove; `nil` to remove everything.
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: ``InjectorError/notRegistered(_:)``; ``InjectorError/argumentsMismatch(_:expected:found:)`` if the
  ///   service is registered with arguments only; ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``.
  @discardableResult
  public func unregister<Service: Sendable>(
    type: Service.Type, tag: Tag? = nil, candidate: String? = nil
  ) throws(InjectorError) -> Injector {
    try isolatedForSetUp().changing(type, tag: tag, candidate: candidate) { entry throws(Refusal) in
      guard let entry else { throw .missing }
      return try candidate.map { id throws(Refusal) in try entry.removing(candidate: id) } ?? nil
    }
    return self
  }

  /// Returns whether anything is registered for a service here or in an injector around this one, even with arguments
  /// only.
  ///
  /// Use ``isRegistered(type:tag:taking:_:)`` to check for particular arguments.
  ///
  /// - Complexity: O(1); in a scope, O(*n*) for *n* injectors it is inside of.
  public func isRegistered<Service: Sendable>(type: Service.Type, tag: Tag? = nil) -> Bool {
    let levels = isolated().registrations.levels
    return levels.contains { $0.has(ServiceKey(type, tag)) }
      || levels.contains { !$0.argumentEntries(for: ServiceKey(type, tag)).isEmpty }
  }

  /// Validates the injector and fixes its registrations: from now on every change throws ``InjectorError/sealed(_:)``.
  ///
  /// Lazy singletons that have not been made yet are still made on their first request. Sealing twice has no further
  /// effect.
  ///
  /// ```swift
  /// try services.seal(.complete)
  /// ```
  ///
  /// - Parameter validation: Whether closures whose dependencies are unknown pass.
  /// - Throws: ``InjectorError/invalid(_:_:)`` if ``validate(_:)`` finds problems; then the injector is not sealed.
  ///   ``InjectorError/closed(_:)``.
  public func seal(_ validation: Validation = .known) throws(InjectorError) {
    let injector = isolatedForSetUp()
    if injector.registrations.isClosed || GraphAnalysis(injector).hasProblems(validation) {
      try injector.validateAsIs(validation)
    }
    injector.registrations.seal()
  }

  /// Whether the registrations are fixed.
  public var isSealed: Bool { isolated().registrations.isSealed }
}

extension Injector {
  /// Registers a lazy singleton.
  @usableFromInline
  func register<Service: Sendable>(
    _ factory: consuming Injection<Service>.Factory, _ type: Service.Type, _ tag: Tag?, _ fileID: String, _ line: Int
  ) throws(InjectorError) {
    let location = CodeLocation(fileID: fileID, line: line)
    try register(Cell(factory, .lazySingleton, declaration: Declaration(type, tag: tag, location: location)))
  }

  @usableFromInline
  func register<Service: Sendable>(_ cell: Cell<Service>) throws(InjectorError) {
    if registrations.instrumentation.isActive {
      let injector = isolatedForSetUp(at: cell.declaration.location)
      if injector !== self { return try injector.register(cell) }
    }
    try check(cell)
    try reservingPlace(of: cell) { () throws(InjectorError) in
      if registrations.add(cell) {
        if cell.isClosable { keepHandedIn([cell]) }
        return
      }
      try changing(Service.self, tag: cell.tag) { entry throws(Refusal) in
        try Replacement.registering(cell, over: entry, allowRewrite: allowRewrite)
      }
    }
  }

  func register<Service, First, each Rest>(
    _ entry: ArgumentsEntry<Service, First, repeat each Rest>
  ) throws(InjectorError) {
    let injector = isolatedForSetUp(at: entry.location)
    try injector.check(entry)
    try injector.reportingRefusal(entry.key, candidate: nil) { () throws(Refusal) in
      try injector.registrations.replace(entry.key, by: entry, ignoringSeal: false) { _ in
        !allowRewrite
      }
    }
  }

  /// Changes the entry of a service, and reports a refusal with all facts.
  func changing<Service: Sendable>(
    _ type: Service.Type, tag: Tag?, candidate: String? = nil, ownerWasReleased: Bool = false,
    _ change: (Entry<Service>?) throws(Refusal) -> Entry<Service>?
  ) throws(InjectorError) {
    try reportingRefusal(ServiceKey(type, tag), candidate: candidate) { () throws(Refusal) in
      try registrations.change(type, tag, ownerWasReleased: ownerWasReleased, change)
    }
  }

  /// Replaces or removes what is stored under a key, and reports a refusal with all facts. In an isolated test, the
  /// injector may be sealed.
  func replace<Key: TypedKey>(
    _ key: Key.Type, tag: Tag? = nil, by new: Key.Stored?, unless isFinal: (AnyEntry) -> Bool = { _ in false }
  ) throws(InjectorError) {
    try reservingPlace(of: new) { () throws(InjectorError) in
      try reportingRefusal(ServiceKey(key, tag), candidate: nil) { () throws(Refusal) in
        try registrations.replace(ServiceKey(key, tag), by: new, ignoringSeal: isPrivate, unless: isFinal)
      }
    }
    for outer in levels.dropFirst() {
      guard let inherited = outer.registrations.entry(ObjectIdentifier(key), tag) else { continue }
      return supersede(inherited, registeredAt: outer.depth)
    }
  }

  func reportingRefusal(
    _ key: ServiceKey, candidate: String?,
    _ change: () throws(Refusal) -> (old: AnyEntry?, new: AnyEntry?)
  ) throws(InjectorError) {
    do throws(Refusal) {
      let (old, new) = try change()
      if old != nil || new != nil { exchange(old, for: new) }
    } catch {
      var facts = InjectorError.Facts(about: key, candidate: candidate, in: self)
      switch error {
      case .registered(let location, let candidate):
        facts = InjectorError.Facts(about: key, candidate: candidate, in: self)
        facts.registeredAt = location
        throw .alreadyRegistered(facts)
      case .otherContext(let expected, let found, let location):
        facts.registeredAt = location
        throw .contextMismatch(facts, expected: expected, found: found)
      case .sealed(let location):
        facts.registeredAt = location
        throw .sealed(facts)
      case .made(let location):
        facts.registeredAt = location
        throw .instanceExists(facts)
      case .closed:
        throw closed(facts)
      case .missing:
        throw absence(of: key, candidate: candidate, isRemoval: true)
      }
    }
  }

  /// Rejects an injection that cannot work.
  ///
  /// - Parameters:
  ///   - isLoadable: Whether the instance can be loaded asynchronously.
  ///   - point: The id of the point the cell is a candidate of, if the point is used by itself.
  func check<Service>(_ cell: Cell<Service>, isLoadable: Bool = true, of point: String? = nil) throws(InjectorError) {
    let lifetime = cell.kind
    let isKept = lifetime == .lazySingleton || lifetime == .scoped
    if isKept, cell.withFactory({ $0.isolation == .none && $0.extras == nil }) { return }
    let (isolation, extras) = cell.withFactory { ($0.isolation, $0.extras) }
    if let actor = isolation.unsupportedActor {
      throw .actorUnsupported(refusal(of: cell, of: point), actor: actor)
    }
    if !isKept || !isLoadable, let actor = extras?.loader?.actor {
      throw .actorUnsupported(refusal(of: cell, of: point), actor: actor)
    }
    let reason: InjectorError.LifetimeRefusal
    if !isKept, extras?.isEager == true, lifetime != .singleton {
      reason = .cannotBeEager
    } else if lifetime == .weakSingleton, WeakInstance<Service>.isFutile {
      reason = .valueType(typeName(Service.self))
    } else if lifetime == .weakSingleton || !lifetime.isKept, cell.isClosable {
      reason = .cannotBeClosed
    } else {
      return
    }
    throw .lifetimeUnsupported(refusal(of: cell, of: point), lifetime: lifetime, reason: reason)
  }

  /// Rejects a registration with arguments that cannot work.
  func check<Service, First, each Rest>(
    _ entry: ArgumentsEntry<Service, First, repeat each Rest>
  ) throws(InjectorError) {
    if let actor = entry.isolation.unsupportedActor { throw .actorUnsupported(refusal(of: entry), actor: actor) }
  }

  private func refusal(of entry: AnyEntry, of point: String? = nil) -> InjectorError.Facts {
    let declaration = entry.declaration
    var facts = InjectorError.Facts(about: declaration.key, candidate: declaration.candidate, in: self)
    if let point { (facts.point, facts.registeredAt) = (point, declaration.location) }
    return facts
  }

  /// Releases the instances of a replaced entry, and keeps those of the new one that were handed in with a closing.
  private func exchange(_ old: AnyEntry?, for new: AnyEntry?) {
    guard old !== new else { return }
    if let old { forgetArguments(of: old) }
    if let old, instanceStore.withLock({ !$0.cells.isEmpty }) {
      let staying = Set((new?.parts ?? []).map(\.keptAs))
      giveUp(old.parts.filter { !staying.contains($0.keptAs) })
    }
    guard let new, new.isClosable else { return }
    let known = Set((old?.parts ?? []).map(\.keptAs))
    keepHandedIn(new.parts.filter { !known.contains($0.keptAs) })
  }
}
