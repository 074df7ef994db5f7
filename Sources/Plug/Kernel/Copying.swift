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
  /// Makes this injector a copy of another one.
  func copy(_ original: Injector) {
    let (isClosed, attachments) = original.state.withLock { ($0.phase == .closed, $0.attachments) }
    state.withLock { state in
      if isClosed { state.phase = .closed }
      state.origin = Origin(original)
    }
    copyAttachments(attachments, of: original)
  }

  /// The cell of a key that is registered in this injector itself; `nil` if there is none.
  package func ownCell(of key: Key) -> Cell? { state.withLock { $0.cell(of: key) } ?? copied(key) }

  /// Copies the registration of a key that a look-up in this injector has missed, if this is a copy.
  @inline(never)
  func copied(_ key: Key) -> Cell? {
    guard let cell = state.withLock({ $0.source(of: key) })?.ownCell(of: key) else { return nil }
    adopt([cell])
    return state.withLock { $0.cell(of: key) }
  }

  /// The cells of everything that is registered here. A copy copies what it lacks.
  package var cells: [Cell] {
    if let original = state.withLock({ $0.origin?.injector }) { adopt(original.cells) }
    return state.withLock { $0.cells }
  }

  /// Everything that is registered here, with what a copy has yet to copy.
  package var registrations: [Registration] {
    let (own, original) = state.withLock { ($0.cells.map(\.registration), $0.origin?.injector) }
    guard let rest = original?.registrations else { return own }
    return own + state.withLock { state in rest.filter { state.source(of: $0.key) != nil } }
  }

  /// Copies cells, except for services that have been registered or removed here.
  private func adopt(_ cells: [Cell]) {
    let missing = state.withLock { state in cells.filter { state.source(of: $0.registration.key) != nil } }
    let copies = missing.map(\.fresh)
    state.withLock { state in
      for cell in copies where state.source(of: cell.registration.key) != nil { state.table.insert(cell) }
    }
    withExtendedLifetime(copies) {}  // The others are released outside the lock.
  }
}

extension Cell {
  /// A cell for a copy of the registration.
  fileprivate var fresh: Cell { mapping(as: registration.fresh) { Cell($0.registration.fresh) } }
}
