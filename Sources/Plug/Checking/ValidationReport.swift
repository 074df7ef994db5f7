/// The result of ``Injector/validate(strict:)``.
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

  /// The registrations that would fail. If there are any, ``Injector/validate(strict:)`` throws.
  public let problems: [Problem]

  /// The registrations that work only if they are requested in a certain way.
  public let warnings: [Problem]

  /// The names of registrations with unknown dependencies, which are neither declared nor recorded.
  ///
  /// - Complexity: O(*n* log *n*) for *n* services, because the names are made when they are read.
  public var opaque: [String] { names.make() }
  private let names: Names

  private struct Names: Sendable, Hashable {
    let make: @Sendable () -> [String]

    static func == (first: Self, second: Self) -> Bool { first.make() == second.make() }
    func hash(into hasher: inout Hasher) { hasher.combine(make()) }
  }

  init(
    injector: String?, serviceCount: Int, problems: [Problem], warnings: [Problem],
    opaque: @autoclosure @escaping @Sendable () -> [String]
  ) {
    (self.injector, self.serviceCount, self.problems) = (injector, serviceCount, problems)
    (self.warnings, names) = (warnings, Names(make: opaque))
  }

  /// A fault in the registrations.
  public struct Problem: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
      /// A service is needed but not registered. As a warning: a caller that can do without the service has requested
      /// it.
      case missing

      /// A circular dependency: a service needs itself.
      case circular

      /// A captive dependency: an instance would keep another one with a shorter lifetime.
      case captive

      /// A service is needed whose candidates are selected by a context that is not registered. As a warning: only
      /// requests with a context can select one.
      case contextMissing

      /// The dependencies are neither declared nor recorded. Only a strict validation reports this problem.
      case opaque
    }

    let kind: Kind

    /// The affected service or candidate.
    public let subject: String

    /// The services that need the subject, the path of a cycle or capture, or the reason.
    public let details: [String]

    /// Where the subject is registered, or, if it is not registered, where it is needed.
    public let registeredAt: CodeLocation

    /// The problem, its location, and a fix.
    public let description: String

    init(
      _ kind: Kind, _ subject: String, _ details: [String], _ registeredAt: CodeLocation, _ description: String
    ) {
      (self.kind, self.subject, self.details) = (kind, subject, details)
      (self.registeredAt, self.description) = (registeredAt, description)
    }
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
      text += "\n" + "warning: \(warning)".indented(by: 3, isHanging: true)
    }
    let opaque = opaque
    if !opaque.isEmpty, !problems.contains(where: { $0.kind == .opaque }) {
      text += "\nopaque until they run, because they declare no dependencies: " + opaque.joined(separator: ", ")
    }
    return text
  }
}
