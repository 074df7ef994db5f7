/// An implementation of a service that rules can select: an id, an injection, a rule and a priority.
///
/// ```swift
/// Candidate("semantic") { SemanticSearch() }.when(.feature("semantic"))
/// Candidate("voice", .factory { VoiceSearch() }, priority: 10)
/// Candidate("offline") { try OfflineSearch(files: $0.get()) }
/// ```
///
/// Candidates are listed in a ``PluginPoint``, or registered one by one with
/// ``Injector/contribute(_:tag:_:when:id:priority:fileID:line:)``.
public struct Candidate<Service: Sendable, Context: Sendable>: Sendable {
  /// The name of the candidate, which is unique in its point and its service.
  public var id: String { box.value.id }

  private var injection: Injection<Service> { box.value.injection.open() }

  var rule: Rule<Context> { Rule(box.value.rule, depth: box.value.depth) }

  let box: Boxed<AnyCandidate>

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
    box = Boxed(
      AnyCandidate(
        id: id, injection: Box(injection), definition: injection.definition, priority: priority,
        location: CodeLocation(fileID: fileID, line: line)))
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
    self.init(id, .lazySingleton(make), priority: priority, fileID: fileID, line: line)
  }

  /// Creates a candidate that always applies, with a lazy singleton made from other services.
  ///
  /// - Parameters:
  ///   - id: The name of the candidate, for explanations and tests.
  ///   - priority: Candidates with a higher priority come first.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes the instance from the services of the injector it receives. In a point that is used without an
  ///     injector, the closure receives ``Injector/default``.
  public init(
    _ id: String, priority: Int = 0, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) {
    self.init(id, .lazySingleton(make), priority: priority, fileID: fileID, line: line)
  }

  /// Returns the candidate restricted by a rule.
  ///
  /// ```swift
  /// Candidate("wallet") { Wallet() }
  ///   .when(.atLeast(\.age, 18))
  ///   .when(!.equals(\.country, "US"))
  /// ```
  ///
  /// - Parameter rule: The rule. If the candidate already has a rule, both must be satisfied.
  public func when(_ rule: Rule<Context>) -> Self {
    if rule.expression.isAlways { return self }
    let both = self.rule && rule
    return changed { ($0.rule, $0.depth) = (both.expression, both.depth) }
  }

  /// Returns the candidate restricted by a condition of your own.
  ///
  /// ```swift
  /// Candidate("bulk") { BulkSearch() }.when { $0.wishes.count > 100 }
  /// ```
  ///
  /// Explanations show the source location of the condition. Give it a name with
  /// ``Rule/init(_:_:)-(_,(Context)->Bool)`` if users of your app should understand why the candidate did not apply.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for explanations.
  ///   - line: The line of the call, for explanations.
  ///   - condition: Returns whether the candidate applies. If it throws, the candidate does not apply.
  public func when(
    fileID: String = #fileID, line: Int = #line, where condition: @escaping @Sendable (Context) throws -> Bool
  ) -> Self {
    when(Rule("the condition at \(fileID):\(line)", condition))
  }

  /// Returns the candidate with a weight: one of the applicable candidates with weights and equal priority is drawn.
  ///
  /// ```swift
  /// PluginPoint<any Checkout, Shopper>("checkout") {
  ///   Candidate("one-click") { OneClick() }.weight(20, by: \.id)
  ///   Candidate("express") { Express() }.weight(30, by: \.id)
  ///   Candidate("classic") { Classic() }.weight(50, by: \.id)
  /// }
  /// ```
  ///
  /// An identifier always draws the same candidate, which moves to the position of the first candidate in the draw. In
  /// ``PluginPoint/plugins(in:fileID:line:)``, the others follow. Adding, removing or ruling out a candidate affects
  /// only the identifiers that it wins or has won. A candidate whose weight grows keeps all of its identifiers.
  ///
  /// A draw always has a winner: all contexts with an empty identifier, or none, draw the same candidate. Restrict the
  /// candidates by a rule if these contexts should not take part.
  ///
  /// The draw depends on the ids of the innermost point and of the candidate, and on the identifier. It is the same on
  /// every platform and in every version of this library, whether or not the point is registered.
  ///
  /// - Parameters:
  ///   - weight: The likelihood of the candidate, relative to the other weights. With 0 it never applies. A negative or
  ///     infinite weight makes its rule indeterminate.
  ///   - identifier: The property of the context with the identifier, such as the id of an account: a string, a number
  ///     or a UUID, which may be optional.
  public func weight<ID: Comparable & CustomStringConvertible & Sendable>(
    _ weight: Double, by identifier: any KeyPath<Context, ID> & Sendable
  ) -> Self { weighted(weight, by: Identity(identifier)) }

  /// Returns the candidate with a weight. All contexts without an identifier draw the same candidate.
  @_documentation(visibility: internal)
  public func weight<ID: Comparable & CustomStringConvertible & Sendable>(
    _ weight: Double, by identifier: any KeyPath<Context, ID?> & Sendable
  ) -> Self { weighted(weight, by: Identity(identifier)) }

  private func weighted(_ weight: Double, by identity: Identity<Context>) -> Self {
    guard weight > 0, weight.isFinite, (1 / weight).isFinite else {
      let name = "weight \(shortest(weight))"
      if weight == 0 { return when(Rule(.condition(RuleCondition(name, { _, _ in false }, .init(isNever: true))))) }
      return when(Rule(name) { _ in throw RuleFailure("\(shortest(weight)) is not a weight") })
    }
    return changed { $0.draw = Draw(weight, by: identity) }
  }

  /// Returns the candidate moved behind others, whatever their priorities.
  ///
  /// ```swift
  /// Candidate("compress") { Compress() }.after("render").before("log")
  /// ```
  ///
  /// A draw by weight only exchanges the positions of its candidates. Apart from that, candidates are ordered by
  /// priority, then by declaration. If these constraints form a cycle, some of them are ignored. `audit()` of
  /// PlugOperations reports such a cycle, and an id that no candidate of the service has.
  ///
  /// - Parameter ids: The ids of candidates of the same service.
  public func after(_ ids: String...) -> Self {
    changed { $0.order.after += ids }
  }

  /// Returns the candidate moved in front of others, whatever their priorities. See ``after(_:)``.
  ///
  /// - Parameter ids: The ids of candidates of the same service.
  public func before(_ ids: String...) -> Self {
    changed { $0.order.before += ids }
  }

  package func mappingInjection(_ change: (Injection<Service>) -> Injection<Service>) -> Self {
    let injection = change(injection)
    return changed { ($0.injection, $0.definition) = (Box(injection), injection.definition) }
  }

  package func keeping(_ assignments: Assignments) -> Self { changed { $0.draw?.assignments = assignments } }

  private func changed(_ change: (inout AnyCandidate) -> Void) -> Self {
    var parts = box.value
    change(&parts)
    return Candidate(Boxed(parts))
  }

  init(_ box: Boxed<AnyCandidate>) { self.box = box }
}

