/// An ordered list of candidates for a service, from which rules select by a context. Points can be nested.
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
/// Candidates of nested points compete with all others, by priority first and then in declared order. The rule of a
/// point applies to all of its elements. Only the returned instances are made.
///
/// You can use a point without an injector, nest it in another point, or register it in an ``Injector``. Without an
/// injector, a point shares its lazy singletons with its copies, and passes ``Injector/default`` to factories. An
/// enclosing point, and each injector in which the point is registered, make instances of their own.
///
/// A point is a value, and can be used from any thread. Points can be nested up to 100 deep. Using or registering a
/// deeper one fails with ``InjectorError/depthExceeded(_:depth:)``.
public struct PluginPoint<Service: Sendable, Context: Sendable>: Sendable {
  /// The name of the point, by which explanations, rules and tests refer to it.
  public let id: String

  /// The rule that decides when the point is open. In a closed point, no candidate applies.
  public let rule: Rule<Context>

  /// The candidates and nested points, in declared order.
  var elements: [PluginElement] {
    didSet { home = PointHome(sharing: home) }
  }
  /// The locations of the candidates, by their ids; `nil` until a candidate is added.
  private var locations: [String: CodeLocation]?

  let location: CodeLocation
  /// The owner of the instances if the point is used without an injector. Copies share it.
  private(set) var home = PointHome()

  /// Whether points are nested too deeply. Such a point has one candidate, which throws.
  let isTooDeep: Bool

  /// Creates a point.
  ///
  /// - Parameters:
  ///   - id: The name of the point.
  ///   - rule: When the point is open; by default always.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - elements: The candidates and nested points.
  public init(
    _ id: String, when rule: Rule<Context> = .always, fileID: String = #fileID, line: Int = #line,
    @PluginBuilder<Service, Context> _ elements: () -> PluginBuilder<Service, Context>
  ) {
    self.elements = elements().elements
    isTooDeep = self.elements.depth > Self.depthLimit
    self.id = id
    self.rule = rule
    location = CodeLocation(fileID: fileID, line: line)
    if !isTooDeep { return }
    let error = depthExceeded
    let refusing = Candidate<Service, Context>(
      "nested too deep", .factory { () throws -> Service in throw error }, fileID: fileID, line: line)
    // The level makes each point around this one too deep.
    self.elements = [PluginElement(id: refusing.id, candidate: refusing.box, level: Self.depthLimit)]
  }

  /// The ids of all candidates, including those of nested points, in declared order.
  public var candidateIDs: [String] { elements.candidates.map(\.id) }

  /// Returns the point with changed candidates, those of nested points included.
  package func mapping(_ change: (Candidate<Service, Context>) -> Candidate<Service, Context>) -> Self {
    if isTooDeep { return self }
    var point = self
    point.elements = elements.map { $0.mapping(change) }
    return point
  }
}

extension PluginPoint {
  /// The maximum depth. It keeps recursion over nested points from overflowing a thread's stack.
  static var depthLimit: Int { 100 }

  var depthExceeded: InjectorError { .depthExceeded(facts(at: location), depth: Self.depthLimit + 1) }

  /// The facts about a failure of a point that is used without an injector.
  func facts(candidate: String? = nil, at location: CodeLocation) -> InjectorError.Facts {
    var facts = InjectorError.Facts(about: Key(Service.self), candidate: candidate, in: .default)
    (facts.values.point, facts.values.registeredAt) = (id, location)
    return facts
  }
}

extension PluginPoint {
  /// Adds a candidate or a nested point at the end.
  ///
  /// ```swift
  /// var search = standardSearch
  /// try search.add(Candidate("voice") { VoiceSearch() })
  /// ```
  ///
  /// Existing candidates keep their instances.
  ///
  /// - Parameter part: The candidate or point. Its candidates compete with the existing ones by their priorities.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` if a candidate of this point, or of a nested one, has the id of
  ///   an added candidate; ``InjectorError/depthExceeded(_:depth:)`` if points are nested too deep. An addition that
  ///   throws changes nothing.
  public mutating func add<Part: PluginPart>(_ part: Part) throws(InjectorError)
  where Part.Service == Service, Part.Context == Context {
    let parts = part.pluginParts.elements
    var locations = locations ?? [:]
    if locations.isEmpty {
      for candidate in elements.candidates { locations[candidate.id] = candidate.location }
    }
    self.locations = nil  // Or the change would copy it.
    for candidate in parts.candidates {
      if let namesake = locations.updateValue(candidate.location, forKey: candidate.id) {
        throw .alreadyRegistered(facts(candidate: candidate.id, at: namesake))
      }
    }
    if isTooDeep || parts.depth > Self.depthLimit { throw depthExceeded }
    elements.append(contentsOf: parts)
    self.locations = locations
  }

  /// Removes the candidates and nested points with an id, at any depth.
  ///
  /// Other candidates keep their instances.
  ///
  /// - Parameter id: The id of a candidate or a nested point.
  /// - Returns: Whether the point had such an element.
  @discardableResult
  public mutating func remove(_ id: String) -> Bool {
    // The level of a removed point, while its elements follow.
    var removed: Int?
    let rest = elements.filter { element in
      if let level = removed, element.level > level { return false }
      removed = element.id == id ? element.level : nil
      return removed == nil
    }
    if rest.count == elements.count { return false }
    (elements, locations) = (rest, nil)
    return true
  }
}

// Unavailable overloads, with which the compiler explains a likely mistake and its fix. `Tests/Refused` shows each one.
extension PluginPoint {
  /// Refuses a point without an id.
  @available(*, unavailable, message: "a point needs an id: PluginPoint<any Search, Shopper>(\"search\") { … }")
  public init(
    when rule: Rule<Context> = .always,
    @PluginBuilder<Service, Context> _ elements: () -> PluginBuilder<Service, Context>
  ) { fatalError() }
}
