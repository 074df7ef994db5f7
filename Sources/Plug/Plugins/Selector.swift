/// The candidates of one cell, which can change. A choice uses a snapshot of their order.
///
/// Candidates are sorted on the first request, so that adding one is fast.
package final class Selector: Sendable {
  private struct State {
    var list: Elements
    /// The type of the values that rules look at.
    var contextType: any Any.Type
    var fallback: Entry?
    /// The candidates in the order of choice; `nil` before the first request.
    var order: CandidateOrdering?
    /// Counts changes.
    var version = 0

    /// Whether all candidates are contributions, which need no context.
    var isContextFree: Bool { contextType == Injector.self && list.boundCount == 0 }
  }

  let name: String
  /// Where the registered point was declared; `nil` if all candidates were registered one by one.
  package let pointLocation: CodeLocation?
  private let state: Guarded<State>

  init(
    name: String, for contextType: any Any.Type, _ elements: [Element], fallback: Cell? = nil,
    point: CodeLocation? = nil
  ) {
    (self.name, pointLocation) = (name, point)
    let fallback = fallback.map { Entry(.fallback, $0) }
    state = Guarded(State(list: Elements(elements), contextType: contextType, fallback: fallback))
  }

  /// The candidates in the order in which they are chosen.
  package var order: CandidateOrdering {
    if let known = state.withLock({ $0.order }) { return known }
    let now = state.withLock { $0 }
    let new = CandidateOrdering(
      now.list.all, now.fallback, name: name, contextType: now.contextType,
      isContextFree: pointLocation == nil && now.isContextFree)
    state.withLock { if $0.version == now.version { $0.order = new } }
    return new
  }

  /// The cells of the candidates, in the order in which they are chosen.
  var cells: [Cell] { order.entries.map(\.cell) }
  package var contextType: any Any.Type { state.withLock { $0.contextType } }
  /// The candidate that is chosen last: a registration without a rule.
  var fallback: Cell? { state.withLock { $0.fallback }?.cell }

  /// The ids by which rules refer to this selection. The id of a registered point comes first.
  package var pointIDs: [String] {
    guard pointLocation != nil, let point = order.points.first else { return [name] }
    return [point.id, name]
  }

  /// The candidate with an id; `nil` if there is none besides the fallback.
  func entry(_ id: String) -> Entry? { state.withLock { $0.list[id] } }

  /// Whether a candidate is the only one besides the fallback.
  func isLast(_ id: String) -> Bool { state.withLock { $0.list.places.count == 1 && $0.list[id] != nil } }

  /// Whether candidates with this type of context can be added.
  func accepts(_ context: any Any.Type) -> Bool {
    state.withLock { $0.contextType == context || pointLocation == nil && $0.isContextFree }
  }

  /// Returns a selector that has other cells for its candidates.
  func mapping(_ change: (Cell) -> Cell) -> Selector {
    let now = state.withLock { $0 }
    let elements = now.list.all.map { element in
      Element(entry: element.entry.map { Entry($0, change($0.cell)) }, point: element.point)
    }
    return Selector(
      name: name, for: now.contextType, elements, fallback: now.fallback.map { change($0.cell) }, point: pointLocation)
  }

  /// Adds a candidate.
  ///
  /// - Returns: The replaced candidate with the same id, which the caller has to release outside of every lock.
  func add(_ entry: Entry, for contextType: any Any.Type) -> Entry? {
    change { state in
      let old = state.list.remove(entry.id)
      state.list.add(Element(entry: entry))
      state.contextType = contextType
      return old
    }
  }

  /// Removes a candidate.
  ///
  /// - Returns: The candidate, which the caller has to release outside of every lock: its rule may hold users' objects.
  func remove(_ id: String) -> Entry? {
    change { state in
      let old = state.list.remove(id)
      // After the last candidate that needs a context is removed, no context is needed.
      if pointLocation == nil, state.list.boundCount == 0 { state.contextType = Injector.self }
      return old
    }
  }

  /// Replaces the fallback.
  @discardableResult
  func setFallback(_ cell: Cell?) -> Entry? {
    change { state in
      let old = state.fallback
      state.fallback = cell.map { Entry(.fallback, $0) }
      return old
    }
  }

  /// Changes the candidates. Removed objects are released outside of the lock.
  private func change(_ body: (inout State) -> Entry?) -> Entry? {
    let (gone, order) = state.withLock { state in
      defer { (state.order, state.version) = (nil, state.version + 1) }
      return (body(&state), state.order)
    }
    withExtendedLifetime(order) {}
    return gone
  }
}

