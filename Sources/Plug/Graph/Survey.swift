/// All that can be got from an injector, and what each part asks for, as far as it is known; nothing is constructed for
/// it.
///
/// A scope sees what it is a scope of. What is made there is made from there; what a parent keeps, from the parent. So
/// a service can stand here several times, once for each level from which it is seen.
struct Survey {
  /// Something registered, as it is seen from a level.
  struct Service {
    let entry: AnyEntry
    /// From where it is seen, and where it is registered: 0 for the injector itself, then one more for each parent.
    let level: Int
    let owner: Int
    let parts: Range<Int>
    /// What chooses among the parts, if it is registered.
    var context: Int?
  }

  /// One implementation.
  struct Part {
    let cell: AnyEntry
    let service: Int
    var edges: [Edge] = []
    var isOpaque = false

    var lifetime: Lifetime { cell.lifetime ?? .factory }
  }

  struct Edge {
    let dependency: Dependency
    let source: DependencyGraph.Edge.Kind
    /// The service that is asked for; `nil` if it is not registered.
    let target: Int?
  }

  let levels: [Injector]
  private(set) var services: [Service] = []
  private(set) var parts: [Part] = []
  private var indices: [Position: Int] = [:]

  private struct Position: Hashable {
    let entry: ObjectIdentifier
    let level: Int
  }

  init(_ injector: Injector) {
    levels = Array(sequence(first: injector, next: \.parent))
    for (level, owner) in levels.enumerated() {
      for entry in owner.registry.entries where find(entry.key, from: 0)?.owner == level {
        _ = index(of: entry.key, from: 0)
      }
    }
    connect()
  }

  /// The service that one at a level gets for a key.
  mutating func index(of key: ServiceKey, from level: Int) -> Int? {
    guard let (entry, owner) = find(key, from: level) else { return nil }
    let cells = entry.parts
    let level = cells.allSatisfy { $0.lifetime?.isKept == true && $0.lifetime != .scoped } ? owner : level
    let position = Position(entry: ObjectIdentifier(entry), level: level)
    if let index = indices[position] { return index }
    let index = services.count
    indices[position] = index
    let start = parts.count
    for cell in cells { parts.append(Part(cell: cell, service: index)) }
    services.append(Service(entry: entry, level: level, owner: owner, parts: start..<parts.count))
    return index
  }

  private func find(_ key: ServiceKey, from level: Int) -> (entry: AnyEntry, owner: Int)? {
    for owner in level..<levels.count {
      if let entry = levels[owner].registry.entry(key.type, key.tag) { return (entry, owner) }
    }
    return nil
  }

  /// Follows what each part asks for; what is found on the way is added at the end.
  private mutating func connect() {
    var next = 0
    while next < services.count {
      let service = services[next]
      if let choice = service.entry.choice {
        services[next].context = index(of: choice.context, from: service.level)
      }
      for part in service.parts {
        let cell = parts[part].cell
        let isKeptAbove = cell.lifetime?.isKept == true && cell.lifetime != .scoped
        let level = isKeptAbove ? service.owner : service.level
        let record = cell.recorded
        parts[part].isOpaque = cell.isOpaque(after: record)
        var edges: [Edge] = []
        for (dependency, source) in cell.dependencies(after: record) {
          edges.append(Edge(dependency: dependency, source: source, target: index(of: dependency.key, from: level)))
        }
        parts[part].edges = edges
      }
      next += 1
    }
  }

  /// How deep the injector lies that keeps the instance of a part; at least in some scope, if that is what it takes.
  func depth(of part: Part) -> Int? {
    let service = services[part.service]
    switch part.lifetime {
    case .scoped: return max(1, Int(levels[service.level].depth))
    case .graph, .factory: return nil
    default: return Int(levels[service.owner].depth)
    }
  }
}

extension AnyEntry {
  var key: ServiceKey { ServiceKey(subject.service, tag) }

  /// What the factory and the configuration ask for, and from where that is known.
  fileprivate func dependencies(after record: Record) -> [(Dependency, DependencyGraph.Edge.Kind)] {
    var known: [(Dependency, DependencyGraph.Edge.Kind)] =
      switch knowledge {
      case .none, .opaque, .absent: []
      case .wired(let keys): keys.map { (Dependency(key: $0), .known) }
      case .declared(let keys): keys.map { (Dependency(key: $0), .declared) }
      }
    for dependency in record.dependencies
    where dependency.isConfigured || !known.contains(where: { $0.0.key == dependency.key }) {
      known.append((dependency, dependency.isConfigured ? .configure : .recorded))
    }
    return known
  }

  /// Whether a closure is there that has not run, and of which nothing has been declared.
  fileprivate func isOpaque(after record: Record) -> Bool {
    switch knowledge {
    case .declared, .absent: false
    case .opaque: !record.hasRun || needsSetup && !record.hasBeenConfigured
    case .none, .wired: needsSetup && !record.hasBeenConfigured
    }
  }
}
