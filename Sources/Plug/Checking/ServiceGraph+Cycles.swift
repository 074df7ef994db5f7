extension ServiceGraph {
  /// The cycles of services that lead to each other: of those that lead to all the same ones the shortest through the
  /// first by name.
  ///
  /// - Parameter targets: Of each service those that it leads to.
  /// - Complexity: O(*n*) for *n* services and dependencies without a cycle.
  func cycles(along targets: [[Int]]) -> [[Int]] {
    let askers = Self.reversed(targets)
    var isOpen = Self.between(targets, askers)
    var cycles: [[Int]] = []
    for service in services.indices where isOpen[service] {
      var before = Self.walk(from: [service], along: targets)
      if before[service] < 0 { continue }
      let after = Self.walk(from: [service], along: askers)
      var first = service
      for other in services.indices where before[other] >= 0 && after[other] >= 0 {
        isOpen[other] = false
        if name(of: other) < name(of: first) { first = other }
      }
      if first != service { before = Self.walk(from: [first], along: targets) }
      var path = [first]
      var step = before[first]
      while step != first {
        path.append(step)
        step = before[step]
      }
      cycles.append((path + [first]).reversed())
    }
    return cycles
  }

  /// Of each service those that lead to it.
  static func reversed(_ targets: [[Int]]) -> [[Int]] {
    var askers: [[Int]] = Array(repeating: [], count: targets.count)
    for (service, targets) in targets.enumerated() {
      for target in targets { askers[target].append(service) }
    }
    return askers
  }

  /// Goes to what some services lead to, by the shortest ways.
  ///
  /// - Returns: Of each service the one before it; negative if no way leads there.
  static func walk(from starts: [Int], along targets: [[Int]]) -> [Int] {
    let (unknown, start) = (-1, -2)
    var before = Array(repeating: unknown, count: targets.count)
    for service in starts { before[service] = start }
    var queue = starts
    var next = 0
    while next < queue.count {
      let service = queue[next]
      next += 1
      for target in targets[service] where before[target] < 0 {
        if before[target] == unknown { queue.append(target) }
        before[target] = service
      }
    }
    return before
  }

  /// Of each service whether it may be in a cycle: what leads nowhere is not, nor is what nothing leads to, and so on.
  private static func between(_ targets: [[Int]], _ askers: [[Int]]) -> [Bool] {
    var isOpen = Array(repeating: true, count: targets.count)
    var (ahead, behind) = (targets.map(\.count), askers.map(\.count))
    var ends = Array(targets.indices)
    while let service = ends.popLast() {
      guard isOpen[service], ahead[service] == 0 || behind[service] == 0 else { continue }
      isOpen[service] = false
      for asker in askers[service] { ahead[asker] -= 1 }
      for target in targets[service] { behind[target] -= 1 }
      ends += askers[service] + targets[service]
    }
    return isOpen
  }
}
