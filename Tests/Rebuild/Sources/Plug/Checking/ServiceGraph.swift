/// What an injector and those around it have registered, and which service needs which, as far as that is known without
/// making anything.
///
/// A service that a scope sees may need something else than the one that the injector around the scope sees. So a
/// service is a registration together with the level from which its dependencies are looked up.
package final class ServiceGraph {
  package final class Service {
    package let index: Int
    package let cell: Cell
    /// The level from which its parts look up what they need: 0 is the injector itself, 1 the one around it.
    package let level: Int
    /// Its candidates, or itself.
    package let parts: [Part]
    /// The service that is the context of its choice.
    package fileprivate(set) var context: Int?

    fileprivate init(_ index: Int, _ cell: Cell, level: Int, _ parts: [Part]) {
      (self.index, self.cell, self.level, self.parts) = (index, cell, level, parts)
    }
  }

  package final class Part {
    package let registration: Registration
    package let service: Int
    /// The level that keeps the instance; `nil` if each scope or request makes its own.
    package let keeper: Int?
    package fileprivate(set) var edges: [Edge] = []
    /// What hides dependencies.
    package fileprivate(set) var hiding: [String] = []

    fileprivate init(_ registration: Registration, of service: Int, keeper: Int?) {
      (self.registration, self.service, self.keeper) = (registration, service, keeper)
    }
  }

  package struct Edge {
    package let need: Need
    /// The service, if there is one.
    package let target: Int?
    package let isOptional: Bool
  }

  package let levels: [Injector]
  package private(set) var services: [Service] = []
  package private(set) var parts: [Part] = []
  /// The names of services, for a report.
  private(set) lazy var names: DistinctNames = {
    var keys = services.map(\.cell.registration.key)
    for part in parts { for edge in part.edges where edge.target == nil { keys.append(edge.need.key) } }
    return DistinctNames(keys)
  }()
  private var indices: [[ObjectIdentifier: Int]]

  package init(_ injector: Injector) {
    levels = Array(injector.levels)
    indices = Array(repeating: [:], count: levels.count)
    for (owner, level) in levels.enumerated() {
      for cell in level.cells {
        guard let found = find(cell.registration.key, from: 0), found.owner == owner else { continue }
        _ = index(of: found, from: 0)
      }
    }
    var next = 0
    while next < services.count {
      connect(services[next])
      next += 1
    }
  }

  private func index(of found: (cell: Cell, owner: Int), from asking: Int) -> Int {
    let registrations = found.cell.parts.map(\.registration)
    var level = asking
    if found.owner > asking {
      level = found.owner
      for registration in registrations { level = min(level, keeper(of: registration) ?? asking) }
    }
    let id = ObjectIdentifier(found.cell)
    if let index = indices[level][id] { return index }
    let index = services.count
    indices[level][id] = index
    let parts = registrations.map { Part($0, of: index, keeper: keeper(of: $0)) }
    self.parts += parts
    services.append(Service(index, found.cell, level: level, parts))
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
        if let knowledge = hook.hook.knowledge(of: registration) { return knowledge }
      }
    }
    return registration.knowledge
  }

  private func connect(_ part: Part, _ need: Need, from level: Int) {
    let derivation = need.key.derivation
    if let found = find(need.key, from: level) {
      part.edges.append(Edge(need: need, target: index(of: found, from: level), isOptional: need.isOptional))
    } else if let element = derivation?.element, let found = find(element, from: level) {
      part.edges.append(Edge(need: need, target: index(of: found, from: level), isOptional: true))
    } else if derivation?.isOptional != true, need.key.type != Injector.self {
      part.edges.append(Edge(need: need, target: nil, isOptional: need.isOptional))
    }
  }

  /// How deep the injector lies that keeps the instances of a part; `nil` if none does.
  func depth(of part: Part) -> Int? {
    if let keeper = part.keeper { return Int(levels[keeper].depth) }
    return part.registration.lifetime == .scoped ? max(1, Int(levels[services[part.service].level].depth)) : nil
  }
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
