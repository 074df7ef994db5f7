/// The candidates of one cell, and how one of them is chosen.
///
/// Candidates that are added one by one are put in order when they are asked for, so that adding is fast.
package final class Selector: Sendable {
  private struct State {
    var elements: [Element]
    var fallback: Entry?
    /// The ids of the candidates.
    var ids: Set<String>
    /// The candidates in the order of choice, once they are asked for.
    var order: CandidateOrdering?
    /// Counts changes.
    var version = 0
  }

  package let name: String
  /// The type of the values that rules look at.
  package let contextType: any Any.Type
  /// Where the point was declared that is registered as a whole.
  let pointLocation: CodeLocation?
  /// Whether it is that of a point which is used by itself.
  private let isStandalone: Bool
  private let state: Guarded<State>

  init(
    name: String, for contextType: any Any.Type, _ elements: [Element], fallback: Entry? = nil,
    point: CodeLocation? = nil, isStandalone: Bool = false
  ) {
    self.isStandalone = isStandalone
    self.contextType = contextType
    self.name = name
    pointLocation = point
    state = Guarded(
      State(elements: elements, fallback: fallback, ids: Set(elements.compactMap { $0.entry?.id })))
  }

  /// The cells of the candidates, in the order in which they are chosen.
  package var cells: [Cell] { order.cells }
  /// The candidate that is chosen last: a registration without a rule.
  var fallback: Cell? { state.withLock { $0.fallback }?.cell }
  /// Whether there is nothing besides the fallback.
  var isEmpty: Bool { state.withLock { $0.elements.isEmpty } }
  /// Whether all candidates are contributions, which no context is needed for.
  package var isContextFree: Bool {
    contextType == Injector.self && pointLocation == nil && elements.allSatisfy { $0.entry?.isContribution == true }
  }
  /// The ids by which rules ask for what is selected here.
  var pointIDs: [String] {
    guard pointLocation != nil, let point = elements.first?.point else { return [name] }
    return [point.id, name]
  }

  /// Of each candidate, whether it always applies or never; `nil` if that depends on the context.
  var constants: [Bool?] { order.constants }
  /// Of each candidate with a weight, its priority, which it shares with those among which one is drawn.
  var rivals: [Int?] { order.entries.map { $0.draw == nil ? nil : $0.priority } }
  /// How `after` and `before` have put the candidates in order.
  var sort: CandidateSort? { order.sort }
  /// What rules ask of other points.
  var prerequisites: [Prerequisite] { elements.flatMap { $0.rule.conditions.compactMap(\.prerequisite) } }

  /// What rules look at outside of the program.
  package var mentions: [Mention] { elements.flatMap { $0.rule.conditions.compactMap(\.mention) } }

  /// The candidates and points as they were declared, each point before what is in it.
  var elements: [Element] { state.withLock { $0.elements } }

  /// The candidates in the order in which they are chosen.
  package var order: CandidateOrdering {
    let (known, elements, fallback, version) = state.withLock { ($0.order, $0.elements, $0.fallback, $0.version) }
    if let known { return known }
    let new = CandidateOrdering(elements, fallback, name: name, isStandalone: isStandalone)
    state.withLock { if $0.version == version { $0.order = new } }
    return new
  }

  /// Where the candidate with an id was declared.
  func location(of candidate: String) -> CodeLocation? {
    let elements = state.withLock { $0.ids.contains(candidate) ? $0.elements : [] }
    return elements.lazy.compactMap(\.entry).first { $0.id == candidate }?.cell.registration.location
  }

  /// A selector that has other registrations in the places of these candidates.
  ///
  /// - Parameters:
  ///   - order: These candidates at a moment.
  ///   - registrations: One for each of its cells.
  func copy(of order: CandidateOrdering, with registrations: [Registration]) -> Selector {
    var elements = order.elements
    for (place, declared) in order.declared.enumerated() {
      elements[declared] = .candidate(order.entries[place].with(registrations[place]))
    }
    let fallback = order.entries.last.flatMap { $0.isFallback ? $0.with(registrations[registrations.count - 1]) : nil }
    return Selector(name: name, for: contextType, elements, fallback: fallback, point: pointLocation)
  }

  /// Counts changes.
  var version: Int { state.withLock { $0.version } }

  /// Whether these are some of the candidates of another one.
  func hasFewer(than other: Selector) -> Bool {
    let (ids, more) = (state.withLock { $0.ids }, other.state.withLock { $0.ids })
    return ids.isStrictSubset(of: more)
  }

  /// Adds a candidate, whose id no other one has.
  func add(_ entry: Entry) {
    change { state in
      state.ids.insert(entry.id)
      state.elements.append(.candidate(entry))
      return nil
    }
  }

  /// Replaces the fallback.
  func setFallback(_ cell: Cell?) {
    change { state in
      let old = state.fallback
      state.fallback = cell.map { Entry(.fallback, $0) }
      return old
    }
  }

  /// Removes a candidate.
  ///
  /// - Returns: The candidate, whose rule may hold what only the caller can release: outside of every lock.
  func remove(_ id: String) -> Entry? {
    change { state in
      guard state.ids.remove(id) != nil, let place = state.elements.firstIndex(where: { $0.entry?.id == id }) else {
        return nil
      }
      return state.elements.remove(at: place).entry
    }
  }

  /// Changes the candidates. What goes is released outside of the lock.
  @discardableResult
  private func change(_ body: (inout State) -> Entry?) -> Entry? {
    let (gone, order) = state.withLock { state in
      defer { (state.order, state.version) = (nil, state.version + 1) }
      return (body(&state), state.order)
    }
    withExtendedLifetime(order) {}
    return gone
  }

  /// A selector of these candidates for another context, if they need none.
  func rebased(to context: any Any.Type) -> Selector? {
    if contextType == context { return self }
    return isContextFree ? copy(for: context) : nil
  }

  /// A selector that needs no context, if this one has lost the last candidate that needs one.
  var freed: Selector? {
    guard contextType != Injector.self, pointLocation == nil else { return nil }
    return elements.allSatisfy { $0.entry?.isContribution == true } ? copy(for: Injector.self) : nil
  }

  private func copy(for context: any Any.Type) -> Selector {
    let (elements, fallback) = state.withLock { ($0.elements, $0.fallback) }
    return Selector(name: name, for: context, elements, fallback: fallback)
  }
}

