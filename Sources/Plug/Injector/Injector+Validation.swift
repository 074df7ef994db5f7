extension Injector {
  /// Checks that everything registered fits together, and constructs nothing for it.
  ///
  /// All problems are found at once: services that are needed and missing, services that need themselves, services that
  /// would keep what lives shorter, candidates that are needed without the context that chooses them, and factories
  /// that have asked for something which they do not declare.
  ///
  /// What an initializer needs that is given as `wiring:` is known, and so is what ``Injection/depends(on:tag:)`` declares.
  /// What another closure asks for is known when it has run; until then the report lists it as
  /// ``ValidationReport/opaque``. In a scope, what it inherits is checked too, as it is seen from there.
  ///
  /// - Returns: What works, but is of no use or needs care.
  /// - Throws: ``InjectorError/invalid(_:_:)`` with all problems, if there are any; ``InjectorError/closed(_:)``.
  /// - Complexity: O(*n*) for *n* registrations and dependencies, if there are no problems.
  @discardableResult
  public func validate() throws(InjectorError) -> ValidationReport {
    try isolated().validateAsIs()
  }

  @discardableResult
  func validateAsIs() throws(InjectorError) -> ValidationReport {
    let report = GraphAnalysis(self).report()
    guard let first = report.problems.first else { return report }
    throw .invalid(InjectorError.Facts(problem: first, in: self), report)
  }
}

extension InjectorError.Facts {
  /// The facts about a problem that has been found without a request.
  fileprivate init(problem: ValidationReport.Problem, in injector: Injector) {
    self.init(.named(problem.subject, .service), in: .inner(names: injector.names))
    registeredAt = problem.registeredAt
  }
}
