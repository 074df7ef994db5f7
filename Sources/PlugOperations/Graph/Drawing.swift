import Plug

extension ServiceGraph {
  /// The nodes that the given nodes lead to, directly or indirectly, and these nodes themselves, in order.
  func reached(from starts: [Int]) -> [Int] {
    var (reached, queue) = (Set<Int>(), starts)
    while let node = queue.popLast() {
      if reached.insert(node).inserted { queue += edges(of: nodes[node]).compactMap { $0.target } }
    }
    return reached.sorted()
  }

  /// Draws the given nodes, and the services that are not registered. Nodes are sorted by name.
  func drawn(_ drawn: some Sequence<Int>) -> DependencyGraph {
    let names = DistinctNames(keys)
    var (list, edges, missing) = (
      [DependencyGraph.Node](), [(from: Int, to: Int, kind: DependencyGraph.Edge.Kind)](), [Key: Int]()
    )
    var places: [Int: Int] = [:]
    for node in drawn {
      places[node] = list.count
      list.append(self.drawn(nodes[node], names))
    }
    for (node, place) in places {
      for edge in self.edges(of: nodes[node]) where edge.target != nil || edge.need.origin != .context {
        let target = edge.target.flatMap { places[$0] } ?? missing[edge.need.key] ?? list.count
        if target == list.count {
          missing[edge.need.key] = target
          list.append(DependencyGraph.Node(.missing, edge.need.key, names))
        }
        edges.append((place, target, edge.need.origin.kind))
      }
    }
    let texts = list.map(\.name)
    let order = list.indices.sorted { (texts[$0], $0) < (texts[$1], $1) }
    var numbers = Array(repeating: 0, count: list.count)
    for (number, node) in order.enumerated() { numbers[node] = number }
    let distinct = Set(edges.map { DependencyGraph.Edge(from: numbers[$0.from], to: numbers[$0.to], kind: $0.kind) })
    return DependencyGraph(
      nodes: order.map { list[$0] },
      edges: distinct.sorted { ($0.from, $0.to, $0.kind.rawValue) < ($1.from, $1.to, $1.kind.rawValue) })
  }

  private func drawn(_ node: Node, _ names: DistinctNames) -> DependencyGraph.Node {
    let registration = node.cell.registration
    let environment = injector(of: node).level(at: registration.depth).path
    if node.cell.order != nil {
      return DependencyGraph.Node(
        .choice, registration.key, names, environment: environment, registeredAt: registration.location)
    }
    let isScoped = registration.lifetime == .scoped
    return DependencyGraph.Node(
      .implementation, registration.key, names,
      candidate: registration.candidate ?? (node.isCandidate ? fallbackID : nil), lifetime: registration.lifetime,
      environment: environment, registeredAt: registration.location, isAsynchronous: registration.isLoaded,
      decorators: registration.decorators,
      isConstructed: isScoped ? injector(of: node).keptBox(of: registration) != nil : node.cell.box != nil,
      isOpaque: !node.hiding.isEmpty)
  }
}

extension DependencyGraph.Node {
  fileprivate init(
    _ kind: Kind, _ key: Key, _ names: DistinctNames, candidate: String? = nil, lifetime: Lifetime? = nil,
    environment: String? = nil, registeredAt: CodeLocation? = nil, isAsynchronous: Bool = false,
    decorators: [String] = [], isConstructed: Bool = false, isOpaque: Bool = false
  ) {
    let (service, tag) = names.parts(of: key)
    self.init(
      kind: kind, service: service, tag: tag, candidate: candidate, lifetime: lifetime, environment: environment,
      registeredAt: registeredAt, isAsynchronous: isAsynchronous, decorators: decorators,
      isConstructed: isConstructed, isOpaque: isOpaque)
  }
}

extension Need.Origin {
  fileprivate var kind: DependencyGraph.Edge.Kind {
    switch self {
    case .known, .context: .known
    case .candidate: .candidate
    case .declared: .declared
    case .recorded: .recorded
    case .configured: .configure
    }
  }
}
