import Plug

extension DependencyGraph: CustomStringConvertible {
  /// An indented tree for each node that no other node depends on. A node is expanded only once.
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
    // The remaining services depend on each other.
    for node in nodes.indices where !tree.isDone(node) { tree.add(node, depth: 0, edge: nil) }
    return tree.lines.joined(separator: "\n")
  }
}

/// Prints nodes as indented lines, each with its dependencies once.
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

  /// Adds the lines of a node and everything below it. It uses a stack of its own, because a graph may be deeper than a
  /// thread's stack.
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

  /// One line of text for a node, after the edge that leads to it.
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
      if let module = node.registeredAt?.module { traits.append("of \(module)") }
      return "\(name) (\(traits.joined(separator: ", ")))"
    }
  }
}
