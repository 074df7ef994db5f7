/// One implementation of a service that may be chosen: an id, an injection, a rule and a priority.
///
/// ```swift
/// Candidate("semantic") { SemanticSearch() }.when(.feature("semantic"))
/// Candidate("voice", .factory { VoiceSearch() }, priority: 10)
/// ```
public struct Candidate<Service: Sendable, Context: Sendable>: Sendable {
  /// The name of the candidate; no other in its point has the same.
  public let id: String

  /// How its instance is made, and how long it lives.
  public let injection: Injection<Service>

  /// Candidates with a higher priority come first; those with the same in declared order.
  public private(set) var priority: Int

  /// When the candidate applies.
  public private(set) var rule: Rule<Context> = .enabled

  let location: CodeLocation

  /// Creates a candidate that always applies.
  public init(
    _ id: String, _ injection: Injection<Service>, priority: Int = 0, fileID: String = #fileID, line: Int = #line
  ) {
    self.id = id
    self.injection = injection
    self.priority = priority
    location = CodeLocation(fileID: fileID, line: line)
  }

  /// Creates a candidate with a lazy singleton that always applies.
  public init(
    _ id: String, priority: Int = 0, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) {
    self.init(id, .lazySingleton(nil, make), priority: priority, fileID: fileID, line: line)
  }

  /// Creates a candidate with a lazy singleton, made from other services, that always applies.
  public init(
    _ id: String, priority: Int = 0, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) {
    self.init(id, .lazySingleton(nil, make), priority: priority, fileID: fileID, line: line)
  }

  /// Returns the candidate, applying only where the rule is satisfied too.
  public func when(_ rule: Rule<Context>) -> Self {
    var candidate = self
    candidate.rule = self.rule.isAlways ? rule : self.rule && rule
    return candidate
  }

  /// The candidate with another rule and priority.
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
