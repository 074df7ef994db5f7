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
  /// - candidates that are needed where no context selects one of them
  /// - services that are needed although none of their candidates can ever apply
  /// - factories that requested a service missing from their declaration, while dependencies were recorded
  /// - another injector that has this one's name, if the name was looked up
  /// - names from outside the program, such as the variants of a flag, that match no candidate
  /// - closures whose dependencies are unknown, in a ``Strictness/strict`` validation
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
  /// - Returns: A report of registrations that work, but are unused or need attention.
  /// - Throws: ``InjectorError/invalid(_:_:)`` with all problems, if there are any; ``InjectorError/closed(_:)``.
  /// - Complexity: O(*n*) for *n* registrations and dependencies, if there are no problems.
  @discardableResult
  public func validate(_ strictness: Strictness = .lenient) throws(InjectorError) -> ValidationReport {
    try (redirected() ?? self).validateItself(strictness)
  }

  private func validateItself(_ strictness: Strictness) throws(InjectorError) -> ValidationReport {
    if levels.contains(where: \.isClosedItself) { throw closed(InjectorError.Facts(aboutWhole: self)) }
    let report = ServiceGraph(self).report(strictness)
    guard let first = report.problems.first else { return report }
    var facts = InjectorError.Facts(.named(first.subject, .service), in: .inner(names: names))
    facts.values.registeredAt = first.registeredAt
    throw .invalid(facts, report)
  }
}

/// The result of ``Injector/validate(_:)``.
///
/// ```swift
/// let report = try services.validate()
/// for warning in report.warnings { print(warning) }
/// ```
///
/// `description` prints the whole report.
public struct ValidationReport: Sendable, Hashable {
  let injector: String?

  /// The number of services that were checked.
  public let serviceCount: Int

  /// The registrations that would fail. If there are any, ``Injector/validate(_:)`` throws.
  public let problems: [Problem]

  /// The registrations that are unused, or that work only if they are requested in a certain way.
  public let warnings: [Problem]

  /// The names of registrations with unknown dependencies, which are neither declared nor recorded.
  public let opaque: [String]

  /// A fault in the registrations.
  public struct Problem: Sendable, Hashable {
    /// The kinds of problems.
    public enum Kind: Sendable, Hashable {
      /// A service is needed but not registered. As a warning: a caller that can do without the service has requested
      /// it.
      case missing

      /// A circular dependency: a service needs itself.
      case circular

      /// A captive dependency: an instance would keep another one with a shorter lifetime.
      case captive

      /// A service is needed, but none of its candidates can ever apply.
      case noCandidate

      /// A service is needed whose candidates are selected by a context that is not registered.
      case contextMissing

      /// A factory has requested a service that is missing from its declaration.
      case undeclared

      /// The dependencies are neither declared nor recorded. Only a ``Injector/Strictness/strict`` validation reports
      /// this problem.
      case opaque

      /// A candidate can never be selected.
      case unreachable

      /// The rules of several points refer to each other's selection in a cycle.
      case circularRules

      /// A rule refers to the selection at a point, or to a candidate, that does not exist.
      case unknownPoint

      /// Several services have a point with one id, so that the id does not identify a point.
      case ambiguousPoint

      /// Candidates are declared to come after each other in a cycle.
      case circularOrder

      /// A candidate is declared to come after or before one that does not exist.
      case unknownOrder

      /// A name from outside the program, such as a variant of a flag, matches no candidate.
      case unknownCandidate
    }

    /// The kind of problem.
    public let kind: Kind

    /// The affected service or candidate.
    public let subject: String

    /// The services that need the subject, the path of a cycle or capture, or the reason.
    public let details: [String]

    /// Where the subject is registered, or, if it is not registered, where it is needed.
    public let registeredAt: CodeLocation
  }
}

