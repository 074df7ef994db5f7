extension Injector {
  /// What a validation makes of closures whose dependencies are unknown.
  public enum Validation: Sendable {
    /// They pass, and the report lists them as ``ValidationReport/opaque``.
    case known

    /// Each of them is a problem, so that a valid graph is known in full.
    case complete
  }

  /// Checks that everything registered fits together, without constructing anything.
  ///
  /// Call it in a test, or at launch before the first request. It reports all problems at once:
  ///
  /// - services that are needed but not registered
  /// - circular dependencies
  /// - captive dependencies: services that would keep an instance with a shorter lifetime
  /// - candidates that are needed where no context selects one of them
  /// - services that are needed although none of their candidates can ever apply
  /// - factories that requested something other than what they declare, while dependencies were recorded
  /// - another injector that is found by this one's name, if the name was looked up
  /// - names from outside of the program, such as the variants of a flag, that no candidate has
  /// - closures whose dependencies are unknown, if the validation is to be ``Validation/complete``
  ///
  /// ```swift
  /// @Test(.isolated) func everythingFitsTogether() throws {
  ///   try App.services.validate(.complete)
  /// }
  /// ```
  ///
  /// The dependencies of an initializer given as `wiring:` are known from its parameters, and those of a closure from
  /// ``Injection/depends(on:tag:)``. A closure without an injector depends on nothing. The report lists any other
  /// closure as ``ValidationReport/opaque``, unless it has run after `recordDependencies()` of the product
  /// PlugOperations. A scope is validated together with what it inherits, as seen from the scope.
  ///
  /// - Parameter validation: Whether closures whose dependencies are unknown pass.
  /// - Returns: A report of what works but is unused or needs attention.
  /// - Throws: ``InjectorError/invalid(_:_:)`` with all problems, if there are any; ``InjectorError/closed(_:)``.
  /// - Complexity: O(*n*) for *n* registrations and dependencies, if there are no problems.
  @discardableResult
  public func validate(_ validation: Validation = .known) throws(InjectorError) -> ValidationReport {
    try (redirected() ?? self).validateItself(validation)
  }

  private func validateItself(_ validation: Validation) throws(InjectorError) -> ValidationReport {
    if levels.contains(where: \.isClosedItself) { throw closed(InjectorError.Facts(aboutWhole: self)) }
    let report = ServiceGraph(self).report(validation)
    guard let first = report.problems.first else { return report }
    var facts = InjectorError.Facts(.named(first.subject, .service), in: .inner(names: names))
    facts.values.registeredAt = first.registeredAt
    throw .invalid(facts, report)
  }
}
