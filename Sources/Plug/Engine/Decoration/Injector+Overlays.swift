extension Injector {
  /// What an entry that is registered further out is here, with what the scopes on the way decorate it with.
  ///
  /// - Parameter depth: How deep the injector lies in which it is registered.
  @usableFromInline
  func overlaid(_ entry: AnyEntry, registeredAt depth: Int32) -> AnyEntry {
    guard self.depth > depth, let parent else { return entry }
    let outer = parent.overlaid(entry, registeredAt: depth)
    if !registrations.hasDecorations { return outer }
    while true {
      let (known, count) = instanceStore.withLock { store in
        (
          store.known?.overlays[outer],
          store.known?.decorations[entry.key] ?? 0
        )
      }
      if let known { return known }
      let decorations = registrations.decorations(of: entry.key)
      if decorations.isEmpty { return outer }
      let fresh = outer.overlaid(by: decorations, in: self.depth) { cell in
        self.instanceStore.withLock { $0.known?.overlays[cell] }
      }
      let overlay = unlessSuperseded(outer) { $0.addOverlay(fresh, of: outer, decoratedBy: count) }
      guard let overlay else {
        for part in fresh.parts { part.settle(as: .replaced) }
        return fresh
      }
      // Otherwise another decorator has come meanwhile.
      if let overlay { return overlay }
    }
  }

  /// Wraps the instances of a service, also of what has been registered in an injector further out.
  func decorate(_ key: ServiceKey, with decoration: AnyDecoration) throws(Refusal) {
    // Released when no lock is held any more: the last reference to an instance may go with it.
    var seen: [any Sendable] = []
    defer { withExtendedLifetime(seen) {} }
    let (old, _) = try registrations.decorate(key, with: decoration) { parts throws(Refusal) in
      try instanceStore.withLock { store throws(Refusal) in
        try store.beginDecorating(key, parts, &seen)
      }
    }
    withExtendedLifetime(old) {}
  }

  func ancestor(at depth: Int32) -> Injector {
    var injector = self
    while injector.depth > depth, let parent = injector.parent { injector = parent }
    return injector
  }
}

extension InstanceStore {
  /// Makes room for one more decorator: nothing is made any more without it.
  ///
  /// - Parameters:
  ///   - parts: The cells that are registered here.
  ///   - seen: Receives what has to be released outside of the lock.
  /// - Throws: If an instance is in use.
  fileprivate mutating func beginDecorating(
    _ key: ServiceKey, _ parts: [any EntryPart], _ seen: inout [any Sendable]
  ) throws(Refusal) {
    let extras = extras
    for kept in extras.keptInside.keys where kept.decoratedKey ?? kept.key == key && !kept.isReplaced {
      throw .made(kept.location)
    }
    for made in extras.argumentCells.pairs where made.key.decoratedKey == key {
      if !made.value.beginDecorating() { throw .made(made.key.location) }
    }
    let outdated = (extras.overlays.values + cells.own).filter { $0.key == key }.flatMap(\.parts)
    var reserved: [any EntryPart] = []
    for cell in parts + outdated {
      if cell.reserve(&seen) {
        reserved.append(cell)
        continue
      }
      for cell in reserved { cell.settle(as: .own) }
      throw .made(cell.location)
    }
    for cell in outdated { cell.settle(as: .replaced) }
    seen.append(extras.overlays.remove { _, overlay in overlay.key == key }.map { [$0.key, $0.value] })
    seen.append(cells.removeUnmade { $0.key == key })
    extras.decorations[key, default: 0] += 1
  }
}
