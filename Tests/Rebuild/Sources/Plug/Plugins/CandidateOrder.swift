/// Where a candidate stands among those of its service, beside its priority.
struct CandidateOrder: Sendable {
  /// The ids of the candidates that it comes after, and before.
  var after: [String] = []
  var before: [String] = []

  var isEmpty: Bool { after.isEmpty && before.isEmpty }
}

extension Explanation.Order {
  /// - Returns: `nil` if it does not matter.
  init?(_ order: CandidateOrder) {
    if order.isEmpty { return nil }
    self.init(after: order.after, before: order.before)
  }
}

/// Brings candidates into an order in which each stands where it should.
///
/// It is the topological sort by Kahn ("Topological sorting of large networks", 1962), which takes the first of those
/// that may come next, in the order that there was.
///
/// - Complexity: O((*n* + *m*) log *n*) for *n* candidates with *m* orders, and O(*n* + *m*) more for each circle.
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

  /// - Parameter candidates: The candidates in the order by priority.
  init(_ candidates: [(id: String, order: CandidateOrder)]) {
    ids = candidates.map(\.id)
    followers = Array(repeating: [], count: candidates.count)
    missing = Array(repeating: 0, count: candidates.count)
    let known = Dictionary(grouping: candidates.indices) { candidates[$0].id }
    for (index, candidate) in candidates.enumerated() {
      for id in candidate.order.after { connect(known[id] ?? [], to: [index], id, of: index) }
      for id in candidate.order.before { connect([index], to: known[id] ?? [], id, of: index) }
    }
    sort()
  }

  private mutating func connect(_ first: [Int], to second: [Int], _ id: String, of candidate: Int) {
    if first.isEmpty || second.isEmpty { unknown.append((id, candidate)) }
    for one in first {
      for other in second {
        followers[one].append(other)
        missing[other] += 1
      }
    }
  }

  private mutating func sort() {
    var ready = Heap(ids.indices.filter { missing[$0] == 0 })
    var isPlaced = Array(repeating: false, count: ids.count)
    var next = 0
    while places.count < ids.count {
      if ready.isEmpty {
        // All that are left wait for each other: the first of them comes although it should not.
        while isPlaced[next] { next += 1 }
        let circle = circle(from: next) { isPlaced[$0] }
        circles.append(circle.map { ids[$0] })
        ready.insert(circle.min() ?? next)
      }
      guard let place = ready.removeFirst(), !isPlaced[place] else { continue }
      isPlaced[place] = true
      places.append(place)
      for follower in followers[place] {
        missing[follower] -= 1
        if missing[follower] == 0, !isPlaced[follower] { ready.insert(follower) }
      }
    }
  }

  /// A circle among those that are not placed, which all wait for another of them.
  private func circle(from start: Int, _ isPlaced: (Int) -> Bool) -> [Int] {
    var leader = Array(repeating: -1, count: ids.count)
    for one in ids.indices where !isPlaced(one) {
      for other in followers[one] where leader[other] < 0 { leader[other] = one }
    }
    var (way, positions, step) = ([Int](), [Int: Int](), start)
    while positions[step] == nil {
      positions[step] = way.count
      way.append(step)
      step = leader[step]
    }
    let circle = Array(way[(positions[step] ?? 0)...].reversed())
    let first = circle.indices.min { circle[$0] < circle[$1] } ?? 0
    return circle[first...] + circle[..<first] + [circle[first]]
  }
}

/// A binary heap of numbers, the least one first.
private struct Heap {
  private var numbers: [Int]

  /// - Parameter numbers: The numbers in ascending order, which are a heap.
  init(_ numbers: [Int]) {
    self.numbers = numbers
  }

  var isEmpty: Bool { numbers.isEmpty }

  mutating func insert(_ number: Int) {
    numbers.append(number)
    var index = numbers.count - 1
    while index > 0, numbers[(index - 1) / 2] > numbers[index] {
      numbers.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func removeFirst() -> Int? {
    guard let first = numbers.first, let last = numbers.popLast() else { return nil }
    if numbers.isEmpty { return first }
    numbers[0] = last
    var index = 0
    while let least = [2 * index + 1, 2 * index + 2].filter({ $0 < numbers.count }).min(by: {
      numbers[$0] < numbers[$1]
    }),
      numbers[least] < numbers[index]
    {
      numbers.swapAt(index, least)
      index = least
    }
    return first
  }
}