/// A candidate with its registration, or the fallback.
package final class Entry: Sendable {
  let candidate: AnyCandidate
  /// The innermost point around it.
  let point: Gate?
  package let cell: Cell

  init(_ candidate: AnyCandidate, in point: Gate? = nil, _ cell: Cell) {
    (self.candidate, self.point, self.cell) = (candidate, point, cell)
  }

  package var id: String { candidate.id }
  package var priority: Int { candidate.priority }
  package var isFallback: Bool { candidate === AnyCandidate.fallback }
  var rule: RuleExpression { candidate.rule }
  var draw: Draw? { candidate.draw }
  var order: CandidateOrder { candidate.order }
  var isContribution: Bool { rule.isAlways && draw == nil && order.isEmpty }

  /// This candidate with another registration.
  func with(_ registration: Registration) -> Entry { Entry(candidate, in: point, Cell(registration)) }

  /// Whether it is drawn by its weight.
  package var isDrawn: Bool { draw != nil }
}

/// A point around candidates and other points, which its rule gates.
final class Gate: Sendable {
  let id: String
  let rule: RuleExpression
  /// The point around it.
  let outer: Gate?
  /// Its place among the points of a selector.
  let number: Int

  init(_ id: String, _ rule: RuleExpression, in outer: Gate? = nil, addedTo elements: inout [Element]) {
    (self.id, self.rule, self.outer) = (id, rule, outer)
    number = (elements.last { $0.point != nil }?.point?.number ?? -1) + 1
    elements.append(.point(self))
  }
}

/// A candidate or a point. What is in a point comes after it, and says so.
enum Element: Sendable {
  case candidate(Entry)
  case point(Gate)

  var entry: Entry? { if case .candidate(let entry) = self { entry } else { nil } }
  var point: Gate? { if case .point(let point) = self { point } else { nil } }

  var rule: RuleExpression {
    switch self {
    case .candidate(let entry): entry.rule
    case .point(let point): point.rule
    }
  }
}

extension PluginElement {
  /// Adds the candidate, or the point with all that is in it, to a list.
  ///
  /// - Parameters:
  ///   - outer: The point around it.
  ///   - cell: Makes the cell of a candidate.
  func add<Failure: Error>(
    to elements: inout [Element], in outer: Gate?, _ cell: (AnyCandidate) throws(Failure) -> Cell
  ) throws(Failure) {
    switch self {
    case .candidate(let candidate):
      elements.append(.candidate(Entry(candidate.parts, in: outer, try cell(candidate.parts))))
    case .point(let point):
      let gate = Gate(point.id, point.rule.expression, in: outer, addedTo: &elements)
      for element in point.elements { try element.add(to: &elements, in: gate, cell) }
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
