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
    /// How one of the parts is chosen, if there are rules.
    let choice: Choice?
    /// What chooses among the parts, if it is registered.
    var context: Int?
  }

  /// One implementation.
  struct Part {
    let cell: AnyEntry
    let service: Int
    var edges: [Edge] = []
    let lifetime: Lifetime
    var isDeclared = false
    var isOpaque = false

    init(cell: AnyEntry, service: Int) {
      self.cell = cell
      self.service = service
      lifetime = cell.lifetime ?? .factory
    }

    /// Whether the injector in which it is registered keeps the instance, wherever it is asked for.
    var isKeptByOwner: Bool { lifetime.isKept && lifetime != .scoped }
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
  /// The places of the services, by level and entry.
  private var indices: [[ObjectIdentifier: Int]]

  init(_ injector: Injector) {
    levels = Array(sequence(first: injector, next: \.parent))
    indices = Array(repeating: [:], count: levels.count)
    for (level, owner) in levels.enumerated() {
      let entries = owner.registrations.entries
      indices[level].reserveCapacity(entries.count)
      services.reserveCapacity(services.count + entries.count)
      parts.reserveCapacity(parts.count + entries.count)
      for entry in entries {
        guard let seen = level == 0 ? (entry, level) : find(entry.key, from: 0), seen.1 == level else { continue }
        _ = index(of: seen.0, owner: level, from: 0)
      }
    }
    connect()
  }

  /// The service that one at a level gets for a key.
  mutating func index(of key: ServiceKey, from level: Int) -> Int? {
    find(key, from: level).map { index(of: $0.entry, owner: $0.owner, from: level) }
  }

  private mutating func index(of entry: AnyEntry, owner: Int, from level: Int) -> Int {
    let level = owner > level && entry.parts.allSatisfy(\.isKeptByOwner) ? owner : level
    if let index = indices[level][ObjectIdentifier(entry)] { return index }
    let index = services.count
    indices[level][ObjectIdentifier(entry)] = index
    let start = parts.count
    for cell in entry.parts { parts.append(Part(cell: cell, service: index)) }
    services.append(Service(entry: entry, level: level, owner: owner, parts: start..<parts.count, choice: entry.choice))
    return index
  }

  /// What is registered for a key, or for the service of which it is a collection.
  private func find(_ key: ServiceKey, from level: Int) -> (entry: AnyEntry, owner: Int)? {
    if let found = findExactly(key, from: level) { return found }
    guard let collection = key.service as? any Collecting.Type else { return nil }
    return findExactly(ServiceKey(collection.service, key.tag), from: level)
  }

  private func findExactly(_ key: ServiceKey, from level: Int) -> (entry: AnyEntry, owner: Int)? {
    for owner in level..<levels.count {
      if let entry = levels[owner].registrations.entry(key.type, key.tag) {
        return (levels[level].overlaid(entry, registeredAt: levels[owner].depth), owner)
      }
    }
    return nil
  }

  /// Follows what each part asks for; what is found on the way is added at the end.
  private mutating func connect() {
    var next = 0
    while next < services.count {
      let service = services[next]
      if let choice = service.choice {
        services[next].context = index(of: choice.context, from: service.level)
      }
      for part in service.parts { connect(part, of: service) }
      next += 1
    }
  }

  private mutating func connect(_ part: Int, of service: Service) {
    let cell = parts[part].cell
    let (hasRun, hasBeenConfigured) = (cell.hasRun, cell.hasBeenConfigured)
    let (knowledge, record) = (cell.knowledge, cell.recorded)
    let level = parts[part].isKeptByOwner ? service.owner : service.level
    // A key makes what it stands for at the first request; until then it is not missing.
    parts[part].edges = edges(knowledge, record, from: level).filter { edge in
      edge.target != nil || !(edge.dependency.key.service is any TypedKey.Type)
    }
    switch knowledge {
    case .declared: parts[part].isDeclared = true
    case .absent: break
    case .opaque: parts[part].isOpaque = !hasRun || cell.needsSetup && !hasBeenConfigured
    case .none, .wired:
      parts[part].isOpaque = cell.needsSetup && !hasBeenConfigured || !cell.decorators.isEmpty && !hasRun
    }
  }

  /// What the factory and the configuration of a cell ask for, and from where that is known.
  private mutating func edges(_ knowledge: Knowledge, _ record: Record, from level: Int) -> [Edge] {
    var edges: [Edge]
    switch knowledge {
    case .none, .opaque, .absent: edges = []
    case .wired(let keys): edges = keys.map { edge(Dependency(key: $0), .known, from: level) }
    case .declared(let keys): edges = keys.map { edge(Dependency(key: $0), .declared, from: level) }
    }
    for dependency in record.dependencies {
      if dependency.isConfigured {
        edges.append(edge(dependency, .configure, from: level))
      } else {
        let recorded = edge(dependency, .recorded, from: level)
        let isKnown = edges.contains { edge in
          edge.dependency.key == dependency.key || edge.target != nil && edge.target == recorded.target
        }
        if !isKnown { edges.append(recorded) }
      }
    }
    return edges
  }

  private mutating func edge(_ dependency: Dependency, _ source: DependencyGraph.Edge.Kind, from level: Int) -> Edge {
    Edge(dependency: dependency, source: source, target: index(of: dependency.key, from: level))
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

  /// Whether the injector in which it is registered keeps the instance, wherever it is asked for.
  fileprivate var isKeptByOwner: Bool { lifetime?.isKept == true && lifetime != .scoped }
}
