/// The candidates of one cell, which can change. A choice uses a snapshot of their order.
///
/// Candidates are sorted on the first request, so that adding one is fast.
final class Selector: Sendable {
  private struct State {
    /// Candidates and points in declared order, each point before its elements.
    private(set) var elements: [ChoiceElement] = []
    /// The candidates by their ids.
    private(set) var entries: [String: Entry] = [:]
    /// The type of the values that rules look at.
    var contextType: any Any.Type
    var fallback: Entry?
    /// The candidates in the order of choice; `nil` before the first request.
    var order: CandidateOrdering?
    /// Counts changes.
    var version = 0

    /// Whether all candidates are contributions, which need no context.
    var isContextFree: Bool { contextType == Injector.self && entries.values.allSatisfy(\.isContribution) }

    /// - Returns: The replaced candidate with the same id.
    @discardableResult
    mutating func add(_ element: ChoiceElement) -> Entry? {
      let old = element.entry.flatMap { entries.updateValue($0, forKey: $0.id) }
      if let old { elements.removeAll { $0.entry === old } }
      elements.append(element)
      return old
    }

    mutating func remove(_ id: String) -> Entry? {
      guard let entry = entries.removeValue(forKey: id) else { return nil }
      elements.removeAll { $0.entry === entry }
      return entry
    }
  }

  let name: String
  /// Where the registered point was declared; `nil` if all candidates were registered one by one.
  let pointLocation: CodeLocation?
  private let state: Guarded<State>

  init(
    name: String, for contextType: any Any.Type, _ elements: [ChoiceElement], fallback: Cell? = nil,
    point: CodeLocation? = nil
  ) {
    (self.name, pointLocation) = (name, point)
    var state = State(contextType: contextType, fallback: fallback.map { Entry(.fallback, $0) })
    for element in elements { state.add(element) }
    self.state = Guarded(state)
  }

  /// The candidates in the order in which they are chosen.
  var order: CandidateOrdering {
    if let known = state.withLock({ $0.order }) { return known }
    let now = state.withLock { $0 }
    let new = CandidateOrdering(
      now.elements, now.fallback, name: name, contextType: now.contextType,
      isContextFree: pointLocation == nil && now.isContextFree)
    state.withLock { if $0.version == now.version { $0.order = new } }
    return new
  }

  /// The cells of the candidates, in the order in which they are chosen.
  var cells: [Cell] { order.entries.map(\.cell) }
  var contextType: any Any.Type { state.withLock { $0.contextType } }
  /// The candidate that is chosen last: a registration without a rule.
  var fallback: Cell? { state.withLock { $0.fallback }?.cell }

  /// The candidate with an id; `nil` if there is none besides the fallback.
  func entry(_ id: String) -> Entry? { state.withLock { $0.entries[id] } }

  /// Whether a candidate is the only one besides the fallback.
  func isLast(_ id: String) -> Bool { state.withLock { $0.entries.count == 1 && $0.entries[id] != nil } }

  /// Whether candidates with this type of context can be added.
  func accepts(_ context: any Any.Type) -> Bool {
    state.withLock { $0.contextType == context || pointLocation == nil && $0.isContextFree }
  }

  /// Returns a selector that has other cells for its candidates.
  @inline(never)
  func mapping(_ change: (Cell) -> Cell) -> Selector {
    let now = state.withLock { $0 }
    let elements = now.elements.map { element in
      ChoiceElement(
        entry: element.entry.map { Entry($0.candidate, in: $0.point, change($0.cell)) }, point: element.point)
    }
    let fallback = now.fallback.map { change($0.cell) }
    return Selector(name: name, for: now.contextType, elements, fallback: fallback, point: pointLocation)
  }

  /// Adds a candidate.
  ///
  /// - Returns: The replaced candidate with the same id, which the caller has to release outside of every lock.
  func add(_ entry: Entry, for contextType: any Any.Type) -> Entry? {
    change { state in
      state.contextType = contextType
      return state.add(ChoiceElement(entry: entry))
    }
  }

  /// Removes a candidate.
  ///
  /// - Returns: The candidate, which the caller has to release outside of every lock: its rule may hold users' objects.
  func remove(_ id: String) -> Entry? {
    change { state in
      let old = state.remove(id)
      // After the last candidate that needs a context is removed, no context is needed.
      if pointLocation == nil, state.entries.values.allSatisfy(\.isContribution) { state.contextType = Injector.self }
      return old
    }
  }

  /// Replaces the fallback.
  @discardableResult
  func setFallback(_ cell: Cell?) -> Entry? {
    change { state in
      defer { state.fallback = cell.map { Entry(.fallback, $0) } }
      return state.fallback
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

extension Cell {
  /// The candidates; `nil` if the registration is one implementation.
  var selector: Selector? { candidates as? Selector }
  /// A snapshot of the candidates.
  package var order: CandidateOrdering? { selector?.order }
}
