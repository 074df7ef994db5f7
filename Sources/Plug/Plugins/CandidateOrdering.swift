/// A snapshot of candidates, in the order in which they are chosen.
package final class CandidateOrdering: Sendable {
  package let entries: [Entry]
  /// The lots of the entries; `nil` for one without a weight.
  let lots: [Lot?]
  /// The candidates and points as they were declared.
  let elements: [Element]
  /// The position of each element: for a candidate its index in `entries`, for a point the number of entries plus the
  /// number of the point. The entries include the fallback.
  let positions: [Int]
  /// The points, by their numbers.
  let points: [Gate]
  let name: String
  /// The type of the values that rules look at.
  let contextType: any Any.Type
  /// Whether all candidates are contributions, which need no context.
  let isContextFree: Bool
  private let isStandalone: Bool
  /// The sort of the candidates by `after` and `before`; `nil` if no candidate uses these.
  private let sort: CandidateSort?
  /// Whether all weights look at the same identifier.
  let isDrawnByOne: Bool
  private let attachments = Attachments()

  /// - Parameter isStandalone: Whether the candidates belong to a point that is used without an injector.
  init(
    _ elements: [Element], _ fallback: Entry?, name: String, contextType: any Any.Type, isContextFree: Bool,
    isStandalone: Bool = false
  ) {
    let declared = elements.indices.filter { elements[$0].entry != nil }
    let found = elements.compactMap(\.entry)
    var order = sorted(Array(found.indices)) { (found[$1].priority, $0) < (found[$0].priority, $1) }
    var sort: CandidateSort?
    if found.contains(where: { !$0.candidate.order.isEmpty }) {
      let sorted = CandidateSort(order.map { (found[$0].id, found[$0].candidate.order) })
      order = sorted.positions.map { order[$0] }
      sort = sorted
    }
    let count = order.count + (fallback == nil ? 0 : 1)
    var positions = elements.map { count + ($0.point?.number ?? 0) }
    for (position, candidate) in order.enumerated() { positions[declared[candidate]] = position }
    (self.elements, self.positions, self.sort) = (elements, positions, sort)
    (self.name, self.contextType, self.isContextFree) = (name, contextType, isContextFree)
    self.isStandalone = isStandalone
    points = elements.compactMap(\.point)
    entries = order.map { found[$0] } + [fallback].compactMap(\.self)
    lots = entries.map { entry in
      entry.candidate.draw.map { Lot($0, of: entry.id, entry.priority, at: entry.point?.id ?? name) }
    }
    let drawn = entries.compactMap { $0.candidate.draw?.property }
    isDrawnByOne = drawn.allSatisfy { $0 == drawn[0] }
  }

  private var conditions: [RuleCondition] {
    elements.reduce(into: []) { list, element in element.rule.addConditions(to: &list) }
  }

  /// The subjects outside the program that rules look at.
  package var mentions: [Mention] { conditions.compactMap(\.mention) }

  /// The selections at other points that rules require.
  package var prerequisites: [(candidate: String, point: String)] { conditions.compactMap(\.prerequisite) }

  /// The cycles in which candidates must come after each other, and the ids in orders that no candidate has.
  package var faults: (cycles: [[String]], unknown: [(id: String, candidate: String)]) {
    guard let sort else { return ([], []) }
    return (sort.cycles, sort.unknown.map { ($0.id, sort.ids[$0.candidate]) })
  }

  /// The ids of the points around a candidate, the innermost last.
  package func points(around position: Int) -> [String] {
    let ids = entries[position].points.reversed().map(\.id)
    return isStandalone && ids.first != name ? [name] + ids : ids
  }

  /// Whether a candidate is drawn, or its rule or the rule of an enclosing point depends on an identifier's bucket.
  package func isShare(_ position: Int) -> Bool {
    let entry = entries[position]
    return entry.isDrawn || entry.rule.isShare || entry.points.contains { $0.rule.isShare }
  }

  package func attachment<Object: AnyObject & Sendable>(_ type: Object.Type, _ make: () -> Object) -> Object {
    attachments.object(type, make)
  }
}

/// Sorts candidates so that the constraints of `after` and `before` are satisfied.
///
/// This is the topological sort by Kahn ("Topological sorting of large networks", 1962). Of the candidates that may
/// come next, it takes the first one in the given order.
///
/// - Complexity: O(*n* + *m*) for *n* candidates with *m* constraints if few constraints contradict the given order,
///   and O(*n* + *m*) more for each cycle.
struct CandidateSort {
  /// The index that each candidate had before, in the new order.
  private(set) var positions: [Int] = []

  /// The cycles of constraints, as the ids of their candidates. A cycle ends with its first id.
  private(set) var cycles: [[String]] = []

  /// The ids in constraints that no candidate has, with the candidates that name them.
  private(set) var unknown: [(id: String, candidate: Int)] = []

  let ids: [String]
  private var followers: [[Int]]
  /// The number of unplaced candidates that must precede each candidate; -1 for a placed one.
  private var missing: [Int]

  /// - Parameter candidates: The candidates, ordered by priority.
  init(_ candidates: [(id: String, order: CandidateOrder)]) {
    ids = candidates.map(\.id)
    followers = Array(repeating: [], count: candidates.count)
    missing = Array(repeating: 0, count: candidates.count)
    var known: [String: [Int]] = [:]
    for (index, id) in ids.enumerated() { known[id, default: []].append(index) }
    for (index, candidate) in candidates.enumerated() {
      for (position, id) in (candidate.order.after + candidate.order.before).enumerated() {
        let others = known[id] ?? []
        if others.isEmpty { unknown.append((id, index)) }
        for other in others {
          let (first, second) = position < candidate.order.after.count ? (other, index) : (index, other)
          followers[first].append(second)
          missing[second] += 1
        }
      }
    }
    var next = 0
    while positions.count < ids.count {
      while next < ids.count, missing[next] != 0 { next += 1 }
      if next == ids.count {
        // All remaining candidates wait for each other, so the first one of a cycle is placed despite its constraints.
        let cycle = cycle()
        cycles.append(cycle.map { ids[$0] })
        next = cycle[0]
      }
      let placed = next
      missing[placed] = -1
      positions.append(placed)
      for follower in followers[placed] where missing[follower] > 0 {
        missing[follower] -= 1
        if missing[follower] == 0 { next = min(next, follower) }
      }
    }
  }

  /// A cycle among the unplaced candidates, each of which waits for another one. It begins and ends with its first
  /// candidate in the given order.
  private func cycle() -> [Int] {
    var leader = Array(repeating: -1, count: ids.count)
    for one in ids.indices where missing[one] > 0 {
      for other in followers[one] where leader[other] < 0 { leader[other] = one }
    }
    var step = missing.firstIndex { $0 > 0 } ?? 0
    // After as many steps back as there are candidates, the candidate is in a cycle.
    for _ in ids { step = leader[step] }
    var cycle = [step]
    while leader[cycle[cycle.count - 1]] != step { cycle.append(leader[cycle[cycle.count - 1]]) }
    cycle.reverse()
    let first = cycle.indices.min { cycle[$0] < cycle[$1] } ?? 0
    return (0...cycle.count).map { cycle[(first + $0) % cycle.count] }
  }
}
