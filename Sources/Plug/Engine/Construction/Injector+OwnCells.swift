import Synchronization

extension Injector {
  /// The cell in which this scope keeps its own instance, retained; `nil` if there is more to it: where something else
  /// might keep the instance, or something might wrap it.
  ///
  /// - Parameter thread: The context of the calling thread.
  @usableFromInline
  func quickOwnCell(
    for template: Unmanaged<AnyEntry>, on thread: Unmanaged<ThreadContext>
  ) -> Unmanaged<AnyEntry>? {
    guard unsafe thread._withUnsafeGuaranteedRef({ $0.isWithin(depth) }) else { return nil }
    return unsafe template._withUnsafeGuaranteedRef { template in
      let isNext = template.level.load(ordering: .relaxed) &+ 1 >= depth
      let mayMake = isNext && isScope && template.beginOwnCell()
      return unsafe instanceStore.withLock { store in
        if let known = store.ownCell(of: template) { return unsafe .passRetained(known) }
        if !mayMake || store.isClosed || store.known?.decorations.isEmpty == false || mayBeSuperseded(template) {
          return nil
        }
        guard let fresh = unsafe template.makeOwnCell(at: depth) else { return nil }
        store.cells.add(fresh)
        return unsafe .passRetained(fresh)
      }
    }
  }

  /// The cell in which this scope keeps its own instance; or what has taken the place of the registered one meanwhile,
  /// if that is not kept by scopes.
  ///
  /// It is of the type of the template.
  func ownCell(for template: AnyEntry) throws(InjectorError) -> AnyEntry {
    try refuseCapture(of: template, keptAt: max(depth, 1))
    guard isScope else { throw .scopeRequired(InjectorError.Facts(about: template.declaration, in: self)) }
    var (template, isGone) = (template, false)
    while true {
      let known = instanceStore.withLock { $0.ownCell(of: template) }
      if let known { return known }
      if isGone || template.beginOwnCell(), let fresh = unsafe template.makeOwnCell(at: depth),
        let cell = try keepOwn(fresh, of: template, isGone: isGone)
      {
        return cell
      }
      let successor = try successorPart(of: template)
      isGone = successor == nil
      template = successor ?? template
      if template.lifetime != .scoped { return template }
    }
  }

  /// Keeps a new cell, unless another thread was first.
  ///
  /// - Parameter isGone: Whether the caller knows that the registration has gone, and nothing has taken its place.
  /// - Returns: The one that is kept; `nil` if what it was made from has been decorated, or something has taken its
  ///   place, meanwhile.
  private func keepOwn(
    _ fresh: AnyEntry, of template: AnyEntry, isGone: Bool
  ) throws(InjectorError) -> AnyEntry? {
    for outer in isGone ? [] : outerInjectors(from: template.level.load(ordering: .relaxed) + 1) {
      let isDecorated = outer.instanceStore.withLock { store in
        let extras = store.extras
        if !extras.decorations.isEmpty, extras.decorations[template.key] != nil { return true }
        extras.keptInside.insert((), for: template)
        return false
      }
      if isDecorated { return nil }
    }
    let kept = unlessSuperseded(template, isGone: isGone) { store -> (AnyEntry?, isClosed: Bool) in
      if store.isClosed { return (nil, true) }
      if let first = store.ownCell(of: template) { return (first, false) }
      let isInherited = template.level.load(ordering: .relaxed) != depth
      if !isGone, isInherited, store.known?.decorations[template.key] != nil { return (nil, false) }
      store.cells.add(fresh)
      return (fresh, false)
    }
    if kept?.isClosed == true { throw closed(template.key) }
    return kept?.0
  }

  /// The injectors in which this lies and that lie so deep themselves, the next one first.
  func outerInjectors(from depth: Int32) -> [Injector] {
    self.depth > depth ? levels.dropFirst().prefix { $0.depth >= depth } : []
  }
}
