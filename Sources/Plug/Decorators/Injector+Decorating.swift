import Synchronization

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
  /// A scope decorates what it has registered or inherits. If it decorates an inherited service, it registers the
  /// service: its instances wrap the inherited ones. An instance that is kept around the scope is wrapped once for the
  /// scope and the scopes in it. Decorate a point where it is registered.
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
  ///   ``InjectorError/notRegistered(_:)`` if there is nothing to decorate: in a scope, a service that is not
  ///   registered yet or an inherited point, and everywhere ``Injection/providedByScope`` or a collection of other
  ///   services;
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
    let injector = activeForSetUp(at: location)
    if let actor = isolation.unsupportedActor {
      throw .actorUnsupported(InjectorError.Facts(about: key, in: injector), actor: actor)
    }
    if injector.isScope, let declare { _ = try injector.declared(key, declare) }
    try injector.decorate(key, by: decoration)
  }

  private func decorate(_ key: Key, by decoration: Decoration) throws(InjectorError) {
    while true {
      let present = try changeable(key)
      let known = attachment(Decorations.self)
      let decorations = (known ?? Decorations()).adding(decoration, for: key)
      var (old, new, inherited): ([Cell], [Cell], [Registration]) = ([], [], [])
      for key in Set(levels.flatMap(\.registrations).filter { $0.key.served == key }.map(\.key)) {
        let own = registeredCell(of: key)
        if let own, !own.registration.recipe.needs.isAbsent {
          old.append(own)
          new.append(own.decorated(by: [decoration]))
        } else if own == nil, let cell = try parent?.cell(of: key) {
          if cell.selector != nil { throw undecorated(key, cell.registration) }
          guard let own = inheriting(cell, decorations) else { continue }
          new.append(own)
          inherited.append(cell.registration)
        }
      }
      if new.isEmpty {
        let found = try cell(of: key)?.registration
        let isPlaceholder = found?.recipe.needs.isAbsent == true
        if isScope || isPlaceholder || key.derivation != nil { throw undecorated(key, isPlaceholder ? found : nil) }
      }
      switch replace(old, by: new, inherited, present, decorations) {
      case .done: return withExtendedLifetime(known) {}
      case .changed: continue
      case .begun(let registration):
        var facts = InjectorError.Facts(about: key, in: self)
        facts.values.registeredAt = registration.location
        throw .instanceExists(facts)
      }
    }
  }

  /// The error for a service that has no instances of this injector.
  ///
  /// - Parameter found: The inherited choice, or the placeholder for services of scopes; `nil` if there is neither.
  private func undecorated(_ key: Key, _ found: Registration?) -> InjectorError {
    guard let found else { return absence(of: key, .isDecoration) }
    var facts = InjectorError.Facts(about: key, in: self)
    facts[.isDecoration] = true
    facts.values.registeredAt = found.location
    if found.isChoice {
      facts.values.otherInjector = Injector.Path(level(at: found.depth)).text ?? "(unnamed)"
    }
    return .notRegistered(facts)
  }

  private enum Outcome {
    case done
    /// Something else has changed since the cells were read.
    case changed
    /// There is an instance of the registration.
    case begun(Registration)
  }

  /// Registers decorated cells, the first ones in place of the old cells, and keeps the decorators for later ones.
  private func replace(
    _ old: [Cell], by new: [Cell], _ inherited: [Registration], _ present: Present, _ decorations: Decorations
  ) -> Outcome {
    state.withLock { state in
      guard state.phase == .open, state.changes == present.changes else { return .changed }
      let begun = state.kept.cells.first { own in
        own.isOwn && inherited.contains { $0 === own.registration } && own.claim.withLock { $0.attempt > 0 }
      }
      if let begun = begun ?? Cell.retire(unbegun: old.flatMap(\.parts)) { return .begun(begun.registration) }
      for cell in new { state.table.insert(cell) }
      for (old, new) in zip(old, new) {
        for (part, next) in zip(old.parts, new.parts) where part.registration.isHandedIn {
          state.kept.replace(part, by: next)
        }
      }
      state.setAttachment(decorations, for: ObjectIdentifier(Decorations.self))
      shortWay.open(nil)
      return .done
    }
  }
}

extension Cell {
  /// Retires registered cells, unless an instance of one of them has been begun, here or in a scope.
  ///
  /// - Returns: The cell with the instance; `nil` if all are retired.
  static func retire(unbegun cells: [Cell]) -> Cell? {
    for (index, cell) in cells.enumerated() where !cell.retireIfUnbegun() {
      for retired in cells[..<index] {
        retired.claim.withLock { $0.restore(hasInstance: retired.registration.hasInstance) }
        retired.use.bitwiseAnd(~gone, ordering: .acquiringAndReleasing)
      }
      return cell
    }
    return nil
  }

  private func retireIfUnbegun() -> Bool {
    claim.withLock { claim in
      if claim.attempt > 0 || claim.isRetired { return false }
      guard use.compareExchange(expected: 0, desired: Self.gone, ordering: .acquiringAndReleasing).exchanged else {
        return false
      }
      _ = claim.retire(isHandedIn: false)
      return true
    }
  }
}
