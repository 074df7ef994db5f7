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
  /// The injector makes its own instances. It shares none with the point, or with other injectors in which the point is
  /// registered. In a scope, the point replaces the inherited registration.
  ///
  /// - Parameters:
  ///   - point: The point to register. Later changes of the variable do not change the registration.
  ///   - tag: Distinguishes the service from others of the same type.
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` if the service already has a point and the injector does not
  ///   allow rewriting, or if two candidates have the same id; ``InjectorError/contextMismatch(_:expected:found:)`` if
  ///   candidates with another type of context are registered; ``InjectorError/actorUnsupported(_:actor:)`` or
  ///   ``InjectorError/lifetimeUnsupported(_:lifetime:)`` if an injection cannot work;
  ///   ``InjectorError/depthExceeded(_:depth:)`` if points are nested too deep; ``InjectorError/sealed(_:)``,
  ///   ``InjectorError/closed(_:)``. A registration that throws changes nothing.
  @discardableResult
  public func register<Service, Context>(
    _ point: PluginPoint<Service, Context>, tag: Tag? = nil
  ) throws(InjectorError) -> Injector {
    if point.isTooDeep { throw point.depthExceeded }
    let injector = activeForSetUp(at: point.location)
    try injector.add(
      point.pluginParts.elements, for: Context.self, to: Key(Service.self, tag),
      point: injector.installing(at: point.location))
    return self
  }

  /// Registers one more implementation of a service beside others, from any module, in any order.
  ///
  /// ```swift
  /// try services.contribute((any Job).self, id: "cleanup") { CleanUp() }
  /// try services.contribute(
  ///   (any Job).self, .lazySingleton(wiring: MailJob.init),
  ///   when: Rule<Shopper>.feature("mail"))
  /// let jobs = try services.getAll((any Job).self)  // or `[any Job]` as a parameter
  /// ```
  ///
  /// The implementation is one more candidate. It comes after those of a registered ``PluginPoint``, and before the
  /// registration without a rule. Candidates are ordered by priority, then by registration. Without a rule, the
  /// implementation applies in every context, whatever the type of the context is.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: Distinguishes the service from others of the same type.
  ///   - injection: How an instance is made, and how long it lives.
  ///   - rule: When the implementation applies. The rules of all candidates of a service must have the same type of
  ///     context. Name the type if the compiler cannot infer it from a key path: `Rule<Shopper>.feature("mail")`.
  ///   - id: The id of the implementation, by which `get([String: any Job].self)` returns it; by default the source
  ///     location of this call.
  ///   - priority: Implementations with a higher priority come first.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` if another has the id and the injector does not allow rewriting;
  ///   ``InjectorError/contextMismatch(_:expected:found:)`` if the other candidates have another type of context;
  ///   ``InjectorError/actorUnsupported(_:actor:)``,
  ///   ``InjectorError/lifetimeUnsupported(_:lifetime:)``, ``InjectorError/sealed(_:)``,
  ///   ``InjectorError/closed(_:)``. A registration that throws changes nothing.
  @discardableResult
  public func contribute<Service: Sendable, Context>(
    _ type: Service.Type, tag: Tag? = nil, _ injection: Injection<Service>,
    when rule: Rule<Context>? = Rule<Injector>?.none, id: String? = nil, priority: Int = 0, fileID: String = #fileID,
    line: Int = #line
  ) throws(InjectorError) -> Injector {
    let location = CodeLocation(fileID: fileID, line: line)
    let candidate = Candidate<Service, Context>(
      id ?? "\(location)", injection, priority: priority, fileID: fileID, line: line)
    try activeForSetUp(at: location).add(
      (rule.map(candidate.when) ?? candidate).pluginParts.elements, for: rule.map { _ in Context.self },
      to: Key(type, tag))
    return self
  }

  /// Registers one more lazy singleton beside others, from any module, in any order.
  ///
  /// A closure that takes the injector gets other services from it.
  ///
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: What ``contribute(_:tag:_:when:id:priority:fileID:line:)`` throws.
  @_documentation(visibility: internal) @discardableResult
  public func contribute<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, id: String? = nil, priority: Int = 0, fileID: String = #fileID,
    line: Int = #line, _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) throws(InjectorError) -> Injector {
    try contribute(type, tag: tag, .lazySingleton(make), id: id, priority: priority, fileID: fileID, line: line)
  }

  /// Registers one more lazy singleton made from other services.
  @_documentation(visibility: internal) @discardableResult
  public func contribute<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, id: String? = nil, priority: Int = 0, fileID: String = #fileID,
    line: Int = #line, _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) throws(InjectorError) -> Injector {
    try contribute(type, tag: tag, .lazySingleton(make), id: id, priority: priority, fileID: fileID, line: line)
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
  ///   - context: The value that the candidates' rules look at. A registration without a rule applies in every context.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance of the first candidate that applies.
  /// - Throws: ``InjectorError/notRegistered(_:)``; ``InjectorError/noCandidate(_:_:)`` with an ``Explanation`` if no
  ///   candidate applies; ``InjectorError/contextMismatch(_:expected:found:)`` if the rules look at another type; or
  ///   the error that prevented the instance from being made.
  /// - Complexity: O(*n*) rules for *n* candidates, and fewer if an early candidate applies.
  @inlinable
  public func get<Service: Sendable, Context: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, in context: Context, fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(InjectorError) -> Service {
    do {
      let key = Key(type, tag)
      return try ContextReference.with(context) { context in
        try chosenBox(for: key, in: context, fileID, line)
      }.open()
    } catch {
      throw error.asked(at: fileID, line)
    }
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
  ///   - context: The value that the candidates' rules look at.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instances, the winner first; an empty array if the service is not registered or no candidate
  ///   applies.
  /// - Throws: ``InjectorError/contextMismatch(_:expected:found:)``, or the error that prevented an instance from being
  ///   made.
  /// - Complexity: O(*n*) rules for *n* candidates.
  @inlinable
  public func getAll<Service: Sendable, Context: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, in context: Context, fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(InjectorError) -> [Service] {
    let key = Key(type, tag)
    return try ContextReference.with(context) { (context) throws(InjectorError) in
      try boxes(for: key, in: context, fileID, line)?.map { $0.box.open() } ?? []
    }
  }

  /// Explains which candidates of a service apply in a context, and why.
  ///
  /// ```swift
  /// print(try services.explain((any SearchProvider).self, in: shopper))
  /// // SearchProvider in Shopper: 1 of 2 apply, selected: catalogue
  /// ```
  ///
  /// Every rule is evaluated, even after the winner. No instance of the service is made.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  ///   - context: The value that the candidates' rules look at.
  /// - Returns: A tree that prints as text.
  /// - Throws: ``InjectorError/notRegistered(_:)``, ``InjectorError/contextMismatch(_:expected:found:)``,
  ///   ``InjectorError/closed(_:)``.
  public func explain<Service: Sendable, Context: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, in context: Context
  ) throws(InjectorError) -> Explanation {
    try active.explanation(of: Key(type, tag), in: ContextReference(holding: context))
  }

  /// Explains which candidates of a service apply in the context that the injector provides, and why.
  ///
  /// The context is resolved from the injector by its type, as ``get(_:tag:fileID:line:)`` does. No instance
  /// of the service is made.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  /// - Returns: A tree that prints as text.
  /// - Throws: ``InjectorError/notRegistered(_:)``; ``InjectorError/contextMissing(_:context:)`` if the context is not
  ///   registered, or the error that prevented it from being made; ``InjectorError/closed(_:)``.
  public func explain<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil
  ) throws(InjectorError) -> Explanation {
    try active.explanation(of: Key(type, tag), in: nil)
  }
}

// Unavailable overloads, with which the compiler explains a likely mistake and its fix. `Tests/Refused` shows each one.
@available(*, unavailable, message: "state the context: when: Rule<Shopper>.feature(…), Rule<Injector>.property(…)")
extension Injector {
  /// Refuses a rule whose context cannot be inferred.
  public func contribute<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, _ injection: Injection<Service>, when rule: Rule<Unstated>,
    id: String? = nil, priority: Int = 0
  ) throws(InjectorError) -> Injector { fatalError() }
}