/// Candidates and points in declared order, each point before its elements.
private struct Elements {
  /// With `nil` instead of a removed candidate.
  private var elements: [Element?] = []
  private var holeCount = 0
  /// The positions of the candidates, by their ids.
  private(set) var places: [String: Int] = [:]
  /// The number of candidates that are not contributions.
  private(set) var boundCount = 0

  init(_ elements: [Element]) { for element in elements { add(element) } }

  var all: [Element] { elements.compactMap(\.self) }

  subscript(id: String) -> Entry? { places[id].flatMap { elements[$0]?.entry } }

  mutating func add(_ element: Element) {
    if let entry = element.entry {
      places[entry.id] = elements.count
      if !entry.isContribution { boundCount += 1 }
    }
    elements.append(element)
  }

  mutating func remove(_ id: String) -> Entry? {
    guard let place = places.removeValue(forKey: id), let entry = elements[place]?.entry else { return nil }
    if !entry.isContribution { boundCount -= 1 }
    elements[place] = nil
    holeCount += 1
    if holeCount > 16, holeCount * 2 > elements.count { self = Elements(all) }
    return entry
  }
}

/// A candidate with its registration, or the fallback.
package final class Entry: Sendable {
  let candidate: AnyCandidate
  /// The innermost enclosing point.
  let point: Gate?
  /// The innermost enclosing point that has a rule.
  let gate: Gate?
  let rule: RuleExpression
  package let cell: Cell
  /// The candidate's part in a draw; `nil` without a weight.
  let lot: Lot?
  /// The policy of a layer for the candidate's construction.
  let candidateGuard: (any CandidateGuard)?

  /// - Parameter name: The name of the selector.
  init(_ candidate: AnyCandidate, in point: Gate? = nil, _ cell: Cell, of name: String = "") {
    (self.candidate, self.point, self.cell) = (candidate, point, cell)
    (gate, rule) = (point?.gate, candidate.rule)
    candidateGuard = cell.registration.candidateGuard
    lot = candidate.draw.map { Lot($0, of: candidate.id, at: point?.id ?? name) }
  }

  /// Copies an entry with another cell.
  init(_ other: Entry, _ cell: Cell) {
    (candidate, point, lot, self.cell) = (other.candidate, other.point, other.lot, cell)
    (gate, rule) = (other.gate, other.rule)
    candidateGuard = cell.registration.candidateGuard
  }

  package var id: String { candidate.id }
  package var priority: Int { candidate.priority }
  /// The id as it is suggested in place of one that no candidate has.
  var suggestion: InjectorError.Suggestion { InjectorError.Suggestion(id, at: cell.registration.location) }
  /// The values that layers have added to the injection.
  package var values: [ObjectIdentifier: any Sendable] { cell.registration.recipe.extras?.values.layers ?? [:] }
  package var isFallback: Bool { candidate.number == AnyCandidate.fallback.number }
  /// Whether the candidate is drawn by its weight.
  package var isDrawn: Bool { lot != nil }
  var isContribution: Bool { rule.isAlways && lot == nil && candidate.order.isEmpty }

  /// The enclosing points, innermost first.
  var points: [Gate] {
    var points: [Gate] = []
    var next = point
    while let point = next {
      points.append(point)
      next = point.outer
    }
    return points
  }

  /// `true` if the candidate always applies, `false` if it never does, `nil` if that depends on the context.
  package var constant: Bool? {
    var constant = rule.constant
    for point in points where constant != false && point.rule.constant != true { constant = point.rule.constant }
    return constant
  }
}

/// A point, whose rule gates the candidates and points in it.
final class Gate: Sendable {
  let id: String
  let rule: RuleExpression
  /// The enclosing point.
  let outer: Gate?
  /// Its position among the points of a selector.
  let number: Int

  init(_ id: String, _ rule: RuleExpression, in outer: Gate? = nil, addedTo elements: inout [Element]) {
    (self.id, self.rule, self.outer) = (id, rule, outer)
    number = (elements.last { $0.point != nil }?.point?.number ?? -1) + 1
    elements.append(Element(point: self))
  }

  /// This point, or the innermost one around it that has a rule.
  var gate: Gate? { rule.isAlways ? outer?.gate : self }
}

/// A candidate or a point. The elements of a point follow it, and refer to it.
struct Element: Sendable {
  var entry: Entry?
  var point: Gate?

  var rule: RuleExpression { entry?.rule ?? point?.rule ?? .constant(true) }
  /// The enclosing point.
  var outer: Gate? { entry?.point ?? point?.outer }
}

/// The id of a registration without a rule, which is chosen last.
package enum Fallback {
  package static let id = "default"
}

extension RuleExpression {
  var isAlways: Bool { if case .constant(true) = self { true } else { false } }
}
