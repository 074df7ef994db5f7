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
    /// The level that it is registered in.
    package let owner: Int
    /// Its candidates, or itself.
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
    /// What hides dependencies.
    package fileprivate(set) var hiding: [String] = []

    package var registration: Registration { cell.registration }

    fileprivate init(_ cell: Cell, of service: Int, keeper: Int?) {
      (self.cell, self.service, self.keeper) = (cell, service, keeper)
    }
  }

  package struct Edge {
    package let need: Need
    /// The service, if there is one.
    package let target: Int?
    /// Whether the part can do without: with an optional or a collection, for example.
    package let isOptional: Bool

    /// Whether the part cannot do without.
    var isNeeded: Bool { need.isAnswered && !isOptional }

    /// The target if the part might keep its instance. A scope that the part opens itself releases its instances.
    var capturable: Int? { need.isAnswered && need.place != .scope ? target : nil }
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
    var seen: Set<Key> = []
    for cell in levels.flatMap(\.cells) where seen.insert(cell.registration.key).inserted {
      // Where a scope decorates a service, this finds what stands for that there.
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
    if found.owner > asking {
      level = found.owner
      for cell in cells { level = min(level, keeper(of: cell.registration) ?? asking) }
    }
    let id = ObjectIdentifier(found.cell)
    if let index = indices[level][id] { return index }
    let index = services.count
    indices[level][id] = index
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

  /// The service that a request for a key reaches, as this graph has it.
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
        if let knowledge = hook.hook.knowledge(of: registration) { return knowledge }
      }
    }
    return registration.knowledge
  }

  private func connect(_ part: Part, _ need: Need, from level: Int) {
    guard let edge = edge(need, from: level) else { return }
    let isKnown =
      need.origin == .recorded
      && part.edges.contains {
        $0.target != nil && $0.target == edge.target && [.known, .declared].contains($0.need.origin)
      }
    if !isKnown { part.edges.append(edge) }
  }

  private func edge(_ need: Need, from level: Int) -> Edge? {
    var level = level
    if case .outer(let depth) = need.place { level = max(level, Int(levels[0].depth - depth)) }
    if level >= levels.count { return nil }
    let isOfScope = need.depth.map { $0 > levels[level].depth } ?? false
    // What a scope has registered itself differs from what may be registered here.
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

  /// How deep the injector lies that keeps the instances of a part; `nil` if none does.
  func depth(of part: Part) -> Int? {
    if let keeper = part.keeper { return Int(levels[keeper].depth) }
    return part.registration.lifetime == .scoped ? max(1, Int(levels[services[part.service].level].depth)) : nil
  }
}

extension Key {
  /// Whether it is a key that makes its instance when it is first asked for, so that until then nothing is missing.
  fileprivate var isMadeOnDemand: Bool { typed.map { $0.kind != .arguments } ?? false }
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
