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
  public var id: String { box.value.id }

  /// How an instance is made, and how long it lives.
  public var injection: Injection<Service> { box.value.injection.open() }

  /// The priority: candidates with a higher one come first, candidates with the same one stay in declared order.
  public var priority: Int { box.value.priority }

  /// When the candidate applies.
  public var rule: Rule<Context> { Rule(box.value.rule, depth: box.value.depth) }

  private let box: Boxed<AnyCandidate>

  var parts: AnyCandidate { box.value }

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
    let both = self.rule.isAlways ? rule : self.rule && rule
    return changed { ($0.rule, $0.depth) = (both.expression, both.depth) }
  }

  /// Returns the candidate restricted by a property of the context that is `true` or `false`.
  ///
  /// ```swift
  /// Candidate("staff") { StaffSearch() }.when(\.isStaff)
  /// ```
  ///
  /// - Parameter property: The property that has to be `true`.
  public func when(_ property: any KeyPath<Context, Bool> & Sendable) -> Self { when(.equals(property, true)) }

  /// Returns the candidate restricted by a condition of your own.
  ///
  /// ```swift
  /// Candidate("bulk") { BulkSearch() }.when { $0.wishes.count > 100 }
  /// ```
  ///
  /// Explanations show where the condition stands. Give it a name instead, as ``Rule/init(_:_:)-(_,(Context)->Bool)``
  /// does, if users of your app should understand why it did not apply.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for explanations.
  ///   - line: The line of the call, for explanations.
  ///   - condition: Returns whether the candidate applies. If it throws, the candidate does not.
  public func when(
    fileID: String = #fileID, line: Int = #line, where condition: @escaping @Sendable (Context) throws -> Bool
  ) -> Self {
    when(Rule("the condition at \(fileID):\(line)", condition))
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
        return when(Rule(.condition(RuleCondition(name, { _, _ in false }, constant: false))))
      }
      return when(Rule(name) { _ in throw RuleFailure("\(shortest(weight)) is not a weight") })
    }
    return changed { $0.draw = Draw(weight, by: identifier) }
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

  private func changed(_ change: (inout AnyCandidate) -> Void) -> Self {
    var parts = parts
    change(&parts)
    return Candidate(Boxed(parts))
  }

  private init(_ box: Boxed<AnyCandidate>) { self.box = box }
}

extension Candidate where Context: Identifiable, Context.ID == String {
  /// Returns the candidate with a weight, drawn by the `id` of the context. See ``weight(_:by:)``.
  ///
  /// - Parameter weight: How likely it is to be drawn, relative to the others.
  public func weight(_ weight: Double) -> Self { self.weight(weight, by: \.id) }
}

// Nobody can call these: with them, the compiler says what is wrong with a likely mistake, and what to write.
// `Tests/Refused` shows each one.
extension Candidate {
  /// Refuses a candidate without an id.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "a candidate needs an id: Candidate(\"name\") { … }")
  public init(_ make: @escaping @isolated(any) @Sendable () throws -> Service) { fatalError() }

  /// Refuses a candidate without an id.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "a candidate needs an id: Candidate(\"name\", .factory { … })")
  public init(_ injection: Injection<Service>) { fatalError() }

  /// Refuses an asynchronous closure by itself.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "use Candidate(\"name\", .lazySingleton { try await … }), and load it")
  public init(
    _ id: String, priority: Int = 0, _ load: @escaping @Sendable () async throws -> Service
  ) { fatalError() }
}

extension Rule {
  /// Whether the rule is ``enabled``.
  var isAlways: Bool { expression.isAlways }
}

/// A candidate without the types of its service and its context.
struct AnyCandidate: Sendable {
  let id: String
  /// A box with the injection, and what it defines.
  var injection: AnyBox
  var definition: Definition
  let priority: Int
  let location: CodeLocation
  var rule = RuleExpression.constant(true)
  /// How many compositions are nested in each other in the rule.
  var depth = 0
  /// The part it has in a drawing by weight, if it has a weight.
  var draw: Draw?
  /// The ids of the candidates that it comes after, and before.
  var order = CandidateOrder()
  /// Tells the candidate from others that have its id. It stays where the candidate is refined.
  let number = Work.makeID()

  func registration(_ key: Key, depth: Int32) -> Registration {
    Registration(
      key, definition.lifetime, definition.recipe, instance: definition.instance, candidate: id, depth: depth,
      location: location)
  }

  /// A registration without a rule, which is chosen last.
  static let fallback = AnyCandidate(
    id: Fallback.id, injection: AnyBox(), definition: Definition(.factory, .unused), priority: .min,
    location: CodeLocation(fileID: "", line: 0))
}
