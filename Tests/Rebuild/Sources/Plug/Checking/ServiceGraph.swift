/// What an injector and those around it have registered, and which service needs which, as far as that is known without
/// making anything.
///
/// A service that a scope sees may need something else than the one that the injector around the scope sees. So a
/// service is a registration together with the level from which its dependencies are looked up.
package struct ServiceGraph {
  package struct Service {
    package let cell: Cell
    /// The level from which its parts look up what they need: 0 is the injector itself, 1 the one around it.
    package let level: Int
    /// The level that it is registered in.
    package let owner: Int
    /// Its candidates, or itself.
    package let parts: Range<Int>
    /// The service that is the context of its choice.
    package internal(set) var context: Int?
  }

  package struct Part {
    package let cell: Cell
    package let service: Int
    /// The level that keeps the instance; `nil` if each scope or request makes its own.
    let keeper: Int?
    package internal(set) var edges: [Edge] = []
    /// What hides dependencies.
    package internal(set) var hiding: [String] = []

    package var registration: Registration { cell.registration }
  }

  package struct Edge {
    package let need: Need
    /// The service, if there is one.
    package let target: Int?
    /// Whether the part can do without: with an optional or a collection, for example.
    let isOptional: Bool

    /// Whether the part cannot do without.
    var isNeeded: Bool { need.isAnswered && !isOptional }

    /// The target if the part might keep its instance. A scope that the part opens itself releases its instances.
    var capturable: Int? { need.isAnswered && need.place != .scope ? target : nil }
  }

  package let levels: [Injector]
  package private(set) var services: [Service] = []
  package private(set) var parts: [Part] = []
  private var indices: [[ObjectIdentifier: Int]]
  private(set) var names = DistinctNames([])

  package init(_ injector: Injector) {
    levels = Array(injector.levels)
    indices = Array(repeating: [:], count: levels.count)
    var seen: Set<Key> = []
    for cell in levels.flatMap(\.cells) where seen.insert(cell.registration.key).inserted {
      // Where a scope decorates a service, this finds what stands for that there.
      guard let found = find(cell.registration.key, from: 0) else { continue }
      _ = index(of: found.cell, owner: found.owner, from: 0)
    }
    var next = 0
    while next < services.count {
      connect(next)
      next += 1
    }
    names = DistinctNames(
      services.map(\.cell.registration.key) + parts.flatMap(\.edges).filter { $0.target == nil }.map(\.need.key))
  }

  private mutating func index(of cell: Cell, owner: Int, from asking: Int) -> Int {
    let cells = cell.selector?.cells ?? [cell]
    let level = owner > asking ? cells.reduce(owner) { min($0, keeper(of: $1.registration) ?? asking) } : asking
    if let index = indices[level][ObjectIdentifier(cell)] { return index }
    let index = services.count
    indices[level][ObjectIdentifier(cell)] = index
    let start = parts.count
    for cell in cells { parts.append(Part(cell: cell, service: index, keeper: keeper(of: cell.registration))) }
    services.append(Service(cell: cell, level: level, owner: owner, parts: start..<parts.count))
    return index
  }

  private func keeper(of registration: Registration) -> Int? {
    guard registration.isKept, registration.lifetime != .scoped else { return nil }
    return max(0, Int(levels[0].depth - registration.depth))
  }

  private func find(_ key: Key, from level: Int) -> (cell: Cell, owner: Int)? {
    guard level < levels.count, let cell = (try? levels[level].find(key)) ?? nil else { return nil }
    return (cell, max(0, Int(levels[0].depth - cell.registration.depth)))
  }

  /// The service that a request for a key reaches, as this graph has it.
  package func index(of key: Key) -> Int? {
    guard let found = find(key, from: 0) else { return nil }
    return indices.lazy.compactMap { $0[ObjectIdentifier(found.cell)] }.first
  }

  private mutating func connect(_ service: Int) {
    let level = services[service].level
    if let context = services[service].cell.selector?.contextType, context != Injector.self,
      let found = find(Key(context), from: level)
    {
      services[service].context = index(of: found.cell, owner: found.owner, from: level)
    }
    for part in services[service].parts {
      let registration = parts[part].registration
      let knowledge =
        levels.lazy.flatMap { Layers.hooks(of: $0) }.compactMap { $0.hook.knowledge(of: registration) }.first
        ?? registration.knowledge
      parts[part].hiding = knowledge.hiding
      for need in knowledge.needs {
        guard let edge = edge(need, from: parts[part].keeper ?? level) else { continue }
        let isKnown =
          need.origin == .recorded
          && parts[part].edges.contains {
            $0.target != nil && $0.target == edge.target && [.known, .declared].contains($0.need.origin)
          }
        if !isKnown { parts[part].edges.append(edge) }
      }
    }
  }

  private mutating func edge(_ need: Need, from level: Int) -> Edge? {
    var level = level
    if case .outer(let depth) = need.place { level = max(level, Int(levels[0].depth - depth)) }
    if level >= levels.count { return nil }
    let isOfScope = need.depth.map { $0 > levels[level].depth } ?? false
    // What a scope has registered itself differs from what may be registered here.
    if isOfScope, need.place == .scope { return nil }
    if let found = find(need.key, from: level) {
      return Edge(
        need: need, target: index(of: found.cell, owner: found.owner, from: level), isOptional: need.isOptional)
    }
    let derivation = need.key.derivation
    if let element = derivation?.element, let found = find(element, from: level) {
      return Edge(need: need, target: index(of: found.cell, owner: found.owner, from: level), isOptional: true)
    }
    if derivation?.isOptional == true || need.key.type == Injector.self || need.key.isMadeOnDemand { return nil }
    if isOfScope || need.place == .scope { return nil }
    return Edge(need: need, target: nil, isOptional: need.isOptional)
  }

  /// How deep the injector lies that keeps the instances of a part; `nil` if none does.
  func depth(of part: Part) -> Int? {
    if let keeper = part.keeper { return Int(levels[keeper].depth) }
    return part.registration.lifetime == .scoped ? max(1, Int(levels[services[part.service].level].depth)) : nil
  }

  package func name(of service: Int) -> String { names.name(of: services[service].cell.registration) }

  func location(of service: Int) -> CodeLocation { services[service].cell.registration.location }
}

