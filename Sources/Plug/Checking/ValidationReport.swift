/// The result of ``Injector/validate(strict:)``.
///
/// ```swift
/// print(try services.validate())
/// ```
///
/// `description` prints the whole report.
public struct ValidationReport: Sendable, Hashable {
  let injector: String?

  /// The number of services that were checked.
  public let serviceCount: Int

  /// The registrations that would fail. If there are any, ``Injector/validate(strict:)`` throws.
  public let problems: [Problem]

  /// The names of registrations with unknown dependencies, which are neither declared nor recorded.
  ///
  /// - Complexity: O(*n* log *n*) for *n* services, because the names are made when they are read.
  public var opaque: [String] { opaqueServices.names }
  let opaqueServices: OpaqueServices

  /// Services whose dependencies are unknown. They are compared by their names, since their order means nothing.
  struct OpaqueServices: Sendable, Hashable {
    let services: [ServiceName]
    /// The services among which names are distinct.
    let keys: [Key]

    var names: [String] { services.map(DistinctNames(keys).name).alphabetical }

    static func == (first: Self, second: Self) -> Bool { first.names == second.names }

    func hash(into hasher: inout Hasher) { hasher.combine(names) }
  }

  /// A fault in the registrations.
  public struct Problem: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Int, Sendable {
      /// A service is needed but not registered.
      case missing

      /// A circular dependency: a service needs itself.
      case circular

      /// A captive dependency: an instance would keep another one with a shorter lifetime.
      case captive

      /// A service is needed whose candidates are selected by a context that is not registered.
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
    let opaque = opaque
    if !opaque.isEmpty, !problems.contains(where: { $0.kind == .opaque }) {
      text += "\nopaque until they run, because they declare no dependencies: " + opaque.joined(separator: ", ")
    }
    return text
  }
}
