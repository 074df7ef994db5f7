/// The services of an injector and its parents, and their dependencies, as far as they are known without making an
/// instance.
///
/// A service can have other dependencies in a scope than in the scope's parent. So a service is a registration together
/// with the level from which its dependencies are looked up.
package final class ServiceGraph {
  package final class Service {
    package let index: Int
    package let cell: Cell
    /// The level from which its dependencies are looked up: 0 is the injector itself, 1 its parent.
    package let level: Int
    /// The level in which the service is registered.
    package let owner: Int
    /// The candidates, or the service itself.
    package let parts: [Part]
    /// The service that is the context of its choice.
    package fileprivate(set) var context: Int?

    fileprivate init(_ index: Int, _ cell: Cell, level: Int, owner: Int, _ parts: [Part]) {
      (self.index, self.cell, self.level, self.owner, self.parts) = (index, cell, level, owner, parts)
    }
  }

  package final class Part {
    package let cell: Cell
    package let service: Int
    /// The level that keeps the instance; `nil` if each scope or request makes its own.
    package let keeper: Int?
    package fileprivate(set) var edges: [Edge] = []
    /// The closures that hide dependencies.
    package fileprivate(set) var hiding: [String] = []

    package var registration: Registration { cell.registration }
    var id: String { registration.candidate ?? Fallback.id }

    fileprivate init(_ cell: Cell, of service: Int, keeper: Int?) {
      (self.cell, self.service, self.keeper) = (cell, service, keeper)
    }
  }

  package struct Edge {
    package let need: Need
    /// The requested service; `nil` if it is not registered.
    package let target: Int?
    /// Whether the part can do without the service: with an optional or a collection, for example.
    package let isOptional: Bool

    /// Whether the part fails without the service.
    var isNeeded: Bool { need.isAnswered && !isOptional }

    /// The target, if the part might keep its instance. A scope that the part opens itself releases its instances.
    var capturable: Int? { need.isAnswered && need.place != .scope ? target : nil }
  }

  package let levels: [Injector]
  /// The problems and warnings found so far, in any order.
  var found: [(problem: ValidationReport.Problem, isWarning: Bool)] = []
  package private(set) var services: [Service] = []
  package private(set) var parts: [Part] = []
  /// The names of services, for a report.
  private(set) lazy var names: DistinctNames = {
    let missing = parts.flatMap(\.edges).filter { $0.target == nil }
    return DistinctNames(services.map(\.cell.registration.key) + missing.map(\.need.key))
  }()
  private var indices: [[ObjectIdentifier: Int]]

  package init(_ injector: Injector) {
    levels = Array(injector.levels)
    indices = Array(repeating: [:], count: levels.count)
    var seen: Set<Key> = []
    for cell in levels.flatMap(\.cells) where seen.insert(cell.registration.key).inserted {
      // If a scope decorates the service, this finds the decorated one.
      if let found = find(cell.registration.key, from: 0) { _ = index(of: found, from: 0) }
    }
    var next = 0
    while next < services.count {
      connect(services[next])
      next += 1
    }
  }

  private func index(of found: (cell: Cell, owner: Int), from asking: Int) -> Int {
    let cells = found.cell.parts
    var level = asking
    if found.owner > asking { level = cells.reduce(found.owner) { min($0, keeper(of: $1.registration) ?? asking) } }
    if let known = indices[level][ObjectIdentifier(found.cell)] { return known }
    let index = services.count
    indices[level][ObjectIdentifier(found.cell)] = index
    let parts = cells.map { Part($0, of: index, keeper: keeper(of: $0.registration)) }
    self.parts += parts
    services.append(Service(index, found.cell, level: level, owner: found.owner, parts))
    return index
  }

  private func keeper(of registration: Registration) -> Int? {
    registration.isKept && registration.lifetime != .scoped ? owner(of: registration) : nil
  }

  private func owner(of registration: Registration) -> Int { max(0, Int(levels[0].depth - registration.depth)) }

  private func find(_ key: Key, from level: Int) -> (cell: Cell, owner: Int)? {
    guard level < levels.count, let cell = (try? levels[level].find(key)) ?? nil else { return nil }
    return (cell, owner(of: cell.registration))
  }

  /// The service of this graph that a request for a key reaches.
  package func index(of key: Key) -> Int? {
    guard let found = find(key, from: 0) else { return nil }
    for known in indices { if let index = known[ObjectIdentifier(found.cell)] { return index } }
    return nil
  }

  private func connect(_ service: Service) {
    if let context = service.cell.selector?.contextType, context != Injector.self,
      let found = find(Key(context), from: service.level)
    {
      service.context = index(of: found, from: service.level)
    }
    for part in service.parts {
      let knowledge = knowledge(of: part.registration)
      part.hiding = knowledge.hiding
      for need in knowledge.needs { connect(part, need, from: part.keeper ?? service.level) }
    }
  }

  private func knowledge(of registration: Registration) -> Knowledge {
    for level in levels {
      for hook in Layers.hooks(of: level) {
        if let knowledge = hook.knowledge(of: registration) { return knowledge }
      }
    }
    return registration.knowledge
  }

  private func connect(_ part: Part, _ need: Need, from level: Int) {
    guard let edge = edge(need, from: level) else { return }
    let isKnown = part.edges.contains { known in
      known.target != nil && known.target == edge.target && [.known, .declared].contains(known.need.origin)
    }
    if need.origin != .recorded || !isKnown { part.edges.append(edge) }
  }

  private func edge(_ need: Need, from level: Int) -> Edge? {
    var level = level
    if case .outer(let depth) = need.place { level = max(level, Int(levels[0].depth - depth)) }
    if level >= levels.count { return nil }
    let isOfScope = need.depth.map { $0 > levels[level].depth } ?? false
    // The registration of a scope can differ from the one here.
    if isOfScope, need.place == .scope { return nil }
    if let found = find(need.key, from: level) {
      return Edge(need: need, target: index(of: found, from: level), isOptional: need.isOptional)
    }
    let derivation = need.key.derivation
    if let element = derivation?.element, let found = find(element, from: level) {
      return Edge(need: need, target: index(of: found, from: level), isOptional: true)
    }
    if derivation?.isOptional == true || need.key.type == Injector.self || need.key.isMadeOnDemand { return nil }
    if isOfScope || need.place == .scope { return nil }
    return Edge(need: need, target: nil, isOptional: need.isOptional)
  }

  /// The depth of the injector that keeps the instances of a part; `nil` if none does.
  func depth(of part: Part) -> Int? {
    if let keeper = part.keeper { return Int(levels[keeper].depth) }
    return part.registration.lifetime == .scoped ? max(1, Int(levels[services[part.service].level].depth)) : nil
  }
}

