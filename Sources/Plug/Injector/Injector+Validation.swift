extension Injector {
  /// Checks that everything registered fits together, without constructing anything.
  ///
  /// Call it in a test, or at launch before the first request. It reports all problems at once:
  ///
  /// - services that are needed but not registered
  /// - circular dependencies
  /// - captive dependencies: services that would keep an instance with a shorter lifetime
  /// - candidates that are needed where no context selects one of them
  /// - services that are needed although none of their candidates can ever apply
  /// - factories that requested something other than what they declare
  /// - names from outside of the program, such as the variants of a flag, that no candidate has
  ///
  /// ```swift
  /// @Test(.isolated) func everythingFitsTogether() throws {
  ///   let report = try App.services.validate()
  ///   #expect(report.opaque.isEmpty)
  /// }
  /// ```
  ///
  /// The dependencies of an initializer given as `wiring:` are known from its parameters, and those of a closure from
  /// ``Injection/depends(on:tag:)``. The dependencies of any other closure are recorded when it runs; until then the
  /// report lists the closure as ``ValidationReport/opaque``. A scope is validated together with what it inherits, as
  /// seen from the scope.
  ///
  /// - Returns: A report of what works but is unused or needs attention.
  /// - Throws: ``InjectorError/invalid(_:_:)`` with all problems, if there are any; ``InjectorError/closed(_:)``.
  /// - Complexity: O(*n*) for *n* registrations and dependencies, if there are no problems.
  @discardableResult
  public func validate() throws(InjectorError) -> ValidationReport {
    try isolated().validateAsIs()
  }

  /// Validates this injector itself, rather than a test's private copy of it.
  @discardableResult
  func validateAsIs() throws(InjectorError) -> ValidationReport {
    let report = GraphAnalysis(self).report()
    guard let first = report.problems.first else { return report }
    throw .invalid(InjectorError.Facts(problem: first, in: self), report)
  }
}

extension InjectorError.Facts {
  /// Collects the facts about a problem that was found without a request.
  fileprivate init(problem: ValidationReport.Problem, in injector: Injector) {
    self.init(.named(problem.subject, .service), in: .inner(names: injector.names))
    registeredAt = problem.registeredAt
  }
}
