/// What an injector and those around it have registered, and which service needs which, as far as that is known without
/// making anything.
///
/// A service that a scope sees may need something else than the one that the injector around the scope sees. So a
/// service is a registration together with the level from which its dependencies are looked up.
package struct ServiceGraph {
  package struct Service {
    let cell: Cell
    /// The level from which its parts look up what they need: 0 is the injector itself, 1 the one around it.
    let level: Int
    /// Its candidates, or itself.
    let parts: Range<Int>
    /// The service that is the context of its choice.
    var context: Int?
  }

  package struct Part {
    let registration: Registration
    let service: Int
    /// The level that keeps the instance; `nil` if each scope or request makes its own.
    let keeper: Int?
    var edges: [Edge] = []
    /// What hides dependencies.
    var hiding: [String] = []
  }

  package struct Edge {
    let need: Need
    /// The service, if there is one.
    let target: Int?
    let isOptional: Bool
  }

  let levels: [Injector]
  private(set) var services: [Service] = []
  private(set) var parts: [Part] = []
  private var indices: [[ObjectIdentifier: Int]]
  private(set) var names = DistinctNames([])

  init(_ injector: Injector) {
    levels = Array(injector.levels)
    indices = Array(repeating: [:], count: levels.count)
    for (owner, level) in levels.enumerated() {
      for cell in level.cells {
        guard let found = find(cell.registration.key, from: 0), found.owner == owner else { continue }
        _ = index(of: found.cell, owner: owner, from: 0)
      }
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
    let cells = cell.parts
    let level = owner > asking ? cells.reduce(owner) { min($0, keeper(of: $1.registration) ?? asking) } : asking
    if let index = indices[level][ObjectIdentifier(cell)] { return index }
    let index = services.count
    indices[level][ObjectIdentifier(cell)] = index
    let start = parts.count
    for cell in cells {
      let registration = cell.registration
      parts.append(Part(registration: registration, service: index, keeper: keeper(of: registration)))
    }
    services.append(Service(cell: cell, level: level, parts: start..<parts.count))
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
        if let edge = edge(need, from: parts[part].keeper ?? level) { parts[part].edges.append(edge) }
      }
    }
  }

  private mutating func edge(_ need: Need, from level: Int) -> Edge? {
    if let found = find(need.key, from: level) {
      return Edge(
        need: need, target: index(of: found.cell, owner: found.owner, from: level), isOptional: need.isOptional)
    }
    let derivation = need.key.derivation
    if let element = derivation?.element, let found = find(element, from: level) {
      return Edge(need: need, target: index(of: found.cell, owner: found.owner, from: level), isOptional: true)
    }
    if derivation?.isOptional == true || need.key.type == Injector.self { return nil }
    return Edge(need: need, target: nil, isOptional: need.isOptional)
  }

  /// How deep the injector lies that keeps the instances of a part; `nil` if none does.
  func depth(of part: Part) -> Int? {
    if let keeper = part.keeper { return Int(levels[keeper].depth) }
    return part.registration.lifetime == .scoped ? max(1, Int(levels[services[part.service].level].depth)) : nil
  }

  func name(of service: Int) -> String { names.name(of: services[service].cell.registration) }

  func location(of service: Int) -> CodeLocation { services[service].cell.registration.location }
}

/// What is known of the dependencies of a registration.
package struct Knowledge: Sendable {
  package var needs: [Need]
  /// The closures that may have others.
  package var hiding: [String]
}

/// A service that a closure or an initializer asks for.
package struct Need: Sendable {
  package let key: Key
  /// Whether it does without.
  package var isOptional = false
  /// Whether it may choose the service in a context of its own.
  package var givesContext = false
  /// Whether a configuration asks for it, when the instance exists.
  package var isConfigured = false

  package init(_ key: Key, isOptional: Bool = false, givesContext: Bool = false, isConfigured: Bool = false) {
    self.key = key
    self.isOptional = isOptional
    self.givesContext = givesContext
    self.isConfigured = isConfigured
  }
}

extension Registration {
  /// What is known without running anything.
  package var knowledge: Knowledge {
    let values = recipe.extras?.values
    var hiding: [String] = []
    switch recipe.needs {
    case .declared(let keys): return Knowledge(needs: keys.map { Need($0, givesContext: true) }, hiding: [])
    case .opaque: hiding.append(maker == nil ? "its closure" : "its closure with arguments")
    case .nothing, .wired, .absent: break
    }
    if isConfigured { hiding.append("its configure closure") }
    hiding += values?.wraps.map { "the decorator \($0.id)" } ?? []
    guard case .wired(let keys) = recipe.needs else { return Knowledge(needs: [], hiding: hiding) }
    return Knowledge(needs: keys.map { Need($0) }, hiding: hiding)
  }
}
