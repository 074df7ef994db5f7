extension ServiceGraph {
  /// The cycles of services that need each other, one for each strongly connected component.
  func cycles() -> [[Int]] {
    let targets = services.map { service -> [Int] in
      (service.context.map { [$0] } ?? [])
        + service.parts.flatMap { parts[$0].edges }.compactMap { edge in
          guard let target = edge.target, edge.need.isAnswered, edge.need.origin != .configured else { return nil }
          // One service stands for all arguments, and another context may select another candidate.
          if services[target].cell.registration.maker != nil { return nil }
          if edge.need.givesContext, services[target].cell.selector != nil { return nil }
          // A scope makes its own instances from what it has registered.
          let isOfScope = edge.need.place == .scope && services[target].parts.contains { parts[$0].keeper == nil }
          return isOfScope ? nil : target
        }
    }
    return cycles(along: targets)
  }

  /// - Parameter targets: Of each service those that it leads to.
  func cycles(along targets: [[Int]]) -> [[Int]] {
    var search = ComponentSearch(targets: targets)
    for service in services.indices { search.run(from: service) }
    return search.components.compactMap { shortestCycle(in: Set($0), targets) }
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
