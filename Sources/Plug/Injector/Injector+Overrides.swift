extension Injector {
  /// Replaces all that is registered for a service in an isolated test, sealed or not.
  @inlinable
  package func replaceAll<Service: Sendable>(
    of type: Service.Type, tag: Tag?, by injection: Injection<Service>, at location: CodeLocation
  ) throws(InjectorError) {
    try overwrite(with: injection.makeCell(Declaration(type, tag: tag, location: location)))
  }

  @usableFromInline
  func overwrite<Service: Sendable>(with cell: Cell<Service>) throws(InjectorError) {
    guard let sandbox = registrations.instrumentation.isActive ? Sandbox.current : nil else {
      throw .notIsolated(InjectorError.Facts(service: Service.self, tag: cell.tag, in: self))
    }
    try check(cell)
    if sandbox.putAside(cell, for: self) { return }
    try sandbox.copy(of: self).replace(ServiceKey(Service.self, cell.tag), by: cell)
  }

  /// Replaces what is registered for a service that is made from arguments in an isolated test, sealed or not.
  package func replaceAll<Service: Sendable, First: Sendable, each Rest: Sendable>(
    of type: Service.Type, tag: Tag?, taking first: First.Type, _ rest: repeat (each Rest).Type,
    at location: CodeLocation,
    by make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) {
    let key = ArgumentsKey<Service, First, repeat each Rest>.self
    let injector = try isolatedForChange(of: key, tag: tag)
    let levels = sequence(first: injector.registrations, next: \.parent)
    guard levels.contains(where: { $0.isClosed || $0.has(key, tag) }) else {
      throw injector.absence(of: key, tag: tag, isOverride: true)
    }
    let entry = ArgumentsEntry(make, .factory, declaration: Declaration(key, tag: tag, location: location))
    try injector.check(entry)
    try injector.replace(ServiceKey(key, tag), by: entry)
  }

  /// The private copy.
  ///
  /// - Throws: ``InjectorError/notIsolated(_:)`` if no test is isolated.
  package func isolatedForChange(of key: any Any.Type, tag: Tag? = nil) throws(InjectorError) -> Injector {
    if registrations.instrumentation.isActive, let sandbox = Sandbox.current { return sandbox.copy(of: self) }
    throw .notIsolated(InjectorError.Facts(service: key, tag: tag, in: self))
  }

  /// Replaces what is stored under a key in an isolated test, sealed or not.
  private func replace(_ key: ServiceKey, by new: AnyEntry) throws(InjectorError) {
    try reportingRefusal(key.service, tag: key.tag, candidate: nil) { () throws(Refusal) in
      try registrations.replace(key, by: new, ignoringSeal: true)
    }
  }

  /// Lets a candidate of a point always win, or never, in an isolated test, sealed or not.
  ///
  /// - Parameter point: The id of a point around it, or the name of the service.
  package func change(candidate id: String, at point: String, to change: CandidateOverride) throws(InjectorError) {
    guard registrations.instrumentation.isActive, let injector = Sandbox.current?.copy(of: self) else {
      throw .notIsolated(InjectorError.Facts(candidate: id, at: point, in: self))
    }
    for level in sequence(first: injector, next: \.parent) {
      let changes = level.registrations.entries.compactMap { entry in
        entry.changing(candidate: id, at: point, to: change).map { (entry.key, $0) }
      }
      for (key, changed) in changes {
        try level.replace(key, by: changed)
      }
      if !changes.isEmpty { return }
    }
    var facts = InjectorError.Facts(candidate: id, at: point, in: injector)
    let candidates = sequence(first: injector.registrations, next: \.parent).flatMap(\.entries).flatMap { entry in
      entry.candidatePaths.map { InjectorError.Suggestion(name: $0, registeredAt: entry.location) }
    }
    facts.nearestName = NearestName(.nearest(to: "\(id) at \(point)", among: candidates))
    throw .notRegistered(facts)
  }

  /// The requests that the calling thread is in, from the outermost to the innermost.
  package static var chain: [String] { ThreadContext.chain }
}

extension InjectorError.Facts {
  /// The facts about a candidate of a point, whatever its service.
  fileprivate init(candidate: String, at point: String, in injector: Injector) {
    self.init(.named(candidate, .candidate), in: .inner(names: injector.names))
    self.point = point
  }
}
