extension Injector {
  /// Registers a plugin point: all of its candidates become implementations of its service.
  ///
  /// ```swift
  /// try services.register(
  ///   PluginPoint<any SearchProvider, Shopper>("search") {
  ///     Candidate("semantic") { SemanticSearch() }.when(.feature("semantic"))
  ///     Candidate("catalogue") { CatalogueSearch() }
  ///   })
  /// let search = try services.get((any SearchProvider).self, in: shopper)
  /// ```
  ///
  /// Candidates with a higher priority come first. Among those with the same priority, the candidates of the point come
  /// before candidates registered one by one. A registration without a rule is the fallback and always comes last.
  ///
  /// The injector makes its own instances. It shares none with the point, nor with another injector the point is
  /// registered in. In a scope, the point replaces what the scope inherits for the service.
  ///
  /// - Parameters:
  ///   - point: The point to register. Later changes of the variable do not change the registration.
  ///   - tag: Distinguishes the service from others of the same type.
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` if the service already has a point and the injector does not
  ///   allow rewriting, or if two candidates have the same id; ``InjectorError/contextMismatch(_:expected:found:)`` if
  ///   candidates with another type of context are registered; ``InjectorError/actorUnsupported(_:actor:)`` or
  ///   ``InjectorError/lifetimeUnsupported(_:lifetime:reason:)`` if an injection cannot work;
  ///   ``InjectorError/depthExceeded(_:depth:)`` if points are nested too deep; ``InjectorError/sealed(_:)``,
  ///   ``InjectorError/closed(_:)``. A registration that throws changes nothing.
  @discardableResult
  public func register<Service, Context>(
    _ point: PluginPoint<Service, Context>, tag: Tag? = nil
  ) throws(InjectorError) -> Injector {
    if point.isTooDeep { throw PluginPoint<Service, Context>.depthExceeded(point.id, point.location) }
    let injector = isolatedForSetUp(at: point.location)
    let cells = point.elements.flatMap(\.candidates).map { $0.makeCell(tag: tag) }
    for cell in cells { try injector.check(cell) }
    try injector.reservingPlaces(of: cells) { () throws(InjectorError) in
      try injector.changing(Service.self, tag: tag) { entry throws(Refusal) in
        try Replacement.registering(point, cells, over: entry, tag: tag, allowRewrite: allowRewrite)
      }
    }
    return self
  }

  /// Registers one more candidate for a service, for example from a module that adds an implementation.
  ///
  /// ```swift
  /// try services.register(
  ///   as: Search.self, injectable: .factory { Mine() },
  ///   when: Rule<Shopper>.feature("mine"))
  /// ```
  ///
  /// The candidate comes after those of a registered ``PluginPoint``, and before the registration without a rule. If
  /// several modules register candidates, the ones with equal priority stay in the order of their registration.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: Distinguishes the service from others of the same type.
  ///   - injection: How an instance is made, and how long it lives.
  ///   - rule: When the candidate applies. The rules of all candidates of a service have the same type of context. Name
  ///     that type if the compiler cannot infer it from a key path: `Rule<Shopper>.feature("mine")`.
  ///   - id: The id of the candidate; by default the source location of this call.
  ///   - priority: Candidates with a higher priority come first.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` if a candidate has the id and the injector does not allow
  ///   rewriting; ``InjectorError/contextMismatch(_:expected:found:)`` if the other candidates have another type of
  ///   context; ``InjectorError/actorUnsupported(_:actor:)``,
  ///   ``InjectorError/lifetimeUnsupported(_:lifetime:reason:)``, ``InjectorError/sealed(_:)``,
  ///   ``InjectorError/closed(_:)``. A registration that throws changes nothing.
  @discardableResult
  public func register<Service: Sendable, Context>(
    as type: Service.Type = Service.self, tag: Tag? = nil, injectable injection: Injection<Service>,
    when rule: Rule<Context>, id: String? = nil, priority: Int = 0, fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) -> Injector {
    let id = id ?? "\(CodeLocation(fileID: fileID, line: line))"
    let candidate = Candidate<Service, Context>(id, injection, priority: priority, fileID: fileID, line: line)
    try register(candidate, tag: tag) { entry, cell throws(Refusal) in
      try Replacement.adding(candidate.when(rule), cell, to: entry, tag: tag, allowRewrite: allowRewrite)
    }
    return self
  }

