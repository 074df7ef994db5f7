public import Plug

extension Injector {
  /// Finds valid registrations that probably do not do what was meant, without making an instance.
  ///
  /// `validate()` refuses registrations that would fail. An audit reports others:
  ///
  /// - candidates that can never be selected, and services whose candidates can never apply
  /// - rules and orders that name a point or a candidate that does not exist
  /// - rules that refer to each other's selection, and candidates that must come after each other
  /// - names from outside the program, such as the variants of a flag, that match no candidate
  /// - points that share an id
  /// - decorators of services that are not registered
  /// - what was registered or set by the injector's name before the injector was created
  ///
  /// After ``Plug/Injector/recordDependencies()``, it also reports services that no code has requested, and requests
  /// of factories that `depends(on:)` does not declare.
  ///
  /// ```swift
  /// @Test(.isolated) func nothingIsLeftOver() throws {
  ///   let report = App.services.audit()
  ///   #expect(report.findings.isEmpty, "\(report)")
  /// }
  /// ```
  ///
  /// The audit of a scope includes the inherited registrations.
  ///
  /// - Returns: A report. A closed injector has no findings.
  public func audit() -> AuditReport {
    var audit = Audit(of: active)
    return audit.report()
  }
}
