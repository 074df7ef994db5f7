/// A snapshot of candidates, in the order in which they are chosen.
package final class CandidateOrdering: Sendable {
  package let entries: [Entry]
  /// The lots of the entries; `nil` for one without a weight.
  let lots: [Lot?]
  /// The candidates and points as they were declared, and the fallback.
  let elements: [ChoiceElement]
  /// The position of each element: for a candidate its index in `entries`, for a point the number of entries plus the
  /// number of the point.
  let positions: [Int]
  /// The points, by their numbers.
  let points: [Gate]
  let name: String
  /// The type of the values that rules look at.
  package let contextType: any Any.Type
  /// Whether all candidates are contributions, which need no context.
  let isContextFree: Bool
  private let isStandalone: Bool
  /// Whether all weights look at the same identifier.
  let isDrawnByOne: Bool
  /// Whether a choice remembers what rules find.
  let isRemembered: Bool
  /// The conditions in all rules.
  private let conditions: [RuleCondition]
  private let attachments = Attachments()

  /// - Parameter isStandalone: Whether the candidates belong to a point that is used without an injector.
  init(
    _ elements: [ChoiceElement], _ fallback: Entry? = nil, name: String, contextType: any Any.Type,
    isContextFree: Bool = false, isStandalone: Bool = false
  ) {
    let declared = elements.indices.filter { elements[$0].entry != nil }
    let found = elements.compactMap(\.entry)
    var order = sorted(Array(found.indices)) { (found[$1].priority, $0) < (found[$0].priority, $1) }
    if found.contains(where: { !$0.candidate.order.isEmpty }) {
      order = topologicalOrder(of: order.map { (found[$0].id, found[$0].candidate.order) }).map { order[$0] }
    }
    entries = order.map { found[$0] } + [fallback].compactMap(\.self)
    self.elements = elements + [fallback].compactMap { $0.map { ChoiceElement(entry: $0) } }
    points = elements.compactMap(\.point)
    var positions = self.elements.map { [entries] in $0.point.map { entries.count + $0.number } ?? entries.count - 1 }
    for (position, candidate) in order.enumerated() { positions[declared[candidate]] = position }
    self.positions = positions
    (self.name, self.contextType) = (name, contextType)
    (self.isContextFree, self.isStandalone) = (isContextFree, isStandalone)
    lots = entries.map { entry in
      entry.candidate.draw.map { Lot($0, of: entry.id, entry.priority, at: entry.point?.id ?? name) }
    }
    conditions = elements.flatMap(\.rule.conditions)
    let drawn = entries.compactMap { $0.candidate.draw?.property as AnyKeyPath? }
    isDrawnByOne = drawn.allSatisfy { $0 == drawn[0] }
    isRemembered = conditions.contains(where: \.traits.isRemembered)
  }

  /// The subjects outside the program that rules look at.
  package var mentions: [Mention] { conditions.compactMap(\.traits.mention) }

  /// The selections at other points that rules require.
  package var prerequisites: [(candidate: String, point: String)] { conditions.compactMap(\.traits.prerequisite) }

  /// The ids by which rules refer to a choice among these candidates. The id of a registered point comes first.
  package var pointIDs: [String] { points.first.map { [$0.id, name] } ?? [name] }

  /// The ids of the points around a candidate, the innermost last.
  package func points(around position: Int) -> [String] {
    let ids = entries[position].points.reversed().map(\.id)
    return isStandalone && ids.first != name ? [name] + ids : ids
  }

  /// The id of the innermost point around a candidate; `nil` if the candidate is not in a point.
  package func point(around position: Int) -> String? { entries[position].point?.id ?? (isStandalone ? name : nil) }

  package func attachment<Object: AnyObject & Sendable>(_ type: Object.Type, _ make: () -> Object) -> Object {
    attachments.object(type, make)
  }
}

/// Sorts candidates so that the constraints of `after` and `before` are satisfied.
///
/// This is the topological sort by Kahn ("Topological sorting of large networks", 1962). Of the candidates that may
/// come next, it takes the first one in the given order. If all that are left wait for others, it takes the first of
/// them.
///
/// - Parameter candidates: The candidates, ordered by priority.
/// - Returns: The index that each candidate had before, in the new order.
/// - Complexity: O(*n* + *m*) for *n* candidates with *m* constraints if few constraints contradict the given order,
///   and O(*n*) more for each cycle.
func topologicalOrder(of candidates: [(id: String, order: CandidateOrder)]) -> [Int] {
  var followers = Array(repeating: [Int](), count: candidates.count)
  // The number of unplaced candidates that must precede each candidate; -1 for a placed one.
  var missing = Array(repeating: 0, count: candidates.count)
  let known = Dictionary(grouping: candidates.indices) { candidates[$0].id }
  for (index, candidate) in candidates.enumerated() {
    let leaders = candidate.order.after.flatMap { known[$0] ?? [] }
    for leader in leaders { followers[leader].append(index) }
    missing[index] += leaders.count
    for follower in candidate.order.before.flatMap({ known[$0] ?? [] }) {
      followers[index].append(follower)
      missing[follower] += 1
    }
  }
  var (positions, next) = ([Int](), 0)
  while positions.count < candidates.count {
    while next < candidates.count, missing[next] != 0 { next += 1 }
    if next == candidates.count { next = missing.firstIndex { $0 > 0 } ?? 0 }
    let placed = next
    missing[placed] = -1
    positions.append(placed)
    for follower in followers[placed] where missing[follower] > 0 {
      missing[follower] -= 1
      if missing[follower] == 0 { next = min(next, follower) }
    }
  }
  return positions
}
