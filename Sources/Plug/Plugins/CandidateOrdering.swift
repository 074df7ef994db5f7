/// Candidates at a moment, in the order in which they are chosen.
package final class CandidateOrdering: Sendable {
  package let entries: [Entry]
  /// The candidates and points as they were declared.
  let elements: [Element]
  /// Of each element, its place in the order of choice if it is a candidate. Behind those come the points, by their
  /// numbers, and the fallback is among the candidates.
  let places: [Int]
  /// The points, by their numbers.
  let points: [Gate]
  let name: String
  /// The type of the values that rules look at.
  package let contextType: any Any.Type
  /// Whether all candidates are contributions, which no context is needed for.
  let isContextFree: Bool
  private let isStandalone: Bool
  /// How `after` and `before` have put the candidates in order.
  let sort: CandidateSort?
  private let attachments = Attachments()

  /// - Parameter isStandalone: Whether they are those of a point which is used by itself.
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
      order = sorted.places.map { order[$0] }
      sort = sorted
    }
    let count = order.count + (fallback == nil ? 0 : 1)
    var places = elements.map { count + ($0.point?.number ?? 0) }
    for (place, candidate) in order.enumerated() { places[declared[candidate]] = place }
    (self.elements, self.places, self.sort) = (elements, places, sort)
    (self.name, self.contextType, self.isContextFree) = (name, contextType, isContextFree)
    self.isStandalone = isStandalone
    points = elements.compactMap(\.point)
    entries = order.map { found[$0] } + [fallback].compactMap(\.self)
  }

  /// The conditions of all rules.
  var conditions: [RuleCondition] { elements.flatMap(\.rule.conditions) }

  /// What rules look at outside of the program.
  package var mentions: [Mention] { conditions.compactMap(\.mention) }

  /// The ids of the points around a candidate, the innermost last.
  package func points(around place: Int) -> [String] {
    let ids = entries[place].points.reversed().map(\.id)
    return isStandalone && ids.first != name ? [name] + ids : ids
  }

  /// Whether a candidate is drawn, or the bucket of an identifier is part of what leads to it.
  package func isShare(_ place: Int) -> Bool {
    let entry = entries[place]
    return entry.lot != nil || entry.rule.isShare || entry.points.contains { $0.rule.isShare }
  }

  package func attachment<Object: AnyObject & Sendable>(_ type: Object.Type, _ make: () -> Object) -> Object {
    attachments.object(type, make)
  }

  /// What hooks decide about candidates. An inner injector overrides what those around it have decided.
  package func verdicts(in injector: Injector) -> [Int: Verdict] {
    var verdicts: [Int: Verdict] = [:]
    for (hook, _) in Layers.hooks(of: injector) {
      let own = hook.verdicts(on: self, in: injector)
      if own.values.contains(.forced) { verdicts = verdicts.filter { $0.value != .forced } }
      verdicts.merge(own) { $1 }
    }
    return verdicts
  }
}

/// Sorts the positions of candidates.
@inline(never)
package func sorted(_ places: [Int], _ isBefore: (Int, Int) -> Bool) -> [Int] { places.sorted(by: isBefore) }

/// Where a candidate stands among those of its service, beside its priority.
struct CandidateOrder: Sendable {
  /// The ids of the candidates that it comes after, and before.
  var after: [String] = []
  var before: [String] = []

  var isEmpty: Bool { after.isEmpty && before.isEmpty }
}

/// Brings candidates into an order in which each stands where it should.
///
/// It is the topological sort by Kahn ("Topological sorting of large networks", 1962), which takes the first of those
/// that may come next, in the order that there was.
///
/// - Complexity: O(*n* + *m*) for *n* candidates with *m* orders where few come before their turn, and O(*n* + *m*)
///   more for each circle.
struct CandidateSort {
  /// The candidates as they were, by their new places.
  private(set) var places: [Int] = []

  /// The ids of candidates that must come after each other in a circle, the first one at the end again.
  private(set) var circles: [[String]] = []

  /// The ids that no candidate has, and the candidates that are to come after or before them.
  private(set) var unknown: [(id: String, candidate: Int)] = []

  let ids: [String]
  private var followers: [[Int]]
  /// How many candidates each still has to come after; -1 if it is placed.
  private var missing: [Int]

  /// - Parameter candidates: The candidates in the order by priority.
  init(_ candidates: [(id: String, order: CandidateOrder)]) {
    ids = candidates.map(\.id)
    followers = Array(repeating: [], count: candidates.count)
    missing = Array(repeating: 0, count: candidates.count)
    var known: [String: [Int]] = [:]
    for (index, id) in ids.enumerated() { known[id, default: []].append(index) }
    for (index, candidate) in candidates.enumerated() {
      for (place, id) in (candidate.order.after + candidate.order.before).enumerated() {
        let others = known[id] ?? []
        if others.isEmpty { unknown.append((id, index)) }
        for other in others {
          let (first, second) = place < candidate.order.after.count ? (other, index) : (index, other)
          followers[first].append(second)
          missing[second] += 1
        }
      }
    }
    var next = 0
    while places.count < ids.count {
      while next < ids.count, missing[next] != 0 { next += 1 }
      if next == ids.count {
        // All that are left wait for each other: the first of a circle comes although it should not.
        let circle = circle()
        circles.append(circle.map { ids[$0] })
        next = circle[0]
      }
      let placed = next
      missing[placed] = -1
      places.append(placed)
      for follower in followers[placed] where missing[follower] > 0 {
        missing[follower] -= 1
        if missing[follower] == 0 { next = min(next, follower) }
      }
    }
  }

  /// A circle among those that are not placed, which all wait for another of them. Its first one comes first.
  private func circle() -> [Int] {
    var leader = Array(repeating: -1, count: ids.count)
    for one in ids.indices where missing[one] > 0 {
      for other in followers[one] where leader[other] < 0 { leader[other] = one }
    }
    var step = missing.firstIndex { $0 > 0 } ?? 0
    // After so many steps back it is in a circle.
    for _ in ids { step = leader[step] }
    var circle = [step]
    while leader[circle[circle.count - 1]] != step { circle.append(leader[circle[circle.count - 1]]) }
    circle.reverse()
    let first = circle.indices.min { circle[$0] < circle[$1] } ?? 0
    return circle[first...] + circle[..<first] + [circle[first]]
  }
}