// Unavailable overloads, with which the compiler explains a likely mistake and its fix. `Tests/Refused` shows each one.
extension Candidate {
  /// Refuses a weight without an identifier.
  @available(*, unavailable, message: "a weight needs an identifier: .weight(20, by: \\.id)")
  public func weight(_ weight: Double) -> Self { fatalError() }

  /// Refuses a candidate without an id.
  @available(*, unavailable, message: "a candidate needs an id: Candidate(\"name\") { … }")
  public init(_ make: @escaping @isolated(any) @Sendable () throws -> Service) { fatalError() }

  /// Refuses a candidate without an id.
  @available(*, unavailable, message: "a candidate needs an id: Candidate(\"name\", .factory { … })")
  public init(_ injection: Injection<Service>) { fatalError() }

  /// Refuses an asynchronous closure without a lifetime.
  @available(*, unavailable, message: "use Candidate(\"name\", .lazySingleton { try await … }), and load it")
  public init(
    _ id: String, priority: Int = 0, _ load: @escaping @Sendable () async throws -> Service
  ) { fatalError() }
}

/// A candidate without the types of its service and its context.
struct AnyCandidate: Sendable {
  let id: String
  /// A box with the injection, and its definition.
  var injection: AnyBox
  var definition: Definition
  let priority: Int
  let location: CodeLocation
  var rule = RuleExpression.constant(true)
  /// The number of levels of nested compositions in the rule.
  var depth = 0
  /// The candidate's part in a draw; `nil` without a weight.
  var draw: Draw?
  /// The constraints on the candidate's position.
  var order = CandidateOrder()
  /// Distinguishes the candidate from others with its id. Modifiers do not change it.
  let number = Work.makeID()

  func registration(_ key: Key, depth: Int32, at location: CodeLocation) -> Registration {
    Registration(
      key, definition.lifetime, definition.recipe, instance: definition.instance, candidate: id, depth: depth,
      location: location)
  }

  /// The candidate for a registration without a rule, which is chosen last.
  static let fallback = AnyCandidate(
    id: fallbackID, injection: AnyBox(), definition: Definition(.factory, .unused), priority: 0,
    location: CodeLocation(fileID: "", line: 0))
}

/// The constraints on a candidate's position among the candidates of its service, in addition to its priority.
struct CandidateOrder: Sendable {
  /// The ids of the candidates that precede this one (`after`) and follow it (`before`).
  var after: [String] = []
  var before: [String] = []

  var isEmpty: Bool { after.isEmpty && before.isEmpty }
}
