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

  /// The ids of candidates that are to come after each other in a circle, the first one at the end again.
  private(set) var circles: [[String]] = []

  /// The ids that no candidate has, and the candidates that are to come after or before them.
  private(set) var unknown: [(id: String, candidate: Int)] = []

  let ids: [String]
  private var followers: [[Int]]
  private var missing: [Int]
  private var isPlaced: [Bool]

  /// - Parameter candidates: The candidates in the order by priority.
  init(_ candidates: [(id: String, order: CandidateOrder)]) {
    ids = candidates.map(\.id)
    followers = Array(repeating: [], count: candidates.count)
    missing = Array(repeating: 0, count: candidates.count)
    isPlaced = Array(repeating: false, count: candidates.count)
    var known: [String: [Int]] = [:]
    for (index, id) in ids.enumerated() { known[id, default: []].append(index) }
    for (index, candidate) in candidates.enumerated() {
      for (ids, isAfter) in [(candidate.order.after, true), (candidate.order.before, false)] {
        for id in ids {
          let others = known[id] ?? []
          if others.isEmpty { unknown.append((id, index)) }
          for other in others {
            followers[isAfter ? other : index].append(isAfter ? index : other)
            missing[isAfter ? index : other] += 1
          }
        }
      }
    }
    sort()
  }

  private mutating func sort() {
    var next = 0
    while places.count < ids.count {
      while next < ids.count, isPlaced[next] || missing[next] > 0 { next += 1 }
      if next == ids.count {
        // All that are left wait for each other: the first of a circle comes although it should not.
        let circle = circle()
        circles.append(circle.map { ids[$0] })
        next = circle[0]
      }
      isPlaced[next] = true
      places.append(next)
      let placed = next
      for follower in followers[placed] {
        missing[follower] -= 1
        if missing[follower] == 0 { next = min(next, follower) }
      }
    }
  }

  /// A circle among those that are not placed, which all wait for another of them. Its first one comes first.
  private func circle() -> [Int] {
    var leader = Array(repeating: -1, count: ids.count)
    for one in ids.indices where !isPlaced[one] {
      for other in followers[one] where leader[other] < 0 { leader[other] = one }
    }
    var step = isPlaced.firstIndex(of: false) ?? 0
    // After so many steps back it is in a circle.
    for _ in ids { step = leader[step] }
    var circle = [step]
    while leader[circle[circle.count - 1]] != step { circle.append(leader[circle[circle.count - 1]]) }
    circle.reverse()
    let first = circle.indices.min { circle[$0] < circle[$1] } ?? 0
    return circle[first...] + circle[..<first] + [circle[first]]
  }
}
