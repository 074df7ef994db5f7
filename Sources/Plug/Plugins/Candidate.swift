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
  public let injection: Injection<Service>

  /// The priority: candidates with a higher one come first, candidates with the same one stay in declared order.
  public private(set) var priority: Int

  /// When the candidate applies.
  public private(set) var rule: Rule<Context> = .enabled

  let location: CodeLocation

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
    var candidate = self
    candidate.rule = self.rule.isAlways ? rule : self.rule && rule
    return candidate
  }

  /// Returns the candidate with another rule and priority.
  func ruled(by rule: Rule<Context>, priority: Int) -> Self {
    var candidate = self
    candidate.rule = rule
    candidate.priority = priority
    return candidate
  }
}

extension Rule {
  /// Whether the rule is ``enabled``.
  var isAlways: Bool {
    if case .constant(true) = expression { true } else { false }
  }
}
