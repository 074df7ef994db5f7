import Synchronization

/// Everything an injector can provide, and the dependencies of each part as far as they are known. Nothing is
/// constructed.
///
/// A scope sees what it inherits. An instance that a scope makes is made from what the scope sees, and one that a
/// parent keeps from what the parent sees. A service can therefore occur several times, once for each level it is seen
/// from.
struct GraphAnalysis {
  /// A registered service as seen from a level.
  struct Service {
    let entry: AnyEntry
    /// The level the service is seen from, and the one it is registered in: 0 for the injector itself, and one more for
    /// each parent.
    let level: Int
    let owner: Int
    let parts: Range<Int>
    /// How one of the parts is selected; `nil` if there are no rules.
    let choice: Choice?
    /// The service that selects among the parts; `nil` if it is not registered.
    var context: Int?
  }

  /// One implementation of a service.
  struct Part {
    let cell: any EntryPart
    let service: Int
    /// The level of the injector that keeps the instance, wherever it is requested; `nil` if each scope keeps its own,
    /// or none does.
    let keeper: Int?
    var edges: [Edge] = []
    let lifetime: Lifetime
    var isDeclared = false
    var isOpaque = false

    init(cell: any EntryPart, service: Int, keeper: Int?) {
      self.cell = cell
      self.service = service
      self.keeper = keeper
      lifetime = cell.lifetime ?? .factory
    }
  }

  /// A dependency of a part.
  struct Edge {
    let dependency: Dependency
    let source: DependencyGraph.Edge.Kind
    /// The service it leads to; `nil` if that is not registered.
    let target: Int?
    /// Whether the part can do without: with an optional or a collection, for example.
    let isOptional: Bool

    /// Whether the part cannot do without.
    var isNeeded: Bool { dependency.isAnswered && !isOptional }

    /// The target if the part might keep its instance. A scope that the part opens itself releases its instances, so
    /// those do not count.
    var capturable: Int? { dependency.isAnswered && dependency.place != .scope ? target : nil }
  }

  let levels: [Injector]
  private(set) var services: [Service] = []
  private(set) var parts: [Part] = []
  /// The indices of the services, by level and entry.
  private var indices: [[ObjectIdentifier: Int]]

