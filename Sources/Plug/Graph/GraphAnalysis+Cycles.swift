extension GraphAnalysis {
  /// The circular dependencies: one shortest path for each group of services that depend on each other.
  ///
  /// Edges of configurations do not count, because configurations run after everything has been made. Strongly
  /// connected components are found by Tarjan's algorithm (Depth-first search and linear graph algorithms, 1972),
  /// without recursion, because a chain of services may be longer than the stack is deep.
  ///
  /// - Complexity: O(*services* + *edges*), and as much again for each cycle.
  func cycles() -> [[Int]] {
    let targets = services.map { service -> [Int] in
      var targets = service.context.map { [$0] } ?? []
      for part in service.parts {
        for edge in parts[part].edges { if let target = circularTarget(of: edge) { targets.append(target) } }
      }
      return targets
    }
    return cycles(along: targets)
  }

  /// One shortest path for each group of services that lead to each other.
  func cycles(along targets: [[Int]]) -> [[Int]] {
    var search = ComponentSearch(targets: targets)
    for service in services.indices { search.run(from: service) }
    return search.components.compactMap { shortestCycle(in: Set($0), targets) }
  }

  /// The target of an edge that can be part of a certain cycle; `nil` for other edges.
  private func circularTarget(of edge: Edge) -> Int? {
    guard let target = edge.target, edge.dependency.isAnswered, !edge.dependency.isConfigured else { return nil }
    // One service represents all arguments; whether it needs itself with equal ones only shows when it is made.
    if services[target].entry.decoratedKey != nil { return nil }
    // Another context may select another candidate.
    if edge.dependency.givesContext, services[target].choice != nil { return nil }
    // A scope makes its own instances from what it has registered.
    if edge.dependency.place == .scope, services[target].parts.contains(where: { parts[$0].keeper == nil }) {
      return nil
    }
    return target
  }

  /// The shortest path within a component from its first service by name back to itself, found breadth first.
  private func shortestCycle(in component: Set<Int>, _ targets: [[Int]]) -> [Int]? {
    guard let start = component.min(by: { name(of: $0) < name(of: $1) }) else { return nil }
    var previous: [Int: Int] = [:]
    var queue = [start]
    var next = 0
    while next < queue.count {
      let service = queue[next]
      next += 1
      for target in targets[service] where component.contains(target) {
        if target == start {
          var path = [start]
          var step: Int? = service
          while let current = step, current != start {
            path.append(current)
            step = previous[current]
          }
          return (path + [start]).reversed()
        }
        if previous[target] == nil {
          previous[target] = service
          queue.append(target)
        }
      }
    }
    return nil
  }
}

/// Finds the strongly connected components that contain a cycle.
private struct ComponentSearch {
  let targets: [[Int]]
  private(set) var components: [[Int]] = []
  private var order: [Int]
  private var low: [Int]
  private var isOnStack: [Bool]
  private var stack: [Int] = []
  private var count = 0

  init(targets: [[Int]]) {
    self.targets = targets
    order = Array(repeating: 0, count: targets.count)
    low = order
    isOnStack = Array(repeating: false, count: targets.count)
  }

  /// Searches all nodes that can be reached from a node and have not been visited. One that leads nowhere is in no
  /// cycle.
  mutating func run(from start: Int) {
    guard order[start] == 0, !targets[start].isEmpty else { return }
    var path: [(node: Int, next: Int)] = []
    enter(start, &path)
    while let (node, next) = path.last {
      if next < targets[node].count {
        path[path.count - 1].next += 1
        let target = targets[node][next]
        if order[target] == 0 {
          enter(target, &path)
        } else if isOnStack[target] {
          low[node] = min(low[node], order[target])
        }
      } else {
        path.removeLast()
        if let parent = path.last?.node { low[parent] = min(low[parent], low[node]) }
        if low[node] == order[node] { leave(node) }
      }
    }
  }

  /// Visits a node: gives it the next number in depth-first order, and pushes it onto both stacks.
  private mutating func enter(_ node: Int, _ path: inout [(node: Int, next: Int)]) {
    count += 1
    order[node] = count
    low[node] = count
    stack.append(node)
    isOnStack[node] = true
    path.append((node, 0))
  }

  /// Pops the component whose first visited node is `root`, and keeps it if it contains a cycle.
  private mutating func leave(_ root: Int) {
    if stack.last == root, !targets[root].contains(root) {
      isOnStack[stack.removeLast()] = false
      return
    }
    var component: [Int] = []
    while let node = stack.popLast() {
      isOnStack[node] = false
      component.append(node)
      if node == root { break }
    }
    components.append(component)
  }
}