extension ValidationReport: CustomStringConvertible {
  /// A headline, then the problems, each with its location and a fix.
  public var description: String {
    let name = injector.map { "Injector \"\($0)\"" } ?? "The injector"
    let services = serviceCount == 1 ? "1 service" : "\(serviceCount) services"
    let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
    var text = name + (problems.isEmpty ? " is valid: " : " is not valid: \(count) in ") + services + "."
    for (index, problem) in problems.enumerated() {
      text += "\n" + "\(index + 1). \(problem)".indented(by: 3, isHanging: true)
    }
    for warning in warnings {
      text += "\n" + ("warning: " + warning.text(isWarning: true)).indented(by: 3, isHanging: true)
    }
    if !opaque.isEmpty, !problems.contains(where: { $0.kind == .opaque }) {
      text += "\nopaque until they run, because they declare no dependencies: " + opaque.joined(separator: ", ")
    }
    return text
  }
}

extension ValidationReport.Problem: CustomStringConvertible {
  /// The problem, its location, and a fix.
  public var description: String { text(isWarning: false) }

  fileprivate func text(isWarning: Bool) -> String { message(isWarning).filled(replacement(of:)) }

  private func replacement(of name: String) -> String {
    switch name {
    case "subject": subject
    case "quoted": quoted(subject)
    case "list": details.joined(separator: ", ")
    case "path": details.joined(separator: " → ")
    case "closures": details.joined(separator: " and ")
    case "first": details.first ?? ""
    case "second": quoted(details.count > 1 ? details[1] : "")
    case "rest": details.dropFirst().joined(separator: ", ")
    default: "\nat \(registeredAt)\n"
    }
  }

  /// The problem, its location, and a fix. Names in angle brackets are replaced.
  private func message(_ isWarning: Bool) -> String {
    switch kind {
    case .missing where isWarning:
      "<subject> is not registered, and <list> ran without it.<place>Register it, if it should be there."
    case .missing:
      "<subject> is not registered, but is needed by <list>.<place>Register it, or remove the services that need it."
    case .circular:
      "<subject> depends on itself: <path>.<place>Let one of them get the other in a configure closure."
    case .captive:
      "<subject> would capture a shorter-lived service: <path>.<place>"
        + "Make it scoped too, or let it get the service from a scope when it needs it."
    case .noCandidate:
      "<subject> has no candidate that can ever apply, but is needed by <list>.<place>"
        + "Register one without a rule as the fallback, or remove the services that need it."
    case .contextMissing where details.count == 1:
      "<subject> is chosen by a <list>, which nothing provides: only a get with in: can resolve it.<place>"
        + "Register the context, if a get without in: should work too."
    case .contextMissing:
      "<subject> is needed by <rest>, but nothing provides the <first> that chooses it.<place>"
        + "Register the context, or get the service with in: where you have one."
    case .undeclared: "<subject> asked for <list>, which it does not declare.<place>Add it to depends(on:)."
    case .opaque: "The dependencies of <subject> are hidden in <closures>.<place>" + adviceForOpaque
    case .circularRules:
      "<subject> is selected by a rule that depends on its own selection: <path>.<place>"
        + "Let one of the rules look at something else."
    case .unknownPoint:
      "<subject> is not registered here, but rules of <list> ask for the selection there.<place>"
        + "Check the id, or register the point in the injector that is asked."
    case .ambiguousPoint:
      "<subject> is the id of several points, of <closures>.<place>"
        + "Give each point an id of its own, by which rules and operators name it."
    case .circularOrder:
      "Candidates of <subject> must come after each other: <path>.<place>Remove one of the orders."
    case .unknownOrder:
      "<subject> must come after or before <list>, which is not a candidate of its service.<place>"
        + "Check the id, or remove the order."
    case .unknownCandidate:
      "<subject> names no candidate of <first>.<place>"
        + (details.count > 1 ? "Did you mean <second>?" : "Add a candidate of this id, or remove the name.")
    case .unreachable: "<subject> can never be chosen: <list>.<place>Remove it, or change the order or the rule."
    }
  }

  private var adviceForOpaque: String {
    switch details.first {
    case "its closure" where details.count == 1:
      "Use wiring:, or declare what it asks for: .depends(on: …), or .dependsOnNothing for nothing."
    case "its closure with arguments": "Declare what its closure asks for: register(…, dependsOn: […])."
    default: "Declare all that it and its closures ask for: .depends(on: …)."
    }
  }
}