  init(_ injector: Injector) {
    levels = Array(injector.levels)
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

  /// The service that a request for a key at a level reaches; `nil` if there is none.
  mutating func index(of key: ServiceKey, from level: Int) -> Int? {
    find(key, from: level).map { index(of: $0.entry, owner: $0.owner, from: level) }
  }

  /// The service of an entry as seen from a level. It is added with its parts if it is new.
  private mutating func index(of entry: AnyEntry, owner: Int, from level: Int) -> Int {
    let cells = entry.parts
    let level = owner > level ? cells.reduce(owner) { min($0, keeper(of: $1) ?? level) } : level
    if let index = indices[level][ObjectIdentifier(entry)] { return index }
    let index = services.count
    indices[level][ObjectIdentifier(entry)] = index
    let start = parts.count
    for cell in cells {
      parts.append(Part(cell: cell, service: index, keeper: keeper(of: cell)))
    }
    services.append(Service(entry: entry, level: level, owner: owner, parts: start..<parts.count, choice: entry.choice))
    return index
  }

  /// The level of the injector that keeps the instance of a cell, wherever it is requested.
  private func keeper(of cell: AnyEntry) -> Int? {
    guard let lifetime = cell.lifetime, lifetime.isKept, lifetime != .scoped else { return nil }
    return level(atDepth: cell.level.load(ordering: .relaxed))
  }

  /// The level of the injector at a depth, where the outermost injector has depth 0.
  private func level(atDepth depth: Int32) -> Int { max(0, Int(levels[0].depth - depth)) }

  /// The entry registered for a key, or for a service the key is derived from.
  private func find(_ key: ServiceKey, from level: Int) -> (entry: AnyEntry, owner: Int)? {
    findExactly(key, from: level) ?? findFirst(of: key.derivation?.keys ?? [], from: level)
  }

  /// The entry registered for the first of several keys that has one.
  private func findFirst(of keys: [ServiceKey], from level: Int) -> (entry: AnyEntry, owner: Int)? {
    for key in keys { if let found = findExactly(key, from: level) { return found } }
    return nil
  }

  /// The entry registered for a key, in the nearest level that has one.
  private func findExactly(_ key: ServiceKey, from level: Int) -> (entry: AnyEntry, owner: Int)? {
    for owner in level..<levels.count {
      if let entry = levels[owner].registrations.entry(key.type, key.tag) {
        return (levels[level].overlaid(entry, registeredAt: levels[owner].depth), owner)
      }
    }
    return nil
  }

  /// Adds the edges of every part. Services found on the way are added at the end, and visited later.
  private mutating func connect() {
    var next = 0
    while next < services.count {
      if let context = services[next].choice?.context {
        services[next].context = index(of: context, from: services[next].level)
      }
      for part in services[next].parts { connect(part, from: services[next].level) }
      next += 1
    }
  }

  /// Adds the edges of a part of a service as seen from a level, and notes whether it hides any.
  private mutating func connect(_ part: Int, from level: Int) {
    let cell = parts[part].cell
    let (hasRun, hasBeenConfigured) = (cell.hasRun, cell.hasBeenConfigured)
    let (knowledge, record) = (cell.knowledge, cell.recorded)
    parts[part].edges = edges(knowledge, record, from: parts[part].keeper ?? level)
    switch knowledge {
    case .declared: parts[part].isDeclared = true
    case .absent: break
    case .opaque: parts[part].isOpaque = !hasRun || cell.needsSetup && !hasBeenConfigured
    case .none, .wired:
      parts[part].isOpaque = cell.needsSetup && !hasBeenConfigured || !cell.decorators.isEmpty && !hasRun
    }
  }

  /// The dependencies of a cell's factory and configurations, and how they are known.
  private mutating func edges(_ knowledge: Knowledge, _ record: Record, from level: Int) -> [Edge] {
    switch knowledge {
    case .none, .opaque, .absent: return recorded(record.dependencies, beside: [], from: level)
    case .wired(let keys):
      var known: [Edge] = []
      known.reserveCapacity(keys.count)
      for key in keys { if let edge = edge(Dependency(key: key), .known, from: level) { known.append(edge) } }
      if record.dependencies.isEmpty { return known }
      return known + recorded(record.dependencies, beside: known, from: level)
    case .declared(let keys):
      let all = Set(keys)
      // Only a run shows how a declared service is requested; until then a context may be given.
      let shown = record.dependencies.filter { !$0.isConfigured && all.contains($0.key) }
      let known = Set(shown.map(\.key))
      let hidden = keys.filter { !known.contains($0) }.map { Dependency(key: $0, givesContext: true) }
      let declared = (shown + hidden).compactMap { edge($0, .declared, from: level) }
      let others = record.dependencies.filter { $0.isConfigured || !all.contains($0.key) }
      return declared + recorded(others, beside: declared, from: level)
    }
  }

  /// The dependencies that runs have recorded, without those that are known already.
  private mutating func recorded(_ dependencies: [Dependency], beside known: [Edge], from level: Int) -> [Edge] {
    if dependencies.isEmpty { return [] }
    let keys = Set(known.map(\.dependency.key))
    let targets = Set(known.compactMap(\.target))
    return dependencies.compactMap { dependency -> Edge? in
      if dependency.isConfigured { return edge(dependency, .configure, from: level) }
      guard !keys.contains(dependency.key), let edge = edge(dependency, .recorded, from: level) else { return nil }
      return edge.target.map(targets.contains) == true ? nil : edge
    }
  }

  /// The edge of a dependency as seen from a level; `nil` if nothing has to be registered for it.
  private mutating func edge(
    _ dependency: Dependency, _ source: DependencyGraph.Edge.Kind, from level: Int
  ) -> Edge? {
    let key = dependency.key
    var level = level
    if case .outer(let depth) = dependency.place { level = max(level, self.level(atDepth: depth)) }
    let isOfScope = dependency.depth.map { $0 > levels[level].depth } ?? false
    // What a scope has registered itself differs from what may be registered here.
    if isOfScope, dependency.place == .scope { return nil }
    let exact = findExactly(key, from: level)
    let derivation = exact == nil ? key.derivation : nil
    if let found = exact ?? findFirst(of: derivation?.keys ?? [], from: level) {
      let target = index(of: found.entry, owner: found.owner, from: level)
      return Edge(
        dependency: dependency, source: source, target: target, isOptional: dependency.isOptional || exact == nil)
    }
    // A key makes its instance on the first request; until then it is not missing.
    let isMade = key.service is any TypedKey.Type && !(key.service is any AnyArgumentsKey.Type)
    if isMade || isOfScope || dependency.place == .scope || derivation?.isOptional == true { return nil }
    return Edge(dependency: dependency, source: source, target: nil, isOptional: dependency.isOptional)
  }

  /// The depth of the injector that keeps the instance of a part: at least 1 for a scoped one, because some scope keeps
  /// it.
  func depth(of part: Part) -> Int? {
    let service = services[part.service]
    if let keeper = part.keeper { return Int(levels[keeper].depth) }
    return part.lifetime == .scoped ? max(1, Int(levels[service.level].depth)) : nil
  }
}
