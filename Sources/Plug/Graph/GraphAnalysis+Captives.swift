extension GraphAnalysis {
  /// The captive dependencies: for each, a path of parts from one that lives longer to the one it would keep.
  ///
  /// An instance made anew for each request belongs to the caller, so the search continues through it.
  func captives() -> [[Part]] {
    guard let exposed = exposingServices() else { return [] }
    var paths: [[Part]] = []
    for keeper in parts where keeper.lifetime != .scoped {
      guard let depth = depth(of: keeper), keeper.edges.contains(where: { $0.capturable.map { exposed[$0] } == true })
      else {
        continue
      }
      paths += capturedPaths(of: keeper, at: depth, exposed)
    }
    return paths
  }

  /// The services through which a scoped one can be reached without a kept one in between; `nil` if nothing is scoped.
  private func exposingServices() -> [Bool]? {
    var exposed = Array(repeating: false, count: services.count)
    var queue = parts.filter { $0.lifetime == .scoped }.map(\.service)
    if queue.isEmpty { return nil }
    var askers: [[Int]] = Array(repeating: [], count: services.count)
    for part in parts where !part.lifetime.isKept {
      for edge in part.edges { if let target = edge.capturable { askers[target].append(part.service) } }
    }
    while let service = queue.popLast() {
      if exposed[service] { continue }
      exposed[service] = true
      queue += askers[service]
    }
    return exposed
  }

  /// The shortest path from a part to each service that it would keep although it is scoped deeper, found breadth
  /// first.
  private func capturedPaths(of keeper: Part, at depth: Int, _ exposed: [Bool]) -> [[Part]] {
    var found: [[Part]] = []
    var seen: Set<Int> = []
    var queue = [[keeper]]
    var next = 0
    while next < queue.count {
      let path = queue[next]
      next += 1
      for edge in path[path.count - 1].edges {
        guard let target = edge.capturable, exposed[target], seen.insert(target).inserted else { continue }
        for part in services[target].parts.map({ parts[$0] }) {
          if let kept = self.depth(of: part) {
            if kept > depth { found.append(path + [part]) }
          } else {
            queue.append(path + [part])
          }
        }
      }
    }
    return found
  }
}
