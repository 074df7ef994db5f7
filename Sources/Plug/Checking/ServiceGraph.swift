/// The services of an injector and its parents, and their dependencies, as far as they are known without making an
/// instance.
///
/// A service can have other dependencies in a scope than in the scope's parent. So a node is a registration together
/// with the level from which its dependencies are looked up. Nodes and edges are in flat lists, because an object for
/// each would take longer than its check.
package struct ServiceGraph {
  /// A service, or one of its candidates.
  package struct Node {
    package let cell: Cell
    /// The level from which its dependencies are looked up: 0 is the injector itself, 1 its parent.
    let level: Int
    /// The depth of the injector that keeps the instance; -1 if none does.
    let depth: Int
    package let isCandidate: Bool
    fileprivate(set) var edges = 0..<0
    /// The closures that hide dependencies.
    package fileprivate(set) var hiding: [String] = []

    var registration: Registration { cell.registration }
  }

  /// A dependency, and the node of the requested service; `nil` if the service is not registered.
  package typealias Edge = (need: Need, target: Int?)

  let levels: [Injector]
  package private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []
  /// Whether an edge leads to a service that is not registered.
  private(set) var hasGaps = false
  private let hooks: [any DependencyHooks]
  /// The nodes of services: for each level, by their cells.
  private var numbers: [[ObjectIdentifier: Int]]

  package init(_ injector: Injector) {
    levels = Array(injector.levels)
    hooks = Layers.hooks(of: injector).compactMap { $0 as? any DependencyHooks }
    numbers = Array(repeating: [:], count: levels.count)
    for (number, level) in levels.enumerated() {
      let cells = level.cells
      numbers[number].reserveCapacity(cells.count)
      for cell in cells {
        // The registration of an inner level replaces it.
        let found = number == 0 ? cell : find(cell.registration.key, from: 0)
        if let found { _ = self.number(of: found, from: 0) }
      }
    }
    var next = 0
    while next < nodes.count {
      connect(next)
      next += 1
    }
  }

  private func find(_ key: Key, from level: Int) -> Cell? { levels[level].visibleCell(of: key) }

  /// Finds a service that another one is made from, which is not registered.
  private func element(of key: Key, at level: Int) -> Cell? { key.elements.compactMap { find($0, from: level) }.first }

  /// The level from which the dependencies of a service are looked up, if a request from another level reaches it.
  private func level(of cell: Cell, from asking: Int) -> Int {
    let owner = max(0, Int(levels[0].depth - cell.registration.depth))
    guard let selector = cell.selector else { return cell.registration.isOwned ? owner : asking }
    return selector.cells.reduce(owner) { min($0, level(of: $1, from: asking)) }
  }

  private mutating func number(of cell: Cell, from asking: Int) -> Int {
    let level = level(of: cell, from: asking)
    let number = numbers[level][ObjectIdentifier(cell)] ?? nodes.count
    if number == nodes.count {
      numbers[level][ObjectIdentifier(cell)] = number
      addNode(cell, level)
    }
    return number
  }

  private mutating func addNode(_ cell: Cell, _ level: Int, isCandidate: Bool = false) {
    let (registration, depth) = (cell.registration, Int(levels[level].depth))
    let owner = registration.isOwned ? depth : registration.isKept ? max(1, depth) : -1
    nodes.append(Node(cell: cell, level: level, depth: owner, isCandidate: isCandidate))
  }

  /// Adds the edges of a node.
  private mutating func connect(_ number: Int) {
    let (cell, level, start) = (nodes[number].cell, nodes[number].level, edges.count)
    if let order = cell.selector?.order {
      if order.contextType != Injector.self {
        let need = Need(Key(order.contextType), .context)
        let context = find(need.key, from: level) ?? element(of: need.key, at: level)
        add((need, context.map { self.number(of: $0, from: level) }))
      }
      for entry in order.entries {
        add((Need(cell.registration.key, .candidate), nodes.count))
        addNode(entry.cell, self.level(of: entry.cell, from: level), isCandidate: true)
      }
    } else {
      let knowledge = hooks.lazy.compactMap { $0.knowledge(of: cell.registration) }.first ?? cell.registration.knowledge
      if !knowledge.hiding.isEmpty { nodes[number].hiding = knowledge.hiding }
      for need in knowledge.needs { connect(need, from: level, after: start) }
    }
    nodes[number].edges = start..<edges.count
  }

  private mutating func add(_ edge: Edge) {
    edges.append(edge)
    if edge.target == nil { hasGaps = true }
  }

  private mutating func connect(_ need: Need, from level: Int, after start: Int) {
    var (need, level) = (need, level)
    if case .outer(let depth) = need.receiver { level = max(level, Int(levels[0].depth - depth)) }
    // The registration of a scope can differ from the one here.
    let isOfScope = need.depth.map { $0 > levels[level].depth } ?? false
    if isOfScope, need.receiver == .scope { return }
    var found = find(need.key, from: level)
    if found == nil {
      found = element(of: need.key, at: level)
      let isMade = need.key.derivation?.isOptional == true || need.key.type == Injector.self || need.key.isMadeOnDemand
      if found == nil, isMade || isOfScope || need.receiver == .scope { return }
      if found != nil { need.isOptional = true }
    }
    let target = found.map { number(of: $0, from: level) }
    if need.origin == .recorded, target != nil {
      let isKnown = edges[start...].contains { $0.target == target && [.known, .declared].contains($0.need.origin) }
      if isKnown { return }
    }
    add((need, target))
  }

  /// The dependencies of a node.
  package func edges(of node: Node) -> ArraySlice<Edge> { edges[node.edges] }

  /// The injector from which the dependencies of a node are looked up.
  package func injector(of node: Node) -> Injector { levels[node.level] }

  /// The keys of the services, and of those that are not registered.
  package var keys: [Key] { nodes.map(\.registration.key) + edges.lazy.filter { $0.target == nil }.map { $0.need.key } }

  /// Whether an instance may keep the target of an edge. A scope that a closure opens itself releases its instances.
  func isCapturable(_ edge: Edge) -> Bool {
    edge.target != nil && edge.need.origin != .context && edge.need.receiver != .scope
  }

  /// Whether an instance cannot be made without the target of an edge.
  func isNeeded(_ edge: Edge) -> Bool {
    guard let target = edge.target, edge.need.origin != .configured else { return false }
    let cell = nodes[target].cell
    // One service represents all arguments, and another context may select another candidate.
    if cell.registration.maker != nil || edge.need.givesContext && cell.selector != nil { return false }
    // A scope makes its own instances of services that it has registered.
    return edge.need.receiver != .scope || cell.parts.allSatisfy(\.registration.isOwned)
  }

  /// The groups of nodes that lead to each other (Tarjan, "Depth-first search and linear graph algorithms", 1972). It
  /// uses a stack of its own, because a graph may be deeper than a thread's stack.
  ///
  /// - Parameter isStrict: Whether only edges count without whose target no instance can be made.
  func cyclicGroups(isStrict: Bool) -> [Set<Int>] {
    func isFollowed(_ edge: Edge) -> Bool { !isStrict || isNeeded(edge) }
    // The order of arrival, the earliest node that is reached from each, and the edges that are still to be followed.
    var (arrival, rest, groups) = (Array(repeating: -1, count: nodes.count), nodes.map(\.edges), [Set<Int>]())
    var (earliest, way, open, count) = (arrival, [Int](), [Int](), 0)
    for root in nodes.indices where arrival[root] < 0 {
      way.append(root)
      while let node = way.last {
        if arrival[node] < 0 {
          (arrival[node], earliest[node]) = (count, count)
          count += 1
          open.append(node)
        }
        if let number = rest[node].popFirst() {
          guard let target = edges[number].target, isFollowed(edges[number]) else { continue }
          if arrival[target] < 0 { way.append(target) }
          earliest[node] = min(earliest[node], arrival[target] < 0 ? .max : earliest[target])
          continue
        }
        way.removeLast()
        if earliest[node] == arrival[node], let start = open.lastIndex(of: node) {
          let isAlone = start == open.count - 1
          let isCyclic = !isAlone || edges(of: nodes[node]).contains { $0.target == node && isFollowed($0) }
          if isCyclic { groups.append(Set(open[start...])) }
          while open.count > start { earliest[open.removeLast()] = .max }
        }
        if let before = way.last { earliest[before] = min(earliest[before], earliest[node]) }
      }
    }
    return groups
  }

  /// Finds the nodes that are reached from a node by one edge or more, each with the node before it on the shortest
  /// way. The first node is reached if it is in a cycle.
  func walk(from first: Int, along isFollowed: (Int, Edge) -> Bool) -> [Int: Int] {
    var (before, queue, next) = ([Int: Int](), [first], 0)
    while next < queue.count {
      let node = queue[next]
      next += 1
      for edge in edges(of: nodes[node]) where isFollowed(node, edge) {
        guard let target = edge.target, before[target] == nil else { continue }
        before[target] = node
        if target != first { queue.append(target) }
      }
    }
    return before
  }

  /// The way of a walk to a node that it has reached. It begins with the node where the walk began.
  func path(to end: Int, from first: Int, _ before: [Int: Int]) -> [Int] {
    var path = [end]
    repeat { path.append(before[path[path.count - 1]] ?? first) } while path[path.count - 1] != first
    return path.reversed()
  }
}

extension Registration {
  /// Whether the injector with the registration keeps the instance.
  var isOwned: Bool { isKept && lifetime != .scoped }
}

extension Key {
  /// Whether the first request for the key makes its instance, so that the key is never missing.
  fileprivate var isMadeOnDemand: Bool { typed.map { $0.kind != .arguments } ?? false }
}
