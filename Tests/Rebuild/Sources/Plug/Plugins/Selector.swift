/// The candidates of one cell, and how one of them is chosen.
///
/// Candidates that are added one by one are put in order when they are asked for, so that adding is fast.
package final class Selector: Sendable {
  private struct State {
    var elements: [Element]
    var fallback: Entry?
    /// Where each candidate was declared.
    var locations: [String: CodeLocation] = [:]
    /// The candidates in the order of choice, once they are asked for.
    var order: CandidateOrdering?
    /// Counts changes.
    var version = 0

    mutating func change(_ body: (inout Self) -> Void) {
      body(&self)
      order = nil
      version += 1
    }
  }

  package let name: String
  let rule: RuleExpression
  /// The type of the values that rules look at.
  package let contextType: any Any.Type
  private let point: CodeLocation?
  /// Whether it is that of a point which is used by itself.
  private let isStandalone: Bool
  private let state: Guarded<State>

  init(
    name: String, for contextType: any Any.Type, rule: RuleExpression = .constant(true), _ elements: [Element],
    fallback: Entry? = nil, point: CodeLocation? = nil, isStandalone: Bool = false
  ) {
    self.isStandalone = isStandalone
    self.contextType = contextType
    self.name = name
    self.rule = rule
    self.point = point
    let entries = elements.flatMap(\.entries)
    state = Guarded(
      State(
        elements: elements, fallback: fallback,
        locations: Dictionary(entries.map { ($0.id, $0.cell.registration.location) }) { first, _ in first }))
  }

  /// The cells of the candidates, in the order in which they are chosen.
  package var cells: [Cell] { order.entries.map(\.cell) }
  /// The candidate that is chosen last: a registration without a rule.
  var fallback: Cell? { state.withLock { $0.fallback }?.cell }
  /// Whether there is nothing besides the fallback.
  var isEmpty: Bool { state.withLock { $0.elements.isEmpty } }
  /// Where the point was declared that is registered as a whole.
  var pointLocation: CodeLocation? { point }
  /// Whether all candidates are contributions, which no context is needed for.
  package var isContextFree: Bool {
    contextType == Injector.self && point == nil && state.withLock { $0.elements }.allSatisfy(\.isContribution)
  }
  /// The ids by which rules ask for what is selected here.
  var pointIDs: [String] {
    guard point != nil, case .point(let id, _, _) = elements.first else { return [name] }
    return [id, name]
  }

  /// Of each candidate, whether it always applies or never; `nil` if that depends on the context.
  var constants: [Bool?] { order.constants }
  /// Of each candidate with a weight, its priority, which it shares with those among which one is drawn.
  var rivals: [Int?] { order.entries.map { $0.draw == nil ? nil : $0.priority } }
  /// How `after` and `before` have put the candidates in order.
  var sort: CandidateSort? { order.sort }
  /// What rules ask of other points.
  var prerequisites: [Prerequisite] { elements.flatMap(\.prerequisites) }

  var elements: [Element] { state.withLock { $0.elements } }

  /// The candidates in the order in which they are chosen.
  package var order: CandidateOrdering {
    if let order = state.withLock({ $0.order }) { return order }
    let (elements, fallback, version) = state.withLock { ($0.elements, $0.fallback, $0.version) }
    let new = CandidateOrdering(elements, fallback, name: name, points: isStandalone ? [name] : [], rule: rule)
    state.withLock { if $0.version == version { $0.order = new } }
    return new
  }

  /// Where the candidate with an id was declared.
  func location(of candidate: String) -> CodeLocation? { state.withLock { $0.locations[candidate] } }

  /// A selector of these candidates without their instances.
  var renewed: Selector { mapping { $0.registration } }

  /// A selector of other candidates in the places of these.
  func mapping(_ change: (Cell) -> Registration) -> Selector {
    let (elements, fallback) = state.withLock { ($0.elements, $0.fallback) }
    return Selector(
      name: name, for: contextType, rule: rule, elements.map { $0.mapping(change) }, fallback: fallback?.with(change),
      point: point)
  }

  func add(_ entry: Entry) { add(.candidate(entry)) }

  func add(_ element: Element) {
    let old = state.withLock { state in
      defer {
        state.change { state in
          state.elements.append(element)
          for entry in element.entries { state.locations[entry.id] = entry.cell.registration.location }
        }
      }
      return state.order
    }
    withExtendedLifetime(old) {}
  }

  /// Replaces the fallback.
  func setFallback(_ cell: Cell?) {
    let entry = cell.map { Entry(fallback: $0) }
    let old = state.withLock { state in
      defer { state.change { $0.fallback = entry } }
      return (state.fallback, state.order)
    }
    withExtendedLifetime(old) {}
  }

  /// Removes a candidate.
  func remove(_ id: String) -> Cell? {
    let (removed, old) = state.withLock { state -> (Entry?, State?) in
      guard state.locations[id] != nil else { return (nil, nil) }
      let old = state
      let removed = state.elements.lazy.flatMap(\.entries).first { $0.id == id }
      state.change { state in
        if let index = state.elements.firstIndex(where: { $0.isCandidate && $0.id == id }) {
          state.elements.remove(at: index)
        } else {
          state.elements = state.elements.compactMap { $0.removing(candidate: id) }
        }
        state.locations[id] = nil
      }
      return (removed, old)
    }
    withExtendedLifetime(old) {}
    return removed?.cell
  }

  /// A selector of these candidates for another context, if they need none.
  func rebased(to context: any Any.Type) -> Selector? {
    if contextType == context { return self }
    guard isContextFree else { return nil }
    let (elements, fallback) = state.withLock { ($0.elements, $0.fallback) }
    return Selector(name: name, for: context, elements, fallback: fallback)
  }
}

