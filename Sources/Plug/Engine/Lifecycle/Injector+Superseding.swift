extension Injector {
  /// Something here has taken the place of what is registered further out: what has been made of that here goes.
  ///
  /// - Parameter depth: How deep the injector lies in which it is registered.
  func supersede(_ inherited: AnyEntry, registeredAt depth: Int32) {
    guard let outer = parent?.overlaid(inherited, registeredAt: depth) else { return }
    let overlay = instanceStore.withLock { $0.supersede(outer) }
    for entry in [outer, overlay].compactMap(\.self) { forgetArguments(of: entry) }
    giveUp(outer.parts + (overlay?.parts ?? []))
  }

  /// What is registered further out has been found from here again.
  func restore(_ inherited: AnyEntry, registeredAt depth: Int32) {
    if instanceStore.withLock({ $0.known?.superseded.isEmpty != false }) { return }
    guard let outer = parent?.overlaid(inherited, registeredAt: depth) else { return }
    let restored = instanceStore.withLock { store in
      ([outer] + outer.parts).map { store.known?.superseded.remove($0) }
    }
    withExtendedLifetime(restored) {}
  }
}

extension InstanceStore {
  /// Whether nothing is decorated here that is registered further out, nor has anything taken the place of that.
  var isPlain: Bool { known.map { $0.decorations.isEmpty && $0.superseded.isEmpty } ?? true }

  /// Whether something has taken the place of an entry, as far as it concerns this injector.
  func isSuperseded(_ entry: AnyEntry) -> Bool {
    entry.isReplaced || known?.superseded[entry] != nil
  }

  /// - Returns: What has been in place of it, because it is decorated here.
  fileprivate mutating func supersede(_ outer: AnyEntry) -> AnyEntry? {
    let extras = extras
    for entry in [outer] + outer.parts { extras.superseded.insert((), for: entry) }
    let overlays = ([outer] + outer.parts).map { extras.overlays.remove($0)?.value }
    for part in overlays.first??.parts ?? [] { part.settle(as: .replaced) }
    return overlays[0]
  }

  /// Keeps the instances no longer of what is registered no more, nor what a scope has in place of that.
  ///
  /// - Returns: Those that are to be closed, in order of construction, and those without an instance, to be released
  ///   outside of the lock. One whose instance is being made is given up when that has been kept.
  mutating func giveUp(_ gone: [AnyEntry]) -> (kept: [AnyEntry], unmade: [AnyEntry]) {
    if cells.isEmpty { return ([], []) }
    let identities = Set(gone.map(\.keptAs))
    let kept = cells.giveUp { $0.isKept(for: identities) }
    let own = cells.removeUnmade { $0.isKept(for: identities) }
    for cell in own { cell.settle(as: .replaced) }
    let closable = Set(kept.map(ObjectIdentifier.init))
    return (kept, own.filter { !closable.contains(ObjectIdentifier($0)) })
  }
}
