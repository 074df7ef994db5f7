import Plug

/// Numbers the nodes of a graph, and collects the edges between them.
struct Drawing {
  private let source: ServiceGraph
  private let names: DistinctNames
  private var nodes: [DependencyGraph.Node] = []
  private var edges: [(from: Int, to: Target, kind: DependencyGraph.Edge.Kind)] = []
  /// The node that represents each service: a node of its own if the service has candidates, else its implementation.
  private var entrances: [Int: Int] = [:]
  private var missing: [Key: Int] = [:]

  /// The target of an edge. A service may get its node later than the edge.
  private enum Target {
    case service(Int)
    case node(Int)
  }

  init(_ source: ServiceGraph) {
    self.source = source
    let needed = source.parts.flatMap(\.edges).filter { $0.target == nil }.map(\.need.key)
    names = DistinctNames(source.services.map(\.cell.registration.key) + needed)
  }

  /// Draws some services.
  func graph(of services: some Sequence<Int>) -> DependencyGraph {
    var drawing = self
    for service in services { drawing.add(service) }
    return drawing.graph()
  }

  private mutating func add(_ index: Int) {
    let service = source.services[index]
    let (key, path) = (service.cell.registration.key, source.levels[service.owner].path)
    let isChoice = service.cell.selector != nil
    if isChoice {
      entrances[index] = add(.choice, key, environment: path, registeredAt: service.cell.registration.location)
    }
    for part in service.parts {
      let node = add(part, key, isChoice: isChoice, environment: path)
      if let entrance = entrances[index] {
        edges.append((entrance, .node(node), .candidate))
      } else {
        entrances[index] = node
      }
      for edge in part.edges { edges.append((node, target(of: edge), edge.need.kind)) }
    }
    if let context = service.context, let entrance = entrances[index] {
      edges.append((entrance, .service(context), .known))
    }
  }

  private mutating func add(
    _ part: ServiceGraph.Part, _ key: Key, isChoice: Bool, environment: String?
  ) -> Int {
    let registration = part.registration
    let isConstructed =
      registration.lifetime == .scoped
      ? source.levels[source.services[part.service].level].keptBox(of: registration) != nil : part.cell.box != nil
    return add(
      .implementation, key, candidate: registration.candidate ?? (isChoice ? Fallback.id : nil),
      lifetime: registration.lifetime, environment: environment, registeredAt: registration.location,
      isAsynchronous: registration.recipe.isLoaded,
      decorators: registration.decorators,
      isConstructed: isConstructed, isOpaque: !part.hiding.isEmpty)
  }

  /// Returns the target of an edge. All edges to the same missing service share a node.
  private mutating func target(of edge: ServiceGraph.Edge) -> Target {
    if let target = edge.target { return .service(target) }
    let node = missing[edge.need.key] ?? add(.missing, edge.need.key)
    missing[edge.need.key] = node
    return .node(node)
  }

  private mutating func add(
    _ kind: DependencyGraph.Node.Kind, _ key: Key, candidate: String? = nil, lifetime: Lifetime? = nil,
    environment: String? = nil, registeredAt: CodeLocation? = nil, isAsynchronous: Bool = false,
    decorators: [String] = [], isConstructed: Bool = false, isOpaque: Bool = false
  ) -> Int {
    let (service, tag) = names.parts(of: key)
    nodes.append(
      DependencyGraph.Node(
        kind: kind, service: service, tag: tag, candidate: candidate, lifetime: lifetime, environment: environment,
        registeredAt: registeredAt, isAsynchronous: isAsynchronous, decorators: decorators,
        isConstructed: isConstructed, isOpaque: isOpaque))
    return nodes.count - 1
  }

  /// The nodes sorted by name, and the edges with the new numbers of their nodes, each once.
  private func graph() -> DependencyGraph {
    let names = nodes.map(\.name)
    let order = nodes.indices.sorted { (names[$0], $0) < (names[$1], $1) }
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

extension Need {
  fileprivate var kind: DependencyGraph.Edge.Kind {
    switch origin {
    case .known: .known
    case .declared: .declared
    case .recorded: .recorded
    case .configured: .configure
    }
  }
}
