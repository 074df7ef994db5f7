import Synchronization

/// The decorators of one injector, by service.
///
/// A decorator wraps the registrations of the injector: an existing one immediately, a later one when it is added. An
/// inherited service of a scope is decorated when it is requested there: this hook answers with an overlay, whose
/// factory gets the inherited instance.
final class Decorations: Hooks, CopiedAttachment {
  private struct State {
    var decorators: [Key: [Decoration]] = [:]
    /// The overlays of inherited registrations. Each holds its registration.
    var overlays: [ObjectIdentifier: Overlay] = [:]

    func overlays(of key: Key) -> [Overlay] { overlays.values.filter { $0.inner.servedKey == key } }
  }

  struct Overlay {
    let inner: Registration
    let cell: Cell
    let count: Int
  }

  private let state = Guarded(State())
  private static let used = Atomic(false)

  /// Whether any injector has decorators.
  static var areUsed: Bool { used.load(ordering: .relaxed) }

  private init(_ decorators: [Key: [Decoration]]) { state.withLock { $0.decorators = decorators } }

  func copy(for injector: Injector) -> Decorations { Decorations(state.withLock { $0.decorators }) }

  init() { Self.used.store(true, ordering: .relaxed) }

  subscript(key: Key) -> [Decoration] { state.withLock { $0.decorators[key] ?? [] } }

  /// The cells with which this scope decorates an inherited service.
  func overlays(of key: Key) -> [Cell] { state.withLock { $0.overlays(of: key).map(\.cell) } }

  /// Adds a decorator, unless an overlay already has an instance.
  ///
  /// - Returns: Whether it was added, and the old overlays of the service, which the caller releases outside all locks.
  func add(_ decoration: Decoration, for key: Key) -> (isAdded: Bool, old: [Overlay]) {
    state.withLock { state in
      let old = state.overlays(of: key)
      let isAdded = Cell.endUse(ofUnused: old.flatMap(\.cell.parts))
      if isAdded {
        for overlay in old { state.overlays[ObjectIdentifier(overlay.inner)] = nil }
        state.decorators[key, default: []].append(decoration)
      }
      return (isAdded, old)
    }
  }

  /// Removes the overlays, whose instances have been released.
  func forgetOverlays() {
    let old = state.withLock { state in
      defer { state.overlays = [:] }
      return state.overlays
    }
    for overlay in old.values { for part in overlay.cell.parts { part.endUse() } }
  }

  func answer(
    _ cell: Cell?, for key: Key, in injector: Injector, at level: Injector
  ) throws(InjectorError) -> Cell? {
    guard let cell, cell.registration.depth < level.depth, level.isScope else { return cell }
    let decorators = self[cell.registration.servedKey]
    if decorators.isEmpty { return cell }
    guard let overlay = overlay(of: cell, decorators, in: level) else {
      return try answer(cell, for: key, in: injector, at: level)
    }
    let kept = overlay.registration
    guard kept.isKept, kept.lifetime != .scoped, kept.maker == nil else { return overlay }
    guard cell.beginUse(), let (own, isNew) = level.ownCell(of: kept, overlay, for: 0) else {
      if level.isClosedItself { throw injector.closed(key, by: level) }
      return try answer(level.lookUp(key), for: key, in: injector, at: level)
    }
    if isNew { level.noteUse(of: cell.registration) }
    return own
  }

  /// - Returns: `nil` if another decorator has been added meanwhile.
  private func overlay(of cell: Cell, _ decorators: [Decoration], in level: Injector) -> Cell? {
    let inner = cell.registration
    let known = state.withLock { $0.overlays[ObjectIdentifier(inner)] }
    if let known, known.count == decorators.count { return known.cell }
    let new = cell.overlaid(by: decorators, in: level)
    if inner.maker != nil, inner.lifetime.isKept { level.noteUse(of: inner) }
    let (kept, old) = state.withLock { state -> (Cell?, Overlay?) in
      if state.decorators[inner.servedKey]?.count != decorators.count { return (nil, nil) }
      let old = state.overlays[ObjectIdentifier(inner)]
      if let old, old.count >= decorators.count { return (old.cell, nil) }
      state.overlays[ObjectIdentifier(inner)] = Overlay(inner: inner, cell: new, count: decorators.count)
      return (new, old)
    }
    withExtendedLifetime(old) {}
    return kept
  }
}

extension AnyRecipe {
  /// This recipe with decorators around each instance.
  func decorated(by decorators: [Decoration]) -> AnyRecipe {
    var values = extras?.values ?? Extras.Values()
    values.wraps += decorators
    let isolation = decorators.reduce(isolation) { $0.joined(with: $1.isolation) }
    return AnyRecipe({ [self] _, injector in try make(self, injector) }, isolation, needs, Extras(values))
  }
}

extension Registration {
  func with(
    _ recipe: AnyRecipe, lifetime: Lifetime? = nil, instance: AnyBox? = nil,
    maker: Maker? = nil, origin: Registration? = nil, depth: Int32? = nil
  ) -> Registration {
    Registration(
      key, lifetime ?? self.lifetime, recipe, instance: instance, isChoice: isChoice, candidate: candidate,
      maker: maker ?? self.maker, origin: origin ?? self.origin,
      depth: depth ?? self.depth, location: location, installation: installation)
  }

  /// The ids of the decorators, innermost first.
  package var decorators: [String] {
    guard let values = recipe.extras?.values else { return [] }
    return values.inherited + values.wraps.map(\.id)
  }

  func decorated(by decorators: [Decoration]) -> Registration {
    with(recipe.decorated(by: decorators), instance: instance, origin: source)
  }

  /// The registration of an overlay in a scope that decorates this one.
  func overlaid(by decorators: [Decoration], over cell: Cell, in level: Injector) -> Registration {
    guard isKept, lifetime != .scoped else {
      return with(recipe.decorated(by: decorators), origin: source, depth: level.depth)
    }
    var values = Extras.Values()
    values.wraps = decorators
    values.inherited = self.decorators
    values.weaken = recipe.extras?.values.weaken
    values.layers = recipe.extras?.values.layers ?? [:]
    values.weakType = recipe.extras?.values.weakType
    let isolation = decorators.reduce(FactoryIsolation.none) { $0.joined(with: $1.isolation) }
    let inner = AnyRecipe(
      { _, injector in try (injector.parent ?? injector).provide(cell) }, isolation, recipe.needs, Extras(values))
    return with(
      inner, lifetime: lifetime == .weakSingleton ? .weakSingleton : .lazySingleton,
      maker: maker?.overlaid(over: key), origin: source, depth: level.depth)
  }
}

extension Cell {
  func decorated(by decorators: [Decoration]) -> Cell {
    decorators.isEmpty ? self : mapping { Cell($0.registration.decorated(by: decorators)) }
  }

  fileprivate func overlaid(by decorators: [Decoration], in level: Injector) -> Cell {
    mapping(as: registration.with(registration.recipe, depth: level.depth)) { cell in
      Cell(cell.registration.overlaid(by: decorators, over: cell, in: level))
    }
  }
}

extension Injector {
  /// Returns a cell with the decorators that this injector and its parents have for the cell's service.
  func decorated(_ cell: Cell) -> Cell {
    if !Decorations.areUsed { return cell }
    let decorations = Array(levels).reversed().compactMap { $0.attachment(Decorations.self) }
    let key = cell.registration.servedKey
    return cell.decorated(by: decorations.flatMap { $0[key] })
  }
}