  /// Checks a candidate, and makes it part of what there is.
  func register<Service, Context>(
    _ candidate: Candidate<Service, Context>, tag: Tag?,
    _ add: (Entry<Service>?, Cell<Service>) throws(Refusal) -> Entry<Service>
  ) throws(InjectorError) {
    let injector = isolatedForSetUp(at: candidate.location)
    let cell = candidate.makeCell(tag: tag)
    try injector.check(cell)
    try injector.reservingPlace(of: cell) { () throws(InjectorError) in
      try injector.changing(Service.self, tag: tag) { entry throws(Refusal) in try add(entry, cell) }
    }
  }

  /// Gets the winning implementation of a service for a context.
  ///
  /// ```swift
  /// let search = try services.get((any SearchProvider).self, in: shopper)
  /// ```
  ///
  /// Rules are evaluated in order until the first candidate applies, and only the winner's instance is made. No lock is
  /// held while a rule runs.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - context: The value the candidates' rules look at. A registration without a rule applies in every context.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance of the first candidate that applies.
  /// - Throws: ``InjectorError/notRegistered(_:)``; ``InjectorError/noCandidate(_:_:)`` with an ``Explanation`` if no
  ///   candidate applies; ``InjectorError/contextMismatch(_:expected:found:)`` if the rules look at another type; or
  ///   what went wrong while the instance was made.
  /// - Complexity: O(*n*) rules for *n* candidates, fewer if an early one applies.
  @inlinable
  public func get<Service: Sendable, Context: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, in context: Context, fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(InjectorError) -> Service {
    try choose(type, tag, in: context, fileID, line)
  }

  /// Gets every implementation of a service that applies in a context, in order.
  ///
  /// ```swift
  /// let methods = try services.getAll((any PaymentMethod).self, in: shopper)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - context: The value the candidates' rules look at.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instances, the winner first; an empty array if the service is not registered or no candidate
  ///   applies.
  /// - Throws: ``InjectorError/contextMismatch(_:expected:found:)``, or what went wrong while an instance was made.
  /// - Complexity: O(*n*) rules for *n* candidates.
  @inlinable
  public func getAll<Service: Sendable, Context: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, in context: Context, fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(InjectorError) -> [Service] {
    try withActiveInjector(ServiceKey(type, tag), fileID, line) { injector throws(InjectorError) in
      try injector.lookUp(type, tag, isOptional: true, givesContext: true)?.all(in: context, for: injector) ?? []
    }
  }

  /// Explains for every candidate of a service whether it applies in a context, and why.
  ///
  /// ```swift
  /// print(try services.explain((any SearchProvider).self, in: shopper))
  /// // SearchProvider in Shopper: 1 of 2 apply, selected: catalogue
  /// ```
  ///
  /// Every rule is evaluated, also those behind the winner. No instance of the service is made.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  ///   - context: The value the candidates' rules look at.
  /// - Returns: A `Codable` tree that prints as text.
  /// - Throws: ``InjectorError/notRegistered(_:)``, ``InjectorError/contextMismatch(_:expected:found:)``,
  ///   ``InjectorError/closed(_:)``.
  public func explain<Service: Sendable, Context: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, in context: Context
  ) throws(InjectorError) -> Explanation {
    let injector = isolated()
    return try injector.entry(type, tag, givesContext: true).explain(in: context, for: injector)
  }

  /// Explains for every candidate of a service whether it applies in the context the injector provides, and why; and
  /// what the service is made of.
  ///
  /// The context is resolved from the injector by its type, as ``get(_:tag:fileID:line:)`` does. The explanation's
  /// ``Explanation/construction`` shows the dependencies, with lifetimes, as far as they are known. No instance of the
  /// service is made.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  /// - Returns: A `Codable` tree that prints as text.
  /// - Throws: ``InjectorError/notRegistered(_:)``; ``InjectorError/contextMissing(_:context:)`` if the context is not
  ///   registered, or what went wrong while it was made; ``InjectorError/closed(_:)``.
  public func explain<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil
  ) throws(InjectorError) -> Explanation {
    let injector = isolated()
    var explanation = try injector.entry(type, tag).explain(for: injector)
    explanation.construction = try injector.graph(of: type, tag: tag)
    return explanation
  }

  /// Looks up the entry of a service that has to be registered.
  ///
  /// - Parameter givesContext: Whether the caller provides a context, so that the dependency needs no registered one.
  /// - Throws: ``InjectorError/notRegistered(_:)``, or the error of a look-up in a closed injector.
  @inlinable
  func entry<Service: Sendable>(
    _ type: Service.Type, _ tag: Tag?, givesContext: Bool = false
  ) throws(InjectorError) -> Entry<Service> {
    guard let entry = try lookUp(type, tag, givesContext: givesContext) else {
      throw absence(of: ServiceKey(type, tag))
    }
    return entry
  }
}
