import Synchronization

extension Cell {
  /// Whether the instance is made by attempts, one at a time; what was handed in, and has not been changed, is not, nor
  /// is what nobody keeps.
  private var isClaimed: Bool {
    kind.isKept && (kind != .singleton || factory.isDecorated || factory.setup != nil)
  }

  /// See `AnyEntry.reserve`.
  func reserveClaim(_ seen: inout [any Sendable]) -> Bool {
    guard isClaimed else { return true }
    return state.claim.withLock { claim in
      if let existing {
        seen.append(existing)
        return false
      }
      let isBusy = claim.attempt != nil || claim.loads > 0 || hasOwnCells.load(ordering: .relaxed)
      if isBusy || !beginAttempt() { return false }
      claim.status = .reserved
      return true
    }
  }

  func settleClaim(as status: EntryStatus) {
    // Nobody has come to it if it has no state, and whoever comes finds it its own.
    if status == .own, existingState == nil { return }
    if !isClaimed { return }
    state.claim.withLock { claim in
      claim.status = status
      if claim.attempt != nil { return }
      let (earlier, now) =
        status == .own ? (Making.anAttempt, Making.nobody) : (Making.nobody, Making.anAttempt)
      _ = maker.compareExchange(expected: earlier, desired: now, ordering: .sequentiallyConsistent)
    }
  }

  /// Keeps the instance from being made without an attempt. For one who holds the lock of the claim.
  ///
  /// - Returns: `false` if a thread has begun to make it so, or has made it since the caller looked.
  func beginAttempt() -> Bool {
    let held = maker.compareExchange(
      expected: Making.nobody, desired: Making.anAttempt, ordering: .sequentiallyConsistent)
    if held.exchanged, unsafe instance.pointer(to: Service.self) != nil {
      maker.store(Making.nobody, ordering: .sequentiallyConsistent)
      return false
    }
    return held.original <= Making.anAttempt
  }

  /// The thread that makes the instance without an attempt, if there is one. In the end it looks for an attempt, which
  /// the caller puts into the claim, whose lock it holds.
  func shareMaking() -> ThreadContext? {
    while case let address = maker.load(ordering: .acquiring), address > Making.anAttempt {
      let held = maker.compareExchange(
        expected: address, desired: Making.anAttempt, ordering: .sequentiallyConsistent)
      if held.exchanged { return Making.context(at: address) }
    }
    return nil
  }

  /// Begins a load, unless another cell has taken the place of this one, or is about to.
  func beginLoad() -> Bool {
    state.claim.withLock { claim in
      if claim.status != .own { return false }
      claim.loads += 1
      return true
    }
  }

  func endLoad() {
    state.claim.withLock { $0.loads -= 1 }
  }

  /// See `AnyEntry.beginFirstOwnCell`.
  func beginOwnCells() -> Bool {
    state.claim.withLock { claim in
      if claim.status != .own { return false }
      hasOwnCells.store(true, ordering: .releasing)
      return true
    }
  }
}

extension Injector {
  /// What is registered now for the key of a cell, for which another may have taken its place.
  ///
  /// - Returns: `nil` if there is none, and none is needed: a key makes what it stands for at the next request.
  /// - Throws: ``InjectorError/notRegistered(_:)``, ``InjectorError/closed(_:)``.
  func successor<Service>(of cell: Cell<Service>) throws(InjectorError) -> Cell<Service>? {
    try successorPart(of: cell).map { unsafe unsafeDowncast($0, to: Cell<Service>.self) }
  }

  /// The same, whatever its type.
  func successorPart(of cell: AnyEntry) throws(InjectorError) -> AnyEntry? {
    guard let entry = try registered(inPlaceOf: cell) else { return nil }
    guard let part = entry.parts.first(where: { $0.declaration.candidate == cell.declaration.candidate }) else {
      if cell.declaration.service is any TypedKey.Type { return nil }
      throw absence(of: cell.key)
    }
    return part
  }

  /// The same of an entry.
  func registered(inPlaceOf entry: AnyEntry) throws(InjectorError) -> AnyEntry? {
    // Whoever replaces it holds this lock until that is done.
    ancestor(at: entry.level.load(ordering: .relaxed)).registrations.registrationState.withLock { _ in }
    for level in registrations.levels {
      let registered = level.entry(entry.type, entry.tag)
      if level.isClosed { throw closed(entry.key) }
      guard let registered else { continue }
      if level.depth > 0 { try refuseCapture(of: registered, keptAt: level.depth) }
      return overlaid(registered, registeredAt: level.depth)
    }
    let service = entry.declaration.service
    if service is any TypedKey.Type, !(service is any AnyArgumentsKey.Type) { return nil }
    throw absence(of: ServiceKey(service, entry.tag))
  }
}
