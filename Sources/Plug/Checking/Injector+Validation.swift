extension Injector {
  /// How ``validate(_:)`` and ``seal(_:)`` treat closures whose dependencies are unknown.
  public enum Strictness: Sendable {
    /// Closures with unknown dependencies pass. The report lists them as ``ValidationReport/opaque``.
    case lenient

    /// A closure with unknown dependencies is a problem, so that a valid graph is known completely.
    case strict
  }

  /// Checks that all registrations fit together, without making an instance.
  ///
  /// Call it in a test, or at launch before the first request. It reports all problems at once:
  ///
  /// - services that are needed but not registered
  /// - circular dependencies
  /// - captive dependencies: services that would keep an instance with a shorter lifetime
  /// - services that are needed, but whose candidates are selected by a context that is not registered
  /// - closures whose dependencies are unknown, in a ``Strictness/strict`` validation
  ///
  /// `audit()` of the product PlugOperations reports what works otherwise than it was meant, such as candidates that
  /// can never be selected.
  ///
  /// ```swift
  /// @Test(.isolated) func everythingFitsTogether() throws {
  ///   try App.services.validate(.strict)
  /// }
  /// ```
  ///
  /// The parameters of a `wiring:` initializer are its dependencies. A closure declares its dependencies with
  /// ``Injection/depends(on:_:tag:)``. A closure that does not receive the injector depends on nothing. The report
  /// lists every other closure as ``ValidationReport/opaque``, unless it has run after `recordDependencies()` of the
  /// product PlugOperations. The validation of a scope includes the inherited registrations, as seen from the scope.
  ///
  /// - Parameter strictness: Whether closures whose dependencies are unknown pass.
  /// - Returns: A report of the closures that could not be checked, and of registrations that need attention.
  /// - Throws: ``InjectorError/invalid(_:_:)`` with all problems, if there are any; ``InjectorError/closed(_:)``.
  /// - Complexity: O(*n*) for *n* registrations and dependencies, if there are no problems.
  @discardableResult
  public func validate(_ strictness: Strictness = .lenient) throws(InjectorError) -> ValidationReport {
    try (redirected() ?? self).validateItself(strictness)
  }

  private func validateItself(_ strictness: Strictness) throws(InjectorError) -> ValidationReport {
    if levels.contains(where: \.isClosedItself) { throw closed(InjectorError.Facts(aboutWhole: self)) }
    let report = Check.report(on: self, strictness)
    guard let first = report.problems.first else { return report }
    var facts = InjectorError.Facts(.named(first.subject, .service), in: .inner(names: names))
    facts.values.registeredAt = first.registeredAt
    throw .invalid(facts, report)
  }
}