extension Key {
  /// Whether it is a key that makes its instance when it is first asked for, so that until then nothing is missing.
  fileprivate var isMadeOnDemand: Bool {
    guard let type = type as? any TypedKey.Type else { return false }
    if case .arguments = type.form { return false }
    return true
  }
}

/// What is known of the dependencies of a registration.
package struct Knowledge: Sendable {
  package var needs: [Need]
  /// The closures that may have others.
  package var hiding: [String]
  package static let configuration = "its configure closure"

  package init(needs: [Need], hiding: [String]) { (self.needs, self.hiding) = (needs, hiding) }
}

/// A service that a closure or an initializer asks for.
package struct Need: Sendable, Hashable {
  /// How it is known.
  package enum Origin: Sendable {
    /// From the parameters of an initializer.
    case known
    case declared
    /// From a run of the factory.
    case recorded
    /// From a run of a configuration, when the instance exists.
    case configured
  }

  /// Which injector is asked.
  package enum Place: Sendable, Hashable {
    /// The one that the closure receives.
    case handed
    /// One around it, so deep.
    case outer(Int32)
    /// A scope of it, which the closure has opened or got.
    case scope
  }

  package let key: Key
  package private(set) var origin: Origin
  /// Whether the closure may do without.
  package var isOptional = false
  /// Whether it may choose the service in a context of its own.
  package var givesContext = false
  package var place = Place.handed
  /// How deep the injector lies in which it was registered then, if it was.
  package var depth: Int32?
  /// Whether the request was answered. If not, the closure has done without.
  package var isAnswered = true

  package init(_ key: Key, _ origin: Origin, givesContext: Bool = false) {
    (self.key, self.origin, self.givesContext) = (key, origin, givesContext)
  }

  package func with(_ origin: Origin) -> Need {
    var need = self
    need.origin = origin
    return need
  }
}

extension Registration {
  /// What is known without running anything.
  package var knowledge: Knowledge {
    let values = recipe.extras?.values
    var hiding: [String] = []
    switch recipe.needs {
    case .declared(let keys): return Knowledge(needs: keys.map { Need($0, .declared, givesContext: true) }, hiding: [])
    case .opaque: hiding.append(maker == nil ? "its closure" : "its closure with arguments")
    case .nothing, .wired, .absent: break
    }
    if isConfigured { hiding.append(Knowledge.configuration) }
    hiding += values?.wraps.map { "the decorator \($0.id)" } ?? []
    guard case .wired(let keys) = recipe.needs else { return Knowledge(needs: [], hiding: hiding) }
    return Knowledge(needs: keys.map { Need($0, .known) }, hiding: hiding)
  }
}
