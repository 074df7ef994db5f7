extension DependencyGraph: CustomStringConvertible {
  /// An indented tree for each node that no other asks for; what stands somewhere already is not repeated.
  ///
  /// ```
  /// Checkout (lazySingleton)
  ///   Payments: one of 2
  ///     [card] (lazySingleton, constructed)
  /// ```
  public var description: String {
    var tree = Tree(graph: self)
    let asked = Set(edges.map(\.to))
    for node in nodes.indices where !asked.contains(node) { tree.add(node, depth: 0, edge: nil) }
    // What is left are services that need each other.
    for node in nodes.indices where !tree.isDone(node) { tree.add(node, depth: 0, edge: nil) }
    return tree.lines.joined(separator: "\n")
  }
}

private struct Tree {
  private let graph: DependencyGraph
  private let edges: [Int: [DependencyGraph.Edge]]
  private var done: Set<Int> = []
  private(set) var lines: [String] = []

  init(graph: DependencyGraph) {
    self.graph = graph
    edges = Dictionary(grouping: graph.edges, by: \.from)
  }

  func isDone(_ node: Int) -> Bool { done.contains(node) }

  mutating func add(_ root: Int, depth: Int, edge: DependencyGraph.Edge?) {
    var pending = [(node: root, depth: depth, edge: edge)]
    while let (node, depth, edge) = pending.popLast() {
      let isNew = done.insert(node).inserted
      let outgoing = edges[node] ?? []
      let suffix = isNew || outgoing.isEmpty ? "" : " …"
      lines.append(String(repeating: "  ", count: depth) + label(of: node, after: edge) + suffix)
      if isNew { pending += outgoing.reversed().map { ($0.to, depth + 1, $0) } }
    }
  }

  private func label(of number: Int, after edge: DependencyGraph.Edge?) -> String {
    let node = graph.nodes[number]
    let name = edge?.kind == .candidate ? "[\(node.candidate ?? node.name)]" : node.name
    switch node.kind {
    case .missing: return "\(name): not registered"
    case .choice: return "\(name): one of \((edges[number] ?? []).count { $0.kind == .candidate })"
    case .implementation:
      var traits = [node.lifetime?.rawValue ?? ""]
      if node.isAsynchronous { traits.append("asynchronous") }
      if node.isConstructed { traits.append("constructed") }
      if node.isOpaque { traits.append("opaque") }
      if edge?.kind == .configure { traits.append("in configure") }
      if !node.decorators.isEmpty { traits.append("decorated by \(node.decorators.joined(separator: ", "))") }
      return "\(name) (\(traits.joined(separator: ", ")))"
    }
  }
}
