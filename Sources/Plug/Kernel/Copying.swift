// Copies of injectors, which copy a registration when a request first needs it.

/// What a copy of an injector copies.
final class Origin {
  let injector: Injector
  /// The keys whose registrations have been removed from the copy.
  var removed: Set<Key> = []

  init(_ injector: Injector) { self.injector = injector }
}

extension Injector.State {
  /// The injector from which the registration of a key has yet to be copied.
  @inline(__always) func source(of key: Key) -> Injector? {
    guard let origin, cell(of: key) == nil, phase != .closed, !origin.removed.contains(key) else { return nil }
    return origin.injector
  }
}

extension Injector {
  /// Creates a copy of an injector, with copies of its hooks.
  ///
  /// - Parameters:
  ///   - parent: The copy of the parent, if the injector is a scope.
  ///   - allowRewrite: Whether the copy allows it even if the original does not.
  package convenience init(copying original: Injector, in parent: Injector?, allowRewrite: Bool, sandbox: UInt) {
    if let parent {
      self.init(scope: original.scopeName ?? "scope", of: parent, original.name, isCopy: true)
    } else {
      self.init(
        named: original.name, allowRewrite: allowRewrite || original.allowRewrite, sandbox: sandbox,
        isHome: original.isHome)
    }
    copy(original)
  }

  /// Makes this injector a copy of another one, from which it copies what it does not have itself.
  package func copy(_ original: Injector) {
    let isClosed = original.isClosedItself
    if isClosed { countScope(-1) }
    state.withLock { state in
      if isClosed { state.phase = .closed }
      state.rare.orMade.origin = Origin(original)
    }
    for hook in original.attachment(Layers.Installed.self)?.hooks ?? [] {
      copyAttachment(hook, of: original)
    }
  }

  /// The cell of a key that is registered in this injector itself; `nil` if there is none.
  ///
  /// A copy of an injector copies the registration, unless another thread has done so since the caller looked.
  @inline(never)
  func registeredCell(of key: Key) -> Cell? {
    let (own, original) = state.withLock { ($0.cell(of: key), $0.source(of: key)) }
    guard own == nil, let cell = original?.registeredCell(of: key) else { return own }
    let copy = cell.mapping(as: cell.registration.fresh) { Cell($0.registration.fresh) }
    return state.withLock { state in
      // No change is counted, and no given instance is kept: the original closes it.
      if state.source(of: key) != nil { state.table.insert(copy) }
      return state.cell(of: key)
    }
  }

  /// The cells of everything that is registered here. Those that a copy has yet to copy are its original's, which only
  /// diagnosis may look at.
  package var cells: [Cell] {
    let (own, original) = state.withLock { ($0.cells, $0.origin?.injector) }
    guard let rest = original?.cells else { return own }
    return own + state.withLock { state in rest.filter { state.source(of: $0.registration.key) != nil } }
  }

  var registrations: [Registration] { cells.map(\.registration) }

  /// The number of changes to registrations here, and in the injector that this one copies.
  var changes: Int {
    let (own, original) = state.withLock { ($0.changes, $0.origin?.injector) }
    return own + (original?.changes ?? 0)
  }

  /// Finds the registration of a key, here or in a parent, and copies nothing. See ``cells``.
  package func visibleCell(of key: Key) -> Cell? {
    for level in levels {
      var injector = level
      while true {
        let (cell, source, isClosed) = injector.state.withLock {
          ($0.cell(of: key), $0.source(of: key), $0.phase == .closed)
        }
        if cell != nil || isClosed { return cell }
        guard let source else { break }
        injector = source
      }
    }
    return nil
  }
}

extension Registration {
  /// The registration in a copy. An object that was handed in is not configured there, as the original shares it.
  var fresh: Registration {
    guard isConfigured, let instance, let values = recipe.extras?.values, values.isObject?(instance) ?? false else {
      return with(recipe, instance: instance)
    }
    let refused = AnyRecipe(
      { [self] _, injector in throw injector.failure(.shared, self) },
      recipe.isolation, recipe.needs, recipe.extras)
    return with(refused)
  }
}
