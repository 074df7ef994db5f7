import Synchronization

/// Arguments that are compared whole, whatever their types.
@usableFromInline
class AnyArguments: @unchecked Sendable {
  // Soundness of the unchecked conformance: immutable Sendable state only, here and in the subclass.
  let hash: Int

  init(hash: Int) {
    self.hash = hash
  }

  /// Whether all are equal to others of the same types.
  func isEqual(to other: AnyArguments) -> Bool { false }
}

/// The cells that an injector keeps for one entry, by arguments, until it is closed or the entry has gone. A cell that
/// has no instance stays only while someone asks it for one.
///
/// They are kept by hash value, so that comparing arguments, which is code of others, needs no lock.
///
/// Soundness of the cast: whoever asks names the service of the entry, of which all cells are.
final class ArgumentCells: Sendable {
  /// Soundness of the unchecked conformance: `askers` is read and written under the lock only.
  private final class Kept: @unchecked Sendable {
    let arguments: AnyArguments
    let cell: AnyEntry
    var askers = 1

    init(_ arguments: AnyArguments, _ cell: AnyEntry) {
      self.arguments = arguments
      self.cell = cell
    }
  }

  let keeper: Injector.Identity

  /// Its arrays are replaced whole, see `Guarded`.
  private let kept = Contended<[Int: [Kept]]>([:])

  /// How often the service has been decorated; changed and compared under the lock.
  private let decorations = Atomic(0)

  /// Whether nothing is kept any more; changed and compared under the lock.
  private let isEnded = Atomic(false)

  var hasEnded: Bool { isEnded.load(ordering: .relaxed) }

  init(keptBy injector: Injector) {
    keeper = injector.identity
  }

  /// The instance for equal arguments that exists, or else that of their cell, which stays while it is asked.
  ///
  /// - Returns: `nil` if nothing is kept any more.
  func instance<Service: Sendable>(
    _ arguments: AnyArguments, for injector: Injector, orMake make: () -> Cell<Service>
  ) throws(InjectorError) -> Service? {
    while let (seen, count) = look(arguments.hash) {
      let known = seen.first { $0.arguments.isEqual(to: arguments) }?.cell
      if let known, let built = unsafe known.instance.pointer(to: Service.self) {
        defer { withExtendedLifetime(known) {} }
        return unsafe built.pointee
      }
      let cell = known.map { unsafe unsafeDowncast($0, to: Cell<Service>.self) } ?? make()
      let isAsked = known == nil ? keep(cell, arguments, unlessOthersThan: seen, count) : ask(arguments.hash, cell)
      // Otherwise what is kept has changed meanwhile.
      guard isAsked else { continue }
      defer { end(arguments.hash, cell) }
      return try cell.instance(for: injector)
    }
    return nil
  }

  private func look(_ hash: Int) -> ([Kept], Int)? {
    kept.withLock { hasEnded ? nil : ($0[hash] ?? [], decorations.load(ordering: .relaxed)) }
  }

  /// - Returns: `false` if that is not kept any more.
  private func ask(_ hash: Int, _ cell: AnyEntry) -> Bool {
    kept.withLock { kept in
      let known = kept[hash]?.first { $0.cell === cell }
      known?.askers += 1
      return known != nil
    }
  }

  /// - Returns: `false` if others are kept than have been seen, if none are from now on, or if the service has been
  ///   decorated since.
  private func keep(
    _ cell: AnyEntry, _ arguments: AnyArguments, unlessOthersThan seen: [Kept], _ count: Int
  ) -> Bool {
    kept.withLock { kept in
      let present = kept[arguments.hash] ?? []
      guard !hasEnded, decorations.load(ordering: .relaxed) == count, present.elementsEqual(seen, by: ===) else {
        return false
      }
      kept[arguments.hash] = present.adding([Kept(arguments, cell)])
      return true
    }
  }

  private func end(_ hash: Int, _ cell: any EntryPart) {
    let forgotten = kept.withLock { kept -> [Kept] in
      guard let known = kept[hash]?.first(where: { $0.cell === cell }) else { return [] }
      known.askers -= 1
      if known.askers != 0 || cell.hasInstance { return [] }
      return Self.take(from: &kept, hash) { $0.cell === cell }
    }
    withExtendedLifetime(forgotten) {}
  }

  /// Forgets all cells.
  ///
  /// - Parameter isLast: Whether none is kept from now on.
  func removeAll(isLast: Bool) {
    let removed = kept.withLock { kept in
      if isLast { isEnded.store(true, ordering: .relaxed) }
      defer { kept = [:] }
      return kept
    }
    withExtendedLifetime(removed) {}
  }

  /// Forgets cells.
  func remove(_ cells: Set<ObjectIdentifier>) {
    let removed = kept.withLock { kept in
      kept.keys.flatMap { hash in Self.take(from: &kept, hash) { cells.contains(ObjectIdentifier($0.cell)) } }
    }
    withExtendedLifetime(removed) {}
  }

  /// - Returns: What is not kept any more, to be released outside of the lock.
  private static func take(
    from kept: inout [Int: [Kept]], _ hash: Int, where isGone: (Kept) -> Bool
  ) -> [Kept] {
    let all = kept[hash] ?? []
    let staying = all.filter { !isGone($0) }
    kept[hash] = staying.isEmpty ? nil : staying
    return all.filter(isGone)
  }

  /// Keeps nothing from now on that has been made before, because its instances would lack a decorator.
  ///
  /// - Returns: `false` if something is kept already.
  func beginDecorating() -> Bool {
    kept.withLock { kept in
      if kept.isEmpty { decorations.add(1, ordering: .relaxed) }
      return kept.isEmpty
    }
  }
}

extension IdentityMap where Value == ArgumentCells {
  /// Ends all cells. What makes instances from arguments holds theirs, which hold it, until these end.
  func end() {
    for cells in values { cells.removeAll(isLast: true) }
  }
}
