extension Injector {
  /// Replaces everything registered for a service in an isolated test, whether the injector is sealed or not.
  ///
  /// The replacement has no rule, so that it applies in every context. The service does not have to be registered.
  ///
  /// - Throws: ``InjectorError/notIsolated(_:)`` if the caller runs in no isolated test; ``InjectorError/closed(_:)``,
  ///   or what a registration of the injection throws.
  @inlinable
  package func replaceAll<Service: Sendable>(
    of type: Service.Type, tag: Tag?, by injection: Injection<Service>, at location: CodeLocation
  ) throws(InjectorError) {
    try overwrite(with: injection.makeCell(Declaration(type, tag: tag, location: location)))
  }

  /// Replaces the entry of the calling test's private copy, or keeps the cell for the copy that is made later.
  @usableFromInline
  func overwrite<Service: Sendable>(with cell: Cell<Service>) throws(InjectorError) {
    guard let sandbox = registrations.instrumentation.isActive ? Sandbox.current : nil else {
      throw .notIsolated(InjectorError.Facts(about: ServiceKey(Service.self, cell.tag), in: self))
    }
    try check(cell)
    if sandbox.putAside(cell, for: self) { return }
    try sandbox.copy(of: self).replace(ServiceKey(Service.self, cell.tag), by: cell)
  }

  /// Replaces what is registered for a service made from arguments in an isolated test, whether the injector is sealed
  /// or not.
  ///
  /// - Throws: ``InjectorError/notRegistered(_:)`` or ``InjectorError/argumentsMismatch(_:expected:found:)`` if nothing
  ///   is registered for these types of arguments, because an override with other arguments would never be used;
  ///   ``InjectorError/notIsolated(_:)`` if the caller runs in no isolated test; ``InjectorError/closed(_:)``.
  package func replaceAll<Service: Sendable, First: Sendable, each Rest: Sendable>(
    of type: Service.Type, tag: Tag?, taking first: First.Type, _ rest: repeat (each Rest).Type,
    at location: CodeLocation,
    by make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) {
    let key = ArgumentsKey<Service, First, repeat each Rest>.self
    let injector = try isolatedForChange(of: key, tag: tag)
    let levels = injector.registrations.levels
    guard levels.contains(where: { $0.isClosed || $0.has(ServiceKey(key, tag)) }) else {
      throw injector.absence(of: ServiceKey(key, tag), isOverride: true)
    }
    let entry = ArgumentsEntry(make, .factory, declaration: Declaration(key, tag: tag, location: location))
    try injector.check(entry)
    try injector.replace(ServiceKey(key, tag), by: entry)
  }

  /// Returns the calling test's private copy of the injector.
  ///
  /// - Throws: ``InjectorError/notIsolated(_:)`` if the caller runs in no isolated test.
  package func isolatedForChange(of key: any Any.Type, tag: Tag? = nil) throws(InjectorError) -> Injector {
    if registrations.instrumentation.isActive, let sandbox = Sandbox.current { return sandbox.copy(of: self) }
    throw .notIsolated(InjectorError.Facts(about: ServiceKey(key, tag), in: self))
  }

  /// Replaces the entry stored under a key, whether the injector is sealed or not.
  private func replace(_ key: ServiceKey, by new: AnyEntry) throws(InjectorError) {
    try reportingRefusal(key, candidate: nil) { () throws(Refusal) in
      try registrations.replace(key, by: new, ignoringSeal: true)
    }
  }

  /// Forces or disables a candidate in an isolated test.
  ///
  /// - Throws: What a switch throws; ``InjectorError/notIsolated(_:)`` if the caller runs in no isolated test.
  package func override(candidate id: String, at point: String, _ action: Switches.Switch.Action) throws(InjectorError)
  {
    guard registrations.instrumentation.isActive, let injector = Sandbox.current?.copy(of: self) else {
      throw .notIsolated(InjectorError.Facts(candidate: id, at: point, in: self))
    }
    try injector.apply(Switches.Switch(id, at: point, action, because: "the test says so"))
  }

  /// The requests the calling thread is answering, from the outermost to the innermost.
  package static var chain: [String] { ThreadContext.chain }
}

extension InjectorError.Facts {
  /// Collects the facts about a candidate of a point when its service is unknown.
  init(candidate: String, at point: String, in injector: Injector) {
    self.init(.named(candidate, .candidate), in: .inner(names: injector.names))
    self.point = point
  }
}
