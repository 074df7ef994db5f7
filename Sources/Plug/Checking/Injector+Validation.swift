extension Injector {
  /// How ``validate(_:)`` and ``seal(_:)`` treat closures whose dependencies are unknown.
  public enum Strictness: Sendable {
    /// They pass, and the report lists them as ``ValidationReport/opaque``.
    case lenient

    /// Each of them is a problem, so that a valid graph is known in full.
    case strict
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
  /// - closures whose dependencies are unknown, if the strictness is ``Strictness/strict``
  ///
  /// ```swift
  /// @Test(.isolated) func everythingFitsTogether() throws {
  ///   try App.services.validate(.strict)
  /// }
  /// ```
  ///
  /// The dependencies of an initializer given as `wiring:` are known from its parameters, and those of a closure from
  /// ``Injection/depends(on:tag:)``. A closure without an injector depends on nothing. The report lists any other
  /// closure as ``ValidationReport/opaque``, unless it has run after `recordDependencies()` of the product
  /// PlugOperations. A scope is validated together with what it inherits, as seen from the scope.
  ///
  /// - Parameter strictness: Whether closures whose dependencies are unknown pass.
  /// - Returns: A report of what works but is unused or needs attention.
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
  /// The name of the injector; `nil` if it has none.
  public let injector: String?

  /// The number of services that were checked.
  public let serviceCount: Int

  /// Everything that would fail. If there is any problem, ``Injector/validate(_:)`` throws.
  public let problems: [Problem]

  /// Everything that is unused, or works only if it is requested in a certain way.
  public let warnings: [Problem]

  /// The names of registrations with unknown dependencies: no declaration and no recorded run tells them.
  public let opaque: [String]

  /// Something that is wrong with the registrations.
  public struct Problem: Sendable, Hashable {
    /// The kinds of problems.
    public enum Kind: String, Sendable, Hashable {
      /// A service is needed but not registered. As a warning: it was requested, and the caller did without.
      case missing

      /// A circular dependency: a service needs itself.
      case circular

      /// A captive dependency: an instance would keep another one with a shorter lifetime.
      case captive

      /// A service is needed, but none of its candidates can ever apply.
      case noCandidate = "no candidate"

      /// A service is needed whose candidates are selected by a context that is not registered.
      case contextMissing = "context missing"

      /// A factory has requested something other than what it declares.
      case undeclared

      /// The dependencies are unknown, because no declaration and no recorded run tells them. Only a
      /// ``Injector/Strictness/strict`` validation reports it.
      case opaque

      /// A candidate can never be selected.
      case unreachable

      /// Rules ask in a circle what is selected.
      case circularRules = "circular rules"

      /// A rule asks what is selected at a point, or whether a candidate is, that is not there.
      case unknownPoint = "unknown point"

      /// Another injector is found by the name of this one, and that was looked up.
      case nameTaken = "name taken"

      /// Several services have a point of one id, by which rules and operators cannot tell them.
      case ambiguousPoint = "ambiguous point"

      /// Candidates are to come after each other.
      case circularOrder = "circular order"

      /// A candidate is to come after or before one that is not there.
      case unknownOrder = "unknown order"

      /// What names candidates from outside of the program, such as a flag with its variants, names one that is not
      /// there.
      case unknownCandidate = "unknown candidate"
    }

    /// The kind of problem.
    public let kind: Kind

    /// The service or candidate the problem is about.
    public let subject: String

    /// What is involved: the services that need the subject, the path of a cycle or capture, or the reason.
    public let details: [String]

    /// Where the subject is registered; if it is not, where it is needed.
    public let registeredAt: CodeLocation
  }
}

extension ValidationReport: JSONEquatable {
  var json: RuleTrace.Value {
    let facts = [injector ?? "", "\(serviceCount)", "\(problems.count)"]
    return .array((problems + warnings).map(\.json) + [RuleTrace.Value(texts: facts + opaque)])
  }
}

extension ValidationReport.Problem: JSONEquatable {
  var json: RuleTrace.Value {
    RuleTrace.Value(texts: [kind.rawValue, subject, "\(registeredAt)"] + details)
  }
}

extension ValidationReport: CustomStringConvertible {
  /// A headline, then for each problem what it is, where, and what to do.
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
  /// What it is, where, and what to do.
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

  /// What it is, where, and what to do. What stands in angle brackets is filled in.
  private func message(_ isWarning: Bool) -> String {
    switch kind {
    case .missing where isWarning:
      "<subject> is not registered, and <list> ran without it.<place>Register it, if it should be there."
    case .missing:
      "<subject> is not registered, but is needed by <list>.<place>Register it, or remove what needs it."
    case .circular:
      "<subject> depends on itself: <path>.<place>Let one of them get the other in a configure closure."
    case .captive:
      "<subject> would capture a shorter-lived service: <path>.<place>"
        + "Make it scoped too, or let it get the service from a scope when it needs it."
    case .noCandidate:
      "<subject> has no candidate that can ever apply, but is needed by <list>.<place>"
        + "Register one without a rule as the fallback, or remove what needs it."
    case .contextMissing where details.count == 1:
      "<subject> is chosen by a <list>, which nothing provides: only a get with in: can resolve it.<place>"
        + "Register the context, if a get without in: should work too."
    case .contextMissing:
      "<subject> is needed by <rest>, but nothing provides the <first> that chooses it.<place>"
        + "Register the context, or get the service with in: where you have one."
    case .undeclared: "<subject> asked for <list>, which it does not declare.<place>Add it to depends(on:)."
    case .opaque: "The dependencies of <subject> are hidden in <closures>.<place>" + adviceForOpaque
    case .circularRules:
      "<subject> is selected by a rule that asks what itself is selected: <path>.<place>"
        + "Let one of the rules look at something else."
    case .unknownPoint:
      "<subject> is not registered here, but rules of <list> ask for what is selected there.<place>"
        + "Check the id, or register it where these are asked for."
    case .nameTaken:
      "The name <quoted> finds another injector: <list> have it.<place>"
        + "Close or release the other one first, or choose another name."
    case .ambiguousPoint:
      "<subject> is the id of several points: those of <closures>.<place>"
        + "Give each point an id of its own, by which rules and operators name it."
    case .circularOrder:
      "Candidates of <subject> are to come after each other: <path>.<place>Remove one of the orders."
    case .unknownOrder:
      "<subject> is to come after or before <list>, which is no candidate of its service.<place>"
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
