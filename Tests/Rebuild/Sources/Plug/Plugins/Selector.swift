/// The candidates of one cell, and how one of them is chosen.
///
/// Candidates that are added one by one are put in order when they are asked for, so that adding is fast.
final class Selector<Context: Sendable>: AnySelector, @unchecked Sendable {
  // Soundness of the unchecked conformance: the state is guarded, and the rest is constant.
  private struct State {
    var elements: [Element<Context>]
    var fallback: Entry<Context>?
    /// Where each candidate was declared.
    var locations: [String: CodeLocation] = [:]
    /// The candidates in the order of choice, once they are asked for.
    var order: CandidateOrdering<Context>?
    /// Counts changes.
    var version = 0

    mutating func change(_ body: (inout Self) -> Void) {
      body(&self)
      order = nil
      version += 1
    }
  }

  let name: String
  let rule: Rule<Context>
  private let point: CodeLocation?
  private let state: Guarded<State>

  init(
    name: String, rule: Rule<Context> = .enabled, _ elements: [Element<Context>], fallback: Entry<Context>? = nil,
    point: CodeLocation? = nil
  ) {
    self.name = name
    self.rule = rule
    self.point = point
    let entries = elements.flatMap(\.entries)
    state = Guarded(
      State(
        elements: elements, fallback: fallback,
        locations: Dictionary(entries.map { ($0.id, $0.cell.registration.location) }) { first, _ in first }))
  }

  override var contextType: any Any.Type { Context.self }
  override var cells: [Cell] { order.entries.map(\.cell) }
  override var fallback: Cell? { state.withLock { $0.fallback }?.cell }
  override var isEmpty: Bool { state.withLock { $0.elements.isEmpty } }
  override var pointLocation: CodeLocation? { point }
  override var isContextFree: Bool {
    Context.self == Injector.self && point == nil && state.withLock { $0.elements }.allSatisfy(\.isContribution)
  }
  override var pointIDs: [String] {
    guard point != nil, case .point(let id, _, _) = elements.first else { return [name] }
    return [id, name]
  }

  override var constants: [Bool?] { order.constants }
  override var rivals: [Int?] { order.entries.map { $0.draw == nil ? nil : $0.priority } }
  override var sort: CandidateSort? { order.sort }
  override var prerequisites: [Prerequisite] { elements.flatMap(\.prerequisites) }

  var elements: [Element<Context>] { state.withLock { $0.elements } }

  /// The candidates in the order in which they are chosen.
  var order: CandidateOrdering<Context> {
    if let order = state.withLock({ $0.order }) { return order }
    let (elements, fallback, version) = state.withLock { ($0.elements, $0.fallback, $0.version) }
    let new = CandidateOrdering(elements, fallback, name: name, rule: rule)
    state.withLock { if $0.version == version { $0.order = new } }
    return new
  }

  override func location(of candidate: String) -> CodeLocation? { state.withLock { $0.locations[candidate] } }

  override func mapping(_ change: (Cell) -> Registration) -> AnySelector {
    let (elements, fallback) = state.withLock { ($0.elements, $0.fallback) }
    return Selector(
      name: name, rule: rule, elements.map { $0.mapping(change) }, fallback: fallback?.with(change), point: point)
  }

  func add(_ entry: Entry<Context>) { add(.candidate(entry)) }

  func add(_ element: Element<Context>) {
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

  override func add(_ contribution: Contribution) { add(Entry(contribution)) }

  override func chosen(
    in context: any Sendable, for injector: Injector, _ registration: Registration, limit: Int
  ) throws(InjectorError) -> [Cell] {
    guard let context = context as? Context else {
      throw injector.contextMismatch(registration, expected: Context.self, found: type(of: context))
    }
    return try choose(in: context, for: injector, registration, isLimited: limit == 1)
  }

  override func explanation(
    in context: any Sendable, for injector: Injector, _ registration: Registration
  ) -> Explanation? {
    (context as? Context).map { explanation(in: $0, for: injector, registration) }
  }

  override func error(
    in context: any Sendable, for injector: Injector, _ registration: Registration
  ) -> InjectorError {
    guard let context = context as? Context else { return injector.absence(of: registration.key) }
    return failure(in: context, for: injector, registration)
  }

  override func opened(_ box: AnyBox) -> any Sendable { box.open(as: Context.self) }

  override func setFallback(_ cell: Cell?) {
    let entry = cell.map { Entry<Context>(fallback: $0) }
    let old = state.withLock { state in
      defer { state.change { $0.fallback = entry } }
      return (state.fallback, state.order)
    }
    withExtendedLifetime(old) {}
  }

  override func remove(_ id: String) -> Cell? {
    let (removed, old) = state.withLock { state -> (Entry<Context>?, State?) in
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

  override func rebased<Other: Sendable>(to context: Other.Type) -> Selector<Other>? {
    guard isContextFree else { return nil }
    let entries = elements.flatMap(\.entries).map { Contribution(cell: $0.cell, priority: $0.priority) }
    return Selector<Other>(
      name: name, entries.map { .candidate(Entry($0)) }, fallback: fallback.map { Entry(fallback: $0) })
  }
}

/// A candidate without its service's type.
final class Entry<Context: Sendable>: Sendable {
  let id: String
  let rule: Rule<Context>
  let priority: Int
  let draw: Draw<Context>?
  let order: CandidateOrder
  let isFallback: Bool
  let cell: Cell

  init(
    _ id: String, _ rule: Rule<Context>, priority: Int, draw: Draw<Context>? = nil,
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
    self.init(Fallback.id, .enabled, priority: .min, isFallback: true, cell)
  }

  convenience init(_ contribution: Contribution) {
    self.init(contribution.cell.registration.candidate ?? "", .enabled, priority: contribution.priority, contribution.cell)
  }

  convenience init<Service>(_ candidate: Candidate<Service, Context>, _ cell: Cell) {
    self.init(
      candidate.id, candidate.rule, priority: candidate.priority, draw: candidate.draw, order: candidate.order, cell)
  }

  /// This candidate with another registration.
  func with(_ change: (Cell) -> Registration) -> Entry {
    Entry(id, rule, priority: priority, draw: draw, order: order, isFallback: isFallback, Cell(change(cell)))
  }

  var isContribution: Bool { rule.isAlways && draw == nil && order.isEmpty }
}

/// A candidate or a nested point.
enum Element<Context: Sendable>: Sendable {
  case candidate(Entry<Context>)
  indirect case point(id: String, Rule<Context>, [Element])

  /// - Parameter cell: Makes the cell of a candidate.
  init<Service, Failure: Error>(
    _ element: PluginElement<Service, Context>, _ cell: (Candidate<Service, Context>) throws(Failure) -> Cell
  ) throws(Failure) {
    switch element {
    case .candidate(let candidate): self = .candidate(Entry(candidate, try cell(candidate)))
    case .point(let point):
      var elements: [Element] = []
      for inner in point.elements { elements.append(try Element(inner, cell)) }
      self = .point(id: point.id, point.rule, elements)
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

  var entries: [Entry<Context>] {
    switch self {
    case .candidate(let entry): [entry]
    case .point(_, _, let elements): elements.flatMap(\.entries)
    }
  }

  var prerequisites: [Prerequisite] {
    switch self {
    case .candidate(let entry): entry.rule.expression.prerequisites
    case .point(_, let rule, let elements): rule.expression.prerequisites + elements.flatMap(\.prerequisites)
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
enum Fallback {
  static let id = "default"
}
