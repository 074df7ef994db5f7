extension Injector {
  /// Decorates every instance of a service that this injector or one of its scopes returns.
  ///
  /// ```swift
  /// try services.decorate((any SearchProvider).self, id: "logging") {
  ///   inner, injector in
  ///   LoggingSearch(inner, log: try injector.get())
  /// }
  /// ```
  ///
  /// The service can be registered before or after its decorator, with any lifetime and with any number of candidates.
  /// Each instance is decorated once, when it is made. Decorators apply in the order of their declaration, and
  /// a parent's decorators before a scope's.
  ///
  /// If a scope decorates an inherited service, its decorator wraps the inherited instance with its decorators. A
  /// service that a scope registered itself before its parent was decorated stays undecorated.
  ///
  /// A provider is not requested by its type. Decorate it with ``Provider/decorate(id:fileID:line:_:)``.
  ///
  /// ``Injection/configure(fileID:line:_:)`` and ``Injection/onClose(_:)-2kwn8`` receive the undecorated instance. The
  /// override of an isolated test is not decorated.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  ///   - id: The name of the decorator in graphs and ``explain(_:tag:)``; by default the source location of this
  ///     call.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - wrap: Receives an instance and the injector that received the request, and returns the instance that requests
  ///     get. The closure may be isolated to the main actor, and the instance is then made there.
  /// - Throws: ``InjectorError/instanceExists(_:)`` if an undecorated instance is in use, here or in a scope;
  ///   ``InjectorError/actorUnsupported(_:actor:)``, ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``. A
  ///   decoration that throws changes nothing.
  public func decorate<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, id: String? = nil, fileID: String = #fileID,
    line: Int = #line, _ wrap: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Service
  ) throws(InjectorError) {
    let key = Key(type, tag)
    try decorate(key, calledAs: key, id: id, at: CodeLocation(fileID: fileID, line: line), wrap)
  }
}

// How a decorator is added.

extension Injector {
  /// Adds a decorator.
  ///
  /// - Parameter name: The key that diagnostics show.
  func decorate<Service: Sendable>(
    _ key: Key, calledAs name: Key, id: String?, at location: CodeLocation,
    _ wrap: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Service
  ) throws(InjectorError) {
    let isolation = FactoryIsolation(wrap.isolation)
    let wrap = erasingIsolation(of: wrap)
    let decoration = Decoration(id: id ?? "\(location)", location: location, isolation: isolation) { box, injector in
      Box<Service>(try wrap(box.open(as: Service.self), injector))
    }
    let injector = redirectedForSetUp(at: location) ?? self
    if let actor = isolation.unsupportedActor {
      throw .actorUnsupported(InjectorError.Facts(about: name, in: injector), actor: actor)
    }
    try injector.decorate(key, by: decoration)
  }

  private func decorate(_ key: Key, by decoration: Decoration) throws(InjectorError) {
    var reserved: [Cell] = []
    var decorations: Decorations?
    do throws(InjectorError) {
      var checked = 0
      repeat {
        let made = cells.map(\.registration).filter { $0.maker != nil && $0.servedKey == key }
        let keys = [key] + made.map(\.key)
        // All are reserved before the first is decorated, so that a decoration that throws changes nothing.
        for key in keys { if let old = try undecorated(key, decoration).cell { try reserve(old, &reserved) } }
        checked = try reserveInherited(key, &reserved)
        decorations = updateAttachment(Decorations.self) { $0 ?? Decorations() }
        for overlay in decorations?.overlays(of: key) ?? [] { try reserve(overlay, &reserved) }
        for key in keys { try decorate(registered: key, by: decoration, &reserved) }
        // Installed before the decorator is added: from then on, requests look again until the hook answers them.
        if isScope, let decorations { Layers.install(decorations, in: self) }
      } while try !add(decoration, for: key, to: decorations, checked)
    } catch {
      for cell in reserved { cell.endDecorating() }
      throw error
    }
    for cell in reserved { cell.endDecorating(isReplaced: true) }
  }

  private func decorate(
    registered key: Key, by decoration: Decoration, _ reserved: inout [Cell]
  ) throws(InjectorError) {
    while true {
      let (present, cell) = try undecorated(key, decoration)
      guard let cell else { return }
      try reserve(cell, &reserved)
      if replace(present, by: cell.decorated(by: [decoration]), key, ifUnused: true) { return }
    }
  }

