extension Injector {
  /// Decorates every instance of a service that this injector registers.
  ///
  /// ```swift
  /// try services.decorate((any SearchProvider).self, id: "logging") {
  ///   inner, injector in
  ///   LoggingSearch(inner, log: try injector.get())
  /// }
  /// ```
  ///
  /// The service can be registered before or after its decorator, with any lifetime and with any number of candidates.
  /// Each instance is decorated once, when it is made. Decorators apply in the order of their declaration.
  ///
  /// If a scope decorates an inherited service, it registers the service: its own instance wraps the inherited one. It
  /// keeps that instance, unless the service is made for each request. Decorate a point where it is registered.
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
  /// - Throws: ``InjectorError/instanceExists(_:)`` if an undecorated instance has been begun, here or in a scope;
  ///   ``InjectorError/actorUnsupported(_:actor:)``, ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``. A
  ///   decoration that throws changes nothing.
  public func decorate<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, id: String? = nil, fileID: String = #fileID,
    line: Int = #line, _ wrap: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Service
  ) throws(InjectorError) {
    try decorate(Key(type, tag), id: id, at: CodeLocation(fileID: fileID, line: line), wrap)
  }
}

// How a decorator is added.

extension Injector {
  /// Adds a decorator.
  ///
  /// - Parameter declare: Returns the registration of a provider, which has to exist before a scope can inherit it.
  func decorate<Service: Sendable>(
    _ key: Key, id: String?, at location: CodeLocation, declare: (() -> Registration)? = nil,
    _ wrap: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Service
  ) throws(InjectorError) {
    let isolation = FactoryIsolation(wrap.isolation)
    let wrap = erasingIsolation(of: wrap)
    let decoration = Decoration(id: id ?? "\(location)", location: location, isolation: isolation) { box, injector in
      Box<Service>(try wrap(box.open(as: Service.self), injector))
    }
    let injector = redirectedForSetUp(at: location) ?? self
    if let actor = isolation.unsupportedActor {
      throw .actorUnsupported(InjectorError.Facts(about: key, in: injector), actor: actor)
    }
    if injector.isScope, let declare { _ = try injector.declared(key, declare) }
    try injector.decorate(key, by: decoration)
  }

  private func decorate(_ key: Key, by decoration: Decoration) throws(InjectorError) {
    while true {
      let present = try changeable(key)
      let own = registrations.filter { $0.servedKey == key }.compactMap { ownCell(of: $0.key) }
      var new = own.map { $0.decorated(by: [decoration]) }
      for registration in levels.dropFirst().flatMap(\.registrations) where registration.servedKey == key {
        if registration.recipe.needs.isAbsent || new.contains(where: { $0.registration.key == registration.key }) {
          continue
        }
        if registration.isChoice { throw absence(of: key) }
        new.append(Cell(registration.inherited(by: self, [decoration], at: decoration.location)))
      }
      switch replace(own, by: new, present, decoration, key) {
      case .done: return
      case .changed: continue
      case .begun(let registration):
        var facts = InjectorError.Facts(about: key, in: self)
        facts.values.registeredAt = registration.location
        throw .instanceExists(facts)
      }
    }
  }

  private enum Outcome {
    case done
    /// Something else has changed since the cells were read.
    case changed
    /// There is an instance of the registration.
    case begun(Registration)
  }

  /// Registers the decorated cells in place of the others, and adds the decorator.
  private func replace(
    _ old: [Cell], by new: [Cell], _ present: Present, _ decoration: Decoration, _ key: Key
  ) -> Outcome {
    let pairs = zip(old, new).filter { $0 !== $1 }
    let known = attachment(Decorations.self)
    let decorations = (known ?? Decorations()).adding(decoration, for: key)
    let outcome = state.withLock { state in
      guard state.phase == .open, state.changes == present.changes else { return Outcome.changed }
      let begun = state.own.cells.first { $0.registration.servedKey == key && $0.claim.withLock { $0.attempt > 0 } }
      if let begun { return .begun(begun.registration) }
      if let cell = Cell.retire(unbegun: pairs.flatMap(\.0.parts)) { return .begun(cell.registration) }
      for cell in new { state.table.insert(cell) }
      for (old, new) in pairs {
        for (part, next) in zip(old.parts, new.parts) where part.registration.isHandedIn {
          state.kept.replace(part, by: next)
        }
      }
      state.setAttachment(decorations)
      state.changes += 1
      return .done
    }
    withExtendedLifetime(known) {}
    return outcome
  }
}
