/// An ordered list of candidates for one service, which rules on a context select from. Points can be nested.
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
/// The candidates of nested points compete with all others, by priority first and then in declared order. The rule of a
/// point gates everything inside it. Only the instances that are returned are made.
///
/// Use a point by itself, nest it in another one, or register it in an ``Injector``. A point that is used by itself
/// shares its lazy singletons with its copies, and passes ``Injector/default`` to factories. A point around it, and
/// each injector it is registered in, make instances of their own.
///
/// A point is a value that can be used from any thread. Points can be nested up to 100 deep. Using or registering a
/// deeper one fails with ``InjectorError/depthExceeded(_:depth:)``.
public struct PluginPoint<Service: Sendable, Context: Sendable>: Sendable {
  /// The name of the point, which explanations show and tests refer to.
  public let id: String

  /// When the point is open. While it is not, no candidate inside it applies.
  public let rule: Rule<Context>

  /// The candidates and nested points, in declared order.
  public internal(set) var elements: [PluginElement<Service, Context>] {
    didSet { (home, knownIDs) = (PointHome(sharing: home), nil) }
  }

  /// The ids of all candidates, once several have been added.
  var knownIDs: Set<String>?

  let location: CodeLocation
  /// What keeps the instances where the point is used by itself. Copies share it.
  private(set) var home = PointHome()

  /// How many points are nested in each other here.
  var depth: Int

  /// Whether they are more than the limit. The elements are gone then, and using the point throws.
  var isTooDeep: Bool { depth > Self.depthLimit }

  /// Creates a point.
  ///
  /// - Parameters:
  ///   - id: The name of the point.
  ///   - rule: When the point is open; by default always.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - elements: The candidates and nested points.
  public init(
    _ id: String, when rule: Rule<Context> = .enabled, fileID: String = #fileID, line: Int = #line,
    @PluginBuilder<Service, Context> _ elements: () -> [PluginElement<Service, Context>]
  ) {
    let elements = elements()
    let location = CodeLocation(fileID: fileID, line: line)
    depth = Self.depth(of: elements)
    self.id = id
    self.rule = rule
    self.location = location
    self.elements = depth > Self.depthLimit ? [] : elements
  }

  /// What is chosen from where the point is used by itself.
  var standaloneElements: [PluginElement<Service, Context>] { isTooDeep ? [Self.tooDeep(id, location)] : elements }

  /// The ids of all candidates, including those of nested points, in declared order.
  public var candidateIDs: [String] { elements.flatMap(\.candidates).map(\.id) }
}

extension PluginPoint {
  /// How deep points may be nested. Recursion over them must not overflow a thread's stack.
  static var depthLimit: Int { 100 }

  static func depth(of elements: [PluginElement<Service, Context>]) -> Int {
    elements.reduce(1) { max($0, $1.depth + 1) }
  }

  /// The element that stands in for everything that was nested too deep.
  private static func tooDeep(_ id: String, _ location: CodeLocation) -> PluginElement<Service, Context> {
    let refuse: @Sendable () throws -> Service = { throw depthExceeded(id, location) }
    return .candidate(Candidate("nested too deep", .factory(refuse), fileID: location.fileID, line: location.line))
  }

  static func depthExceeded(_ id: String, _ location: CodeLocation) -> InjectorError {
    .depthExceeded(facts(id, at: location), depth: depthLimit + 1)
  }
}
