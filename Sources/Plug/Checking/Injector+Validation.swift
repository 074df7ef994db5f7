extension Injector {
  /// Checks that all registrations fit together, without making an instance.
  ///
  /// Call it in a test, or at launch before the first request. It reports all problems at once:
  ///
  /// - services that are needed but not registered
  /// - circular dependencies
  /// - captive dependencies: services that would keep an instance with a shorter lifetime
  /// - services that are needed, but whose candidates are selected by a context that is not registered
  /// - closures whose dependencies are unknown, in a strict validation
  ///
  /// `audit()` of the product PlugOperations reports valid registrations that probably do not do what was meant,
  /// such as candidates that can never be selected.
  ///
  /// ```swift
  /// @Test(.isolated) func everythingFitsTogether() throws {
  ///   try App.services.validate(strict: true)
  /// }
  /// ```
  ///
  /// The parameters of a `wiring:` initializer are its dependencies. A closure declares its dependencies with
  /// ``Injection/depends(on:_:tag:)``. A closure that does not receive the injector depends on nothing. The report
  /// lists every other closure as ``ValidationReport/opaque``, unless it has run after `recordDependencies()` of the
  /// product PlugOperations. The validation of a scope includes the inherited registrations, as seen from the scope.
  ///
  /// - Parameter strict: Whether a closure whose dependencies are unknown is a problem, so that a valid graph is known
  ///   completely. Otherwise such closures pass.
  /// - Returns: A report of the closures that could not be checked.
  /// - Throws: ``InjectorError/invalid(_:_:)`` with all problems, if there are any; ``InjectorError/closed(_:)``.
  /// - Complexity: O(*n*) for *n* registrations and dependencies, if there are no problems.
  @discardableResult
  public func validate(strict: Bool = false) throws(InjectorError) -> ValidationReport {
    let injector = active
    if injector.levels.contains(where: \.isClosedItself) { throw injector.closedError() }
    let report = Check.report(on: injector, strict)
    guard let first = report.problems.first else { return report }
    var facts = InjectorError.Facts(.named(first.subject, .service), in: .inner(names: injector.names))
    facts.values.registeredAt = first.registeredAt
    throw .invalid(facts, report)
  }

  /// Validates the injector and fixes its registrations: every later change throws ``InjectorError/sealed(_:)``.
  ///
  /// Lazy singletons are still made on their first request. Sealing twice has no further effect.
  ///
  /// ```swift
  /// try services.seal(strict: true)
  /// ```
  ///
  /// - Parameter strict: Whether a closure whose dependencies are unknown is a problem.
  /// - Returns: A report. Its ``ValidationReport/opaque`` lists services that could not be checked, because the
  ///   requests of their closures are unknown.
  /// - Throws: ``InjectorError/invalid(_:_:)`` if ``validate(strict:)`` finds problems, and the injector is then not
  ///   sealed; ``InjectorError/closed(_:)``.
  @discardableResult
  public func seal(strict: Bool = false) throws(InjectorError) -> ValidationReport {
    let injector = active
    let report = try injector.validate(strict: strict)
    if !injector.isSealedItself { try injector.sealItself() }
    return report
  }

  /// Whether the registrations are fixed.
  public var isSealed: Bool { active.isSealedItself }
}