extension Key {
  /// Whether the first request for the key makes its instance, so that the key is never missing.
  fileprivate var isMadeOnDemand: Bool { typed.map { $0.kind != .arguments } ?? false }
}

extension ServiceGraph {
  /// The cycles of services. Of the cycles through the same set of services, it returns the shortest one through the
  /// first service by name.
  ///
  /// - Parameter targets: The services to which each service leads.
  /// - Complexity: O(*n*) for *n* services and dependencies without a cycle.
  func cycles(along targets: [[Int]]) -> [[Int]] {
    let askers = Self.reversed(targets)
    // A service without edges from or to others is in no cycle. Remove such services repeatedly.
    var isOpen = Array(repeating: true, count: targets.count)
    var (ahead, behind) = (targets.map(\.count), askers.map(\.count))
    var ends = Array(targets.indices)
    while let service = ends.popLast() {
      guard isOpen[service], ahead[service] == 0 || behind[service] == 0 else { continue }
      isOpen[service] = false
      for asker in askers[service] { ahead[asker] -= 1 }
      for target in targets[service] { behind[target] -= 1 }
      ends += askers[service] + targets[service]
    }
    var cycles: [[Int]] = []
    for service in services.indices where isOpen[service] {
      var before = Self.walk(from: [service], along: targets)
      if before[service] < 0 { continue }
      let after = Self.walk(from: [service], along: askers)
      let connected = services.indices.filter { before[$0] >= 0 && after[$0] >= 0 }
      for other in connected { isOpen[other] = false }
      let names = connected.map { name(of: services[$0].cell.registration) }
      let first = connected[alphabeticalOrder(of: names)[0]]
      if first != service { before = Self.walk(from: [first], along: targets) }
      var cycle = [first]
      repeat { cycle.append(before[cycle[cycle.count - 1]]) } while cycle.last != first
      cycles.append(cycle.reversed())
    }
    return cycles
  }

  /// The services that lead to each service.
  static func reversed(_ targets: [[Int]]) -> [[Int]] {
    var askers: [[Int]] = Array(repeating: [], count: targets.count)
    for (service, targets) in targets.enumerated() {
      for target in targets { askers[target].append(service) }
    }
    return askers
  }

  /// Searches the services that are reachable from some services, by the shortest paths.
  ///
  /// - Returns: For each service, the one before it on its path; -1 if it is unreachable, and -2 if a path begins
  ///   there.
  static func walk(from starts: [Int], along targets: [[Int]]) -> [Int] {
    var before = Array(repeating: -1, count: targets.count)
    for service in starts { before[service] = -2 }
    var queue = starts
    var next = 0
    while next < queue.count {
      let service = queue[next]
      next += 1
      for target in targets[service] where before[target] < 0 {
        if before[target] == -1 { queue.append(target) }
        before[target] = service
      }
    }
    return before
  }
}
