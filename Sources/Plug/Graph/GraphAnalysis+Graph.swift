extension GraphAnalysis {
  /// The whole graph, or the part that can be reached from one service.
  func graph(from root: Int? = nil) -> DependencyGraph {
    var drawing = Drawing(analysis: self)
    let reached = root.map { reachable(from: $0) } ?? Set(services.indices)
    for service in services.indices where reached.contains(service) { drawing.add(service) }
    return drawing.graph()
  }

  /// The services that a service depends on, directly or indirectly, and the service itself.
  private func reachable(from root: Int) -> Set<Int> {
    var reached: Set<Int> = []
    var queue = [root]
    while let service = queue.popLast() {
      guard reached.insert(service).inserted else { continue }
      if let context = services[service].context { queue.append(context) }
      for part in services[service].parts { queue += parts[part].edges.compactMap(\.target) }
    }
    return reached
  }

  /// The ids of the decorators of a part, also of those declared in outer injectors.
  fileprivate func decorators(of part: Part) -> [String] {
    guard let key = part.cell.decoratedKey else { return part.cell.decorators }
    return levels[services[part.service].owner].registrations.allDecorations(of: key).map(\.id)
  }

  /// Whether the instance exists; for a scoped one, in the scope it is seen from.
  fileprivate func isConstructed(_ part: Part) -> Bool {
    guard part.lifetime == .scoped else { return part.cell.hasInstance }
    let scope = levels[services[part.service].level]
    return scope.instanceStore.withLock { $0.ownCell(of: part.cell) }?.parts.first?.hasInstance ?? false
  }
}

/// Numbers the nodes of a graph, and collects the edges between them.
private struct Drawing {
  let analysis: GraphAnalysis
  private var nodes: [DependencyGraph.Node] = []
  private var edges: [(from: Int, to: Target, kind: DependencyGraph.Edge.Kind)] = []
  /// The nodes that represent services: of a service with candidates its own node, of another one its implementation.
  private var entrances: [Int: Int] = [:]
  private var missing: [ServiceKey: Int] = [:]

  /// What an edge leads to. A service may get its node later than the edge.
  private enum Target {
    case service(Int)
    case node(Int)
  }

  init(analysis: GraphAnalysis) {
    self.analysis = analysis
  }

  /// Adds the nodes of a service and its parts, with the edges that begin there.
  mutating func add(_ index: Int) {
    let service = analysis.services[index]
    let isChoice = service.choice != nil
    if isChoice {
      entrances[index] = add(
        DependencyGraph.Node(
          .choice, service.entry.key, candidate: nil, environment: analysis.levels[service.owner].path,
          registeredAt: service.entry.location))
    }
    for part in service.parts.map({ analysis.parts[$0] }) {
      let node = add(
        DependencyGraph.Node(
          .implementation, service.entry.key,
          candidate: part.cell.declaration.candidate ?? (isChoice ? Fallback.id : nil),
          lifetime: part.lifetime, environment: analysis.levels[service.owner].path, registeredAt: part.cell.location,
          isAsynchronous: part.cell.loadable?.isAsynchronous == true, decorators: analysis.decorators(of: part),
          isConstructed: analysis.isConstructed(part), isOpaque: part.isOpaque))
      if let entrance = entrances[index] {
        edges.append((entrance, .node(node), .candidate))
      } else {
        entrances[index] = node
      }
      for edge in part.edges { edges.append((node, target(of: edge), edge.source)) }
    }
    if let context = service.context, let entrance = entrances[index] {
      edges.append((entrance, .service(context), .known))
    }
  }

  private mutating func add(_ node: DependencyGraph.Node) -> Int {
    nodes.append(node)
    return nodes.count - 1
  }

  /// What an edge leads to. All edges to the same missing service share a node.
  private mutating func target(of edge: GraphAnalysis.Edge) -> Target {
    if let target = edge.target { return .service(target) }
    let key = edge.dependency.key
    let node = missing[key] ?? add(DependencyGraph.Node(.missing, key))
    missing[key] = node
    return .node(node)
  }

  /// The nodes sorted by name, and the edges with the new numbers of their nodes, each once.
  func graph() -> DependencyGraph {
    let order = nodes.indices.sorted { (nodes[$0].name, $0) < (nodes[$1].name, $1) }
    var numbers = Array(repeating: 0, count: nodes.count)
    for (number, node) in order.enumerated() { numbers[node] = number }
    let drawn = Set(
      edges.compactMap { edge -> DependencyGraph.Edge? in
        let target: Int?
        switch edge.to {
        case .node(let node): target = node
        case .service(let service): target = entrances[service]
        }
        return target.map { DependencyGraph.Edge(from: numbers[edge.from], to: numbers[$0], kind: edge.kind) }
      })
    return DependencyGraph(
      nodes: order.map { nodes[$0] },
      edges: drawn.sorted { ($0.from, $0.to, $0.kind.rawValue) < ($1.from, $1.to, $1.kind.rawValue) })
  }
}

extension DependencyGraph.Node {
  fileprivate init(
    _ kind: Kind, _ key: ServiceKey, candidate: String? = nil, lifetime: Lifetime? = nil, environment: String? = nil,
    registeredAt: CodeLocation? = nil, isAsynchronous: Bool = false, decorators: [String] = [],
    isConstructed: Bool = false, isOpaque: Bool = false
  ) {
    self.kind = kind
    (service, tag) = nameParts(key.service, tag: key.tag?.rawValue)
    self.candidate = candidate
    self.lifetime = lifetime
    self.environment = environment
    self.registeredAt = registeredAt
    self.isAsynchronous = isAsynchronous
    self.decorators = decorators
    self.isConstructed = isConstructed
    self.isOpaque = isOpaque
  }
}
