import Synchronization

/// What happens to what a scope has made where something here takes the place of what is registered further out.
///
/// Who has found the latter before may come at any time, to make an instance of it here. So whatever is kept for it is
/// kept while nobody can register anything; or at a moment at which nothing can have been registered in its place, for
/// whoever does that gives up afterwards what is kept.
extension Injector {
  /// Something here has taken the place of what is registered further out: what has been made of that here goes.
  ///
  /// - Parameters:
  ///   - inherited: What a key stands for.
  ///   - depth: How deep the injector lies in which it is registered.
  func supersede(_ inherited: AnyEntry, registeredAt depth: Int32) {
    guard let outer = parent?.overlaid(inherited, registeredAt: depth) else { return }
    let overlay = instanceStore.withLock { store in
      let overlay = store.known?.overlays.remove(outer)
      overlay?.value.settle(as: .replaced)
      return overlay?.value
    }
    for entry in [outer, overlay].compactMap(\.self) {
      forgetArguments(of: entry)
      giveUp(entry.parts)
    }
  }

  /// Whether something may have taken the place of an entry, as far as it concerns this injector. For one who holds the
  /// lock of the instances.
  func mayBeSuperseded(_ entry: AnyEntry) -> Bool {
    entry.isReplaced || registrations.mayHave(entry.type, entry.tag) && canBeSuperseded(entry)
  }

  /// Whether something can take the place of an entry here: of a key that is declared further out. Of a service that is
  /// registered there, a collection gives both.
  private func canBeSuperseded(_ entry: AnyEntry) -> Bool {
    entry.level.load(ordering: .relaxed) < depth && entry.declaration.service is any TypedKey.Type
  }

  /// Changes what is kept for an entry, unless something has taken its place.
  ///
  /// - Parameter isGone: Whether the caller knows that the registration has gone, and nothing has taken its place.
  /// - Returns: `nil` if something has.
  func unlessSuperseded<Result: Sendable>(
    _ entry: AnyEntry, isGone: Bool = false, _ change: (inout InstanceStore) -> Result
  ) -> Result? {
    func changeUnlessReplaced() -> Result? {
      instanceStore.withLock { isGone || !entry.isReplaced ? change(&$0) : nil }
    }
    if isGone || !canBeSuperseded(entry) { return changeUnlessReplaced() }
    return registrations.registrationState.withLock { state in
      registrations.ownEntry(entry.type, entry.tag, state) == nil ? changeUnlessReplaced() : nil
    }
  }
}