  /// The cell of a key, if it has yet to be decorated.
  private func undecorated(
    _ key: Key, _ decoration: Decoration
  ) throws(InjectorError) -> (present: Present, cell: Cell?) {
    let present = try changeable(key)
    let isDone = present.cell.map { $0.isFixed || $0.isDecorated(by: decoration) } ?? true
    return (present, isDone ? nil : present.cell)
  }

  /// Decorates the registered and the inherited service from now on.
  ///
  /// - Parameter checked: How many inherited services the scopes in this one had used when the check found no conflict.
  /// - Returns: `false` if another thread has registered or made an instance since the check.
  private func add(
    _ decoration: Decoration, for key: Key, to decorations: Decorations?, _ checked: Int
  ) throws(InjectorError) -> Bool {
    guard let decorations else { return true }  // Closed.
    // The replaced objects are released outside the lock.
    let outcome = state.withLock { state -> (isAdded: Bool, old: [Decorations.Overlay])? in
      guard state.usedInside.count == checked else { return nil }
      for cell in state.cells where cell.registration.servedKey == key {
        if !cell.isFixed, !cell.isDecorated(by: decoration) { return nil }
      }
      for cell in state.own.cells where cell.registration.servedKey == key && cell.registration.depth < depth {
        if !cell.claim.withLock({ $0.isGone }) { return nil }  // A request has begun to make it meanwhile.
      }
      noteChange()
      return decorations.add(decoration, for: key)
    }
    if let outcome, !outcome.isAdded, let used = outcome.old.first { throw instanceExists(used.inner) }
    return outcome != nil
  }

  /// Reserves the cells of a registration, so that no request makes an undecorated instance.
  ///
  /// - Throws: `instanceExists` if a request has an undecorated instance.
  private func reserve(_ old: Cell, _ reserved: inout [Cell]) throws(InjectorError) {
    for cell in old.parts {
      let registration = cell.registration
      let isNew = !reserved.contains { $0 === cell }
      if isNew {
        let isUnused = !registration.isKept || registration.instance != nil && registration.hasInstance
        guard isUnused || cell.beginDecorating() else { throw instanceExists(registration) }
        reserved.append(cell)
      }
      // A scope may have begun to use the registration since then.
      if cell.isUsed { throw instanceExists(registration) }
      // From now on, no request makes another instance from arguments.
      if isNew, registration.maker != nil { try reserveOwn(&reserved) { $0.base === registration } }
    }
  }

  /// Reserves the cells that this injector has for inherited registrations, or for arguments.
  private func reserveOwn(
    _ reserved: inout [Cell], where isMeant: (Registration) -> Bool
  ) throws(InjectorError) {
    for cell in state.withLock({ $0.own.cells }) where isMeant(cell.registration) {
      // A cell without an instance can be reserved: its construction may have failed.
      guard cell.beginDecorating() else {
        throw instanceExists(cell.registration.base ?? cell.registration)
      }
      reserved.append(cell)
    }
  }

  /// Reserves the cells that this scope has for an inherited service.
  ///
  /// - Returns: How many inherited services the scopes in this one use.
  private func reserveInherited(_ key: Key, _ reserved: inout [Cell]) throws(InjectorError) -> Int {
    try reserveOwn(&reserved) { $0.servedKey == key && $0.depth < depth }
    let usedInside = state.withLock { $0.usedInside }
    for used in usedInside where used.servedKey == key && used.depth < depth {
      if try lookUp(used.key)?.registration === used { throw instanceExists(used) }
    }
    return usedInside.count
  }

  private func instanceExists(_ registration: Registration) -> InjectorError {
    var facts = InjectorError.Facts(about: registration.servedKey, in: self)
    facts.values.registeredAt = registration.location
    return .instanceExists(facts)
  }
}

extension Cell {
  fileprivate func isDecorated(by decoration: Decoration) -> Bool {
    parts.allSatisfy { part in
      part.registration.recipe.extras?.values.wraps.contains { $0.number == decoration.number } == true
    }
  }
}
