public import Plug

/// The result of ``Plug/Injector/audit()``.
///
/// `description` prints the whole report.
public struct AuditReport: Sendable, Hashable {
  /// The name of the injector, after those of its parents; `nil` if it has none.
  let injector: String?

  /// The number of services that were examined.
  public let serviceCount: Int

  /// The findings, in the order of their kinds, then of their subjects.
  public let findings: [Finding]

  /// A valid registration that probably does not do what was meant.
  public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of findings.
    public enum Kind: Sendable, Hashable {
      /// The rules of several points refer to each other's selection in a cycle.
      case circularRules

      /// Candidates are declared to come after each other in a cycle.
      case circularOrder

      /// A name from outside the program, such as a variant of a flag, matches no candidate.
      case unknownCandidate

      /// A service is needed, but none of its candidates can ever apply.
      case noCandidate

      /// Several services have a point with one id, so that the id does not identify a point.
      case ambiguousPoint

      /// A candidate can never be selected.
      case unreachable

      /// A rule refers to the selection at a point, or to a candidate, that does not exist.
      case unknownPoint

      /// A candidate is declared to come after or before one that does not exist.
      case unknownOrder

      /// A factory has requested a service that is missing from its declaration.
      case undeclared

      /// The injector's name was used before the injector was created, so another injector has what was set then.
      case early

      /// A decorator belongs to a service that is not registered.
      case idleDecorator

      /// Nothing has requested a service since its injector began to record dependencies.
      case unused
    }

    /// The kind of finding.
    public let kind: Kind

    /// The affected service, candidate or point.
    public let subject: String

    /// The services that need the subject, the path of a cycle, or the reason.
    public let details: [String]

    /// Where the subject is registered, or, if it is not registered, where it is mentioned; line 0 if that is unknown.
    public let registeredAt: CodeLocation

    /// The finding, its location, and what to do.
    public let description: String
  }
}

extension AuditReport: CustomStringConvertible {
  /// A headline, then the findings, each with its location and what to do.
  public var description: String {
    let name = injector.map { "Injector \"\($0)\"" } ?? "The injector"
    let services = serviceCount == 1 ? "1 service" : "\(serviceCount) services"
    let count = findings.isEmpty ? "no findings" : findings.count == 1 ? "1 finding" : "\(findings.count) findings"
    return
      (["\(name) has \(count) in \(services)."]
      + findings.enumerated().map { index, finding in
        "\(index + 1). \(finding)".indented(by: 3, isHanging: true)
      }).joined(separator: "\n")
  }
}