/// A candidate without its service's type.
package final class Entry: Sendable {
  package let id: String
  let rule: RuleExpression
  package let priority: Int
  let draw: Draw?
  let order: CandidateOrder
  package let isFallback: Bool
  package let cell: Cell

  init(
    _ id: String, _ rule: RuleExpression, priority: Int, draw: Draw? = nil,
    order: CandidateOrder = CandidateOrder(), isFallback: Bool = false, _ cell: Cell
  ) {
    self.id = id
    self.rule = rule
    self.priority = priority
    self.draw = draw
    self.order = order
    self.isFallback = isFallback
    self.cell = cell
  }

  convenience init(fallback cell: Cell) {
    self.init(Fallback.id, .constant(true), priority: .min, isFallback: true, cell)
  }

  convenience init<Service, Context>(_ candidate: Candidate<Service, Context>, _ cell: Cell) {
    self.init(
      candidate.id, candidate.rule.expression, priority: candidate.priority, draw: candidate.draw,
      order: candidate.order, cell)
  }

  /// This candidate with another registration.
  func with(_ change: (Cell) -> Registration) -> Entry {
    Entry(id, rule, priority: priority, draw: draw, order: order, isFallback: isFallback, Cell(change(cell)))
  }

  /// Whether it is drawn by its weight.
  package var isDrawn: Bool { draw != nil }

  var isContribution: Bool { rule.isAlways && draw == nil && order.isEmpty }
}

/// A candidate or a nested point.
enum Element: Sendable {
  case candidate(Entry)
  indirect case point(id: String, RuleExpression, [Element])

  /// - Parameter cell: Makes the cell of a candidate.
  init<Service, Context, Failure: Error>(
    _ element: PluginElement<Service, Context>, _ cell: (Candidate<Service, Context>) throws(Failure) -> Cell
  ) throws(Failure) {
    switch element {
    case .candidate(let candidate): self = .candidate(Entry(candidate, try cell(candidate)))
    case .point(let point):
      var elements: [Element] = []
      for inner in point.elements { elements.append(try Element(inner, cell)) }
      self = .point(id: point.id, point.rule.expression, elements)
    }
  }

  var id: String {
    switch self {
    case .candidate(let entry): entry.id
    case .point(let id, _, _): id
    }
  }

  var isCandidate: Bool { if case .candidate = self { true } else { false } }

  var isContribution: Bool { if case .candidate(let entry) = self { entry.isContribution } else { false } }

  var entries: [Entry] {
    switch self {
    case .candidate(let entry): [entry]
    case .point(_, _, let elements): elements.flatMap(\.entries)
    }
  }

  var prerequisites: [Prerequisite] {
    switch self {
    case .candidate(let entry): entry.rule.prerequisites
    case .point(_, let rule, let elements): rule.prerequisites + elements.flatMap(\.prerequisites)
    }
  }

  func mapping(_ change: (Cell) -> Registration) -> Self {
    switch self {
    case .candidate(let entry): .candidate(entry.with(change))
    case .point(let id, let rule, let elements): .point(id: id, rule, elements.map { $0.mapping(change) })
    }
  }

  func removing(candidate id: String) -> Self? {
    switch self {
    case .candidate(let entry): return entry.id == id ? nil : self
    case .point(let own, let rule, let elements):
      return .point(id: own, rule, elements.compactMap { $0.removing(candidate: id) })
    }
  }
}

/// The id of a registration without a rule, which is chosen last.
package enum Fallback {
  package static let id = "default"
}

extension RuleExpression {
  var isAlways: Bool { if case .constant(true) = self { true } else { false } }
}
