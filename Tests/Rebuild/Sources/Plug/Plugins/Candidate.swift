/// One implementation of a service that rules may select: an id, an injection, a rule and a priority.
///
/// ```swift
/// Candidate("semantic") { SemanticSearch() }.when(.feature("semantic"))
/// Candidate("voice", .factory { VoiceSearch() }, priority: 10)
/// Candidate("offline") { try OfflineSearch(files: $0.get()) }
/// ```
///
/// Candidates are listed in a ``PluginPoint``, or registered one by one with
/// ``Injector/register(as:tag:injectable:when:id:priority:fileID:line:)``.
public struct Candidate<Service: Sendable, Context: Sendable>: Sendable {
  /// The name of the candidate, which is unique in its point and for its service.
  public let id: String

  /// How an instance is made, and how long it lives.
  public private(set) var injection: Injection<Service>

  /// The priority: candidates with a higher one come first, candidates with the same one stay in declared order.
  public private(set) var priority: Int

  /// When the candidate applies.
  public private(set) var rule: Rule<Context> = .enabled

  /// The part it has in a drawing by weight, if it has a weight.
  private(set) var draw: Draw?

  /// The ids of the candidates that it comes after, and before.
  private(set) var order = CandidateOrder()

  let location: CodeLocation

  /// Stays where the candidate is copied or refined.
  let identity = CandidateIdentity()

  /// Creates a candidate that always applies.
  ///
  /// - Parameters:
  ///   - id: The name of the candidate, for explanations and tests.
  ///   - injection: How an instance is made, and how long it lives.
  ///   - priority: Candidates with a higher priority come first. It may be negative.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  public init(
    _ id: String, _ injection: Injection<Service>, priority: Int = 0, fileID: String = #fileID, line: Int = #line
  ) {
    self.id = id
    self.injection = injection
    self.priority = priority
    location = CodeLocation(fileID: fileID, line: line)
  }

  /// Creates a candidate that always applies, with a lazy singleton.
  ///
  /// - Parameters:
  ///   - id: The name of the candidate, for explanations and tests.
  ///   - priority: Candidates with a higher priority come first.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes the instance when the candidate is first selected.
  public init(
    _ id: String, priority: Int = 0, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) {
    self.init(id, .lazySingleton(nil, make), priority: priority, fileID: fileID, line: line)
  }

  /// Creates a candidate that always applies, with a lazy singleton made from other services.
  ///
  /// - Parameters:
  ///   - id: The name of the candidate, for explanations and tests.
  ///   - priority: Candidates with a higher priority come first.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes the instance from the services of the injector it receives. In a point that is used by itself,
  ///     that is ``Injector/default``.
  public init(
    _ id: String, priority: Int = 0, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) {
    self.init(id, .lazySingleton(nil, make), priority: priority, fileID: fileID, line: line)
  }

  /// Returns the candidate restricted by a rule.
  ///
  /// ```swift
  /// Candidate("wallet") { Wallet() }
  ///   .when(.atLeast(\.appVersion, SemanticVersion(3, 0, 0)))
  ///   .when(!.equals(\.country, "US"))
  /// ```
  ///
  /// - Parameter rule: When the candidate applies. If it has a rule already, both have to be satisfied.
  public func when(_ rule: Rule<Context>) -> Self {
    if rule.isAlways { return self }
    var candidate = self
    candidate.rule = self.rule.isAlways ? rule : self.rule && rule
    return candidate
  }

  /// Returns the candidate with a weight: of all with a weight and the same priority that apply, one is drawn.
  ///
  /// ```swift
  /// PluginPoint<any Checkout, Shopper>("checkout") {
  ///   Candidate("one-click") { OneClick() }.weight(20, by: \.id)
  ///   Candidate("express") { Express() }.weight(30, by: \.id)
  ///   Candidate("classic") { Classic() }.weight(50, by: \.id)
  /// }
  /// ```
  ///
  /// The one that is drawn is always the same for one identifier, and takes the place of the first of them. Those that
  /// are left follow where ``PluginPoint/plugins(in:fileID:line:)`` gives all. A candidate that is added, removed or
  /// ruled out moves only the identifiers that it wins or has won; a weight that grows moves none away from it.
  ///
  /// The draw depends on the ids of the innermost point and of the candidate, and on the identifier: it is the same on
  /// every platform and in every version of this library, whether the point is registered or used by itself.
  ///
  /// - Parameters:
  ///   - weight: How likely it is to be drawn, relative to the others. With 0 it never applies. A negative or infinite
  ///     weight makes its rule indeterminate.
  ///   - identifier: The property of the context that identifies it, such as the id of an account.
  public func weight(_ weight: Double, by identifier: any KeyPath<Context, String> & Sendable) -> Self {
    guard weight > 0, weight.isFinite, (1 / weight).isFinite else {
      let name = "weight \(shortest(weight))"
      if weight == 0 {
        return when(Rule(.condition(RuleCondition(name: name, test: { _, _ in false }, constant: false))))
      }
      return when(Rule(name) { _ in throw InvalidWeight(weight: weight) })
    }
    var candidate = self
    candidate.draw = Draw(weight, by: identifier)
    return candidate
  }

  /// Returns the candidate moved behind others, whatever their priorities.
  ///
  /// ```swift
  /// Candidate("compress") { Compress() }.after("render").before("log")
  /// ```
  ///
  /// Those that are drawn by their weights change places among each other, whatever lies between them. Apart from that,
  /// the order is by priority, and then as declared. If candidates are to come after each other in a circle, one of
  /// these orders is not kept, and ``Injector/validate(_:)`` reports a problem. An id that no candidate of the service
  /// has is a warning there.
  ///
  /// - Parameter ids: The ids of candidates of the same service.
  public func after(_ ids: String...) -> Self {
    var candidate = self
    candidate.order.after += ids
    return candidate
  }

  /// Returns the candidate moved in front of others, whatever their priorities. See ``after(_:)``.
  ///
  /// - Parameter ids: The ids of candidates of the same service.
  public func before(_ ids: String...) -> Self {
    var candidate = self
    candidate.order.before += ids
    return candidate
  }

  package func mappingInjection(_ change: (Injection<Service>) -> Injection<Service>) -> Self {
    var candidate = self
    candidate.injection = change(injection)
    return candidate
  }

}

extension Candidate where Context: Identifiable, Context.ID == String {
  /// Returns the candidate with a weight, drawn by the `id` of the context. See ``weight(_:by:)``.
  ///
  /// - Parameter weight: How likely it is to be drawn, relative to the others.
  public func weight(_ weight: Double) -> Self { self.weight(weight, by: \.id) }
}

extension Rule {
  /// Whether the rule is ``enabled``.
  var isAlways: Bool {
    if case .constant(true) = expression { true } else { false }
  }
}
