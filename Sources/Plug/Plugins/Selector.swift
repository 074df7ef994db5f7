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
  func isLast(_ id: String) -> Bool { state.withLock { $0.list.positions.count == 1 && $0.list[id] != nil } }

  /// Whether candidates with this type of context can be added.
  func accepts(_ context: any Any.Type) -> Bool {
    state.withLock { $0.contextType == context || pointLocation == nil && $0.isContextFree }
  }

  /// Returns a selector that has other cells for its candidates.
  @inline(never)
  func mapping(_ change: (Cell) -> Cell) -> Selector {
    let now = state.withLock { $0 }
    let cells = now.list.all.map { $0.entry.map { change($0.cell) } }
    return with(cells, fallback: now.fallback.map { change($0.cell) }, in: now)
  }

  // Apart, since `mapping` has a copy for each closure.
  @inline(never)
  private func with(_ cells: [Cell?], fallback: Cell?, in now: State) -> Selector {
    let elements = zip(now.list.all, cells).map { element, cell in
      Element(entry: element.entry.flatMap { entry in cell.map { Entry(entry, $0) } }, point: element.point)
    }
    return Selector(name: name, for: now.contextType, elements, fallback: fallback, point: pointLocation)
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
  private(set) var positions: [String: Int] = [:]
  /// The number of candidates that are not contributions.
  private(set) var boundCount = 0

  init(_ elements: [Element]) { for element in elements { add(element) } }

  var all: [Element] { elements.compactMap(\.self) }

  subscript(id: String) -> Entry? { positions[id].flatMap { elements[$0]?.entry } }

  mutating func add(_ element: Element) {
    if let entry = element.entry {
      positions[entry.id] = elements.count
      if !entry.isContribution { boundCount += 1 }
    }
    elements.append(element)
  }

  mutating func remove(_ id: String) -> Entry? {
    guard let position = positions.removeValue(forKey: id), let entry = elements[position]?.entry else { return nil }
    if !entry.isContribution { boundCount -= 1 }
    elements[position] = nil
    holeCount += 1
    if holeCount > 16, holeCount * 2 > elements.count { self = Elements(all) }
    return entry
  }
}

extension Cell {
  /// The candidates; `nil` if the registration is one implementation.
  package var selector: Selector? { candidates as? Selector }
}
