extension Injector {
  /// Registers a point: all its candidates become implementations of its service.
  ///
  /// Candidates that are registered one by one come after those of the point, and a registration without a rule comes
  /// last.
  ///
  /// - Returns: The injector, for the next registration.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` if the service has another point and the injector does not allow
  ///   rewriting, or if two candidates have one id; ``InjectorError/contextMismatch(_:expected:found:)`` if candidates with another type of
  ///   context are there already; ``InjectorError/actorUnsupported(_:actor:)``, ``InjectorError/sealed(_:)``,
  ///   ``InjectorError/depthExceeded(_:depth:)``.
  @discardableResult
  public func register<Service, Context>(
    _ point: PluginPoint<Service, Context>, tag: Tag? = nil
  ) throws(InjectorError) -> Injector {
    if point.isTooDeep { throw PluginPoint<Service, Context>.depthExceeded(point.id, point.location) }
    let injector = isolatedForSetUp(at: point.location)
    for candidate in point.elements.flatMap(\.candidates) { try injector.check(candidate.makeCell(tag: tag)) }
    try injector.changing(Service.self, tag: tag) { entry throws(Refusal) in
      try Replacement.registering(point, over: entry, tag: tag, allowRewrite: allowRewrite)
    }
    return self
  }

  /// Registers one more candidate for a service, for example from a module that adds an implementation.
  ///
  /// ```swift
  /// try services.register(as: Search.self, injectable: .factory { Mine() }, when: Rule<Shopper>.feature("mine"))
  /// ```
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: Its tag.
  ///   - injection: How an instance is made, and how long it lives.
  ///   - rule: When the candidate applies. All candidates of a service have rules on one type of context; where it is
  ///     not told by a property in the rule, name it: `Rule<Shopper>.feature("mine")`.
  ///   - id: The name of the candidate; by default the place of this call.
  ///   - priority: Candidates with a higher priority come first.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The injector, for the next registration.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` if a candidate has the id and the injector does not allow rewriting;
  ///   ``InjectorError/contextMismatch(_:expected:found:)``, ``InjectorError/actorUnsupported(_:actor:)``,
  ///   ``InjectorError/sealed(_:)``.
  @discardableResult
  public func register<Service: Sendable, Context>(
    as type: Service.Type = Service.self, tag: Tag? = nil, injectable injection: Injection<Service>,
    when rule: Rule<Context>, id: String? = nil, priority: Int = 0, fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) -> Injector {
    let id = id ?? "\(CodeLocation(fileID: fileID, line: line))"
    let candidate = Candidate<Service, Context>(id, injection, priority: priority, fileID: fileID, line: line)
    let injector = isolatedForSetUp(at: candidate.location)
    try injector.check(candidate.makeCell(tag: tag))
    try injector.changing(type, tag: tag) { entry throws(Refusal) in
      try Replacement.adding(candidate.when(rule), to: entry, tag: tag, allowRewrite: allowRewrite)
    }
    return self
  }

  /// Gets the winner among a service's candidates for a context.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: Its tag.
  ///   - context: What the candidates' rules look at. A registration without a rule applies in every context.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: ``InjectorError/notRegistered(_:)``, ``InjectorError/noCandidate(_:_:)``,
  ///   ``InjectorError/contextMismatch(_:expected:found:)``, or what went wrong while the instance was made.
  @inlinable
  public func get<Service: Sendable, Context: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, in context: Context, fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(InjectorError) -> Service {
    try withActiveInjector(type, tag, fileID, line) { injector throws(InjectorError) in
      guard let entry: Entry<Service> = try injector.lookUp(type, tag, givesContext: true) else {
        return try injector.derive(type, tag, in: context)
      }
      if let service = try entry.first(in: context, for: injector) { return service }
      throw entry.noCandidate(in: context, for: injector)
    }
  }

  /// Gets every implementation of a service that applies in a context, in order; none if it is not registered.
  ///
  /// - Throws: ``InjectorError/contextMismatch(_:expected:found:)``, or what went wrong while an instance was made.
  @inlinable
  public func getAll<Service: Sendable, Context: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, in context: Context, fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(InjectorError) -> [Service] {
    try withActiveInjector(type, tag, fileID, line) { injector throws(InjectorError) in
      try injector.lookUp(type, tag, isOptional: true, givesContext: true)?.all(in: context, for: injector) ?? []
    }
  }

  /// Says of every candidate of a service whether it applies in a context, and why. Makes no instance of the service.
  ///
  /// - Throws: ``InjectorError/notRegistered(_:)``, ``InjectorError/contextMismatch(_:expected:found:)``.
  public func explain<Service: Sendable, Context: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, in context: Context
  ) throws(InjectorError) -> Explanation {
    let injector = isolated()
    return try injector.entry(type, tag, givesContext: true).explain(in: context, for: injector)
  }

  /// Says of every candidate of a service whether it applies in the context that the injector has, and why; and what
  /// the service is made of, with lifetimes. Makes no instance of the service.
  ///
  /// - Throws: ``InjectorError/notRegistered(_:)``, ``InjectorError/contextMissing(_:context:)``, or what
  ///   went wrong while the context was made.
  public func explain<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil
  ) throws(InjectorError) -> Explanation {
    let injector = isolated()
    var explanation = try injector.entry(type, tag).explain(for: injector)
    explanation.construction = try injector.graph(of: type, tag: tag)
    return explanation
  }

  @inlinable
  func entry<Service: Sendable>(
    _ type: Service.Type, _ tag: Tag?, givesContext: Bool = false
  ) throws(InjectorError) -> Entry<Service> {
    guard let entry = try lookUp(type, tag, givesContext: givesContext) else { throw absence(of: type, tag: tag) }
    return entry
  }
}
