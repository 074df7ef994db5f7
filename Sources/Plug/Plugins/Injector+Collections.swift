extension Injector {
  /// Gets every implementation of a service that applies, by the ids of the candidates; none if it is not registered.
  ///
  /// A registration without a rule has the id `"default"`. As a parameter of a `wiring:` initializer, or as an ``Injected``
  /// property, `[String: any Service]` is the same, and `[any Service]` what ``getAll(_:tag:fileID:line:)`` gives, unless
  /// something is registered for that type itself. A collection of a concrete type, such as `[String]`, is an error while
  /// nothing is registered for its elements.
  ///
  /// - Throws: ``InjectorError/contextMissing(_:context:)``, or what went wrong while an instance was made.
  public func getAllByID<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> [String: Service] {
    try withActiveInjector(type, tag, fileID, line) { injector throws(InjectorError) in
      try injector.dictionary(of: type, tag) ?? [:]
    }
  }

  /// Gets every implementation of a service that applies in a context, by the ids of the candidates; none if it is not
  /// registered.
  ///
  /// - Throws: ``InjectorError/contextMismatch(_:expected:found:)``, or what went wrong while an instance was made.
  public func getAllByID<Service: Sendable, Context: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, in context: Context, fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(InjectorError) -> [String: Service] {
    try withActiveInjector(type, tag, fileID, line) { injector throws(InjectorError) in
      let entry = try injector.lookUp(type, tag, isOptional: true, givesContext: true)
      return try entry?.identified(in: context, for: injector).reduce(into: [:]) { $0[$1.id] = $1.service } ?? [:]
    }
  }

  /// Gets every implementation that applies of all that is registered for a service: here, then in what this is a scope of,
  /// one after the other.
  ///
  /// What a scope registers takes the place of what it inherits; this gives both.
  ///
  /// - Throws: ``InjectorError/contextMissing(_:context:)``, or what went wrong while an instance was made.
  public func getAllInherited<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> [Service] {
    try withActiveInjector(type, tag, fileID, line) { injector throws(InjectorError) in
      var services: [Service] = []
      for level in sequence(first: injector, next: \.parent) {
        let registered = level.registrations.entry(type, tag)
        if level.registrations.isClosed { throw injector.closed(type, tag) }
        guard let entry = registered else { continue }
        if level.depth > 0 { try level.refuseCapture(of: entry, keptAt: level.depth) }
        if registrations.instrumentation.isActive { level.note(type, tag, true, false) }
        let seen: Entry<Service> = injector.overlaid(entry, registeredAt: level.depth)
        services += try seen.all(for: injector)
      }
      return services
    }
  }

  /// Gets every implementation of a service that applies in several environments, one after the other.
  ///
  /// ```swift
  /// let plugins = try Injector.getAll((any Plugin).self, across: [.app, .extensions])
  /// ```
  ///
  /// - Throws: What ``getAll(_:tag:fileID:line:)`` throws in one of them.
  public static func getAll<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, across names: [Name], fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(InjectorError) -> [Service] {
    var services: [Service] = []
    for name in names { services += try Injector[name].getAll(type, tag: tag, fileID: fileID, line: line) }
    return services
  }
}
