/// An ordered list of candidates for one service, chosen by rules on a context; points may be nested.
///
/// ```swift
/// let search = PluginPoint<any SearchProvider, Shopper>("search") {
///   Candidate("catalogue") { CatalogueSearch() }
///   Candidate("semantic") { SemanticSearch() }.when(.feature("semantic"))
///   PluginPoint("beta", when: .feature("beta")) {
///     Candidate("voice", .factory { VoiceSearch() }, priority: 10)
///   }
/// }
/// search.plugins(in: shopper)         // all that apply, in order
/// search.first(in: shopper)           // the winner
/// print(search.explain(in: shopper))  // why each is in or out
/// ```
///
/// Candidates of nested points compete with all others: by priority first, then in declared order. The rule of a point
/// gates everything inside it. Only instances that are returned are made.
///
/// A point can be used by itself, nested in another, or registered in an ``Injector``. Used by itself, its lazy
/// singletons belong to the point and its copies, and factories are handed ``Injector/default``; an outer point and
/// each injector make their own.
///
/// Points can lie one inside of the other 100 deep. One with more in it cannot be asked or registered:
/// ``InjectorError/depthExceeded(_:depth:)``.
public struct PluginPoint<Service: Sendable, Context: Sendable>: Sendable {
  /// The name of the point.
  public let id: String

  /// When the point is open.
  public let rule: Rule<Context>

  /// What the point consists of, in declared order.
  public internal(set) var elements: [PluginElement<Service, Context>] {
    didSet {
      if !isTooDeep {
        selector = Selector(name: id, rule: rule, elements: elements, location: location, reusing: selector.cells)
      }
    }
  }

  let location: CodeLocation
  @usableFromInline private(set) var selector: Selector<Service, Context>

  /// Whether points were nested in it deeper than the limit. What it had is gone, and whoever asks it is told so.
  let isTooDeep: Bool

  /// Creates a point.
  ///
  /// - Parameters:
  ///   - id: The name of the point.
  ///   - rule: When it is open; always, if not given.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - elements: Its candidates and nested points.
  public init(
    _ id: String, when rule: Rule<Context> = .enabled, fileID: String = #fileID, line: Int = #line,
    @PluginBuilder<Service, Context> _ elements: () -> [PluginElement<Service, Context>]
  ) {
    let elements = elements()
    let location = CodeLocation(fileID: fileID, line: line)
    isTooDeep = elements.contains { $0.isTooDeep || $0.depth >= Self.depthLimit }
    self.id = id
    self.rule = rule
    self.location = location
    self.elements = isTooDeep ? [] : elements
    selector = Selector(
      name: id, rule: rule, elements: isTooDeep ? [Self.tooDeep(id, location)] : elements, location: location)
  }

  /// The ids of all candidates, nested ones too, in declared order.
  public var candidateIDs: [String] { elements.flatMap(\.candidates).map(\.id) }
}

extension PluginPoint {
  /// How deep points may be nested: what goes through them level by level must not overflow the stack of a thread.
  static var depthLimit: Int { 100 }

  /// What stands in a point for all that has been nested too deep.
  private static func tooDeep(_ id: String, _ location: CodeLocation) -> PluginElement<Service, Context> {
    let refuse: @Sendable () throws -> Service = { throw depthExceeded(id, location) }
    return .candidate(Candidate("nested too deep", .factory(refuse), fileID: location.fileID, line: location.line))
  }

  static func depthExceeded(_ id: String, _ location: CodeLocation) -> InjectorError {
    .depthExceeded(facts(id, at: location), depth: depthLimit + 1)
  }
}
