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

/// Arguments that are compared whole.
final class Arguments<First: Hashable & Sendable, each Rest: Hashable & Sendable>: AnyArguments, @unchecked Sendable {
  private let first: First
  private let rest: (repeat each Rest)

  init(_ first: First, _ rest: repeat each Rest) {
    self.first = first
    self.rest = (repeat each rest)
    var hasher = Hasher()
    hasher.combine(first)
    repeat hasher.combine(each rest)
    super.init(hash: hasher.finalize())
  }

  /// Soundness of the cast: arguments are compared only with those for which the same entry keeps instances.
  override func isEqual(to other: AnyArguments) -> Bool {
    let other = unsafe unsafeDowncast(other, to: Arguments.self)
    guard first == other.first else { return false }
    for (argument, another) in repeat (each rest, each other.rest) {
      guard argument == another else { return false }
    }
    return true
  }
}

/// The cells that an injector keeps for one entry, by arguments. One that has no instance stays only while someone asks
/// it for one.
///
/// They are kept by hash value, so that comparing arguments, which is code of others, needs no lock.
///
/// Soundness of the unchecked conformance: all state is guarded.
final class ArgumentCells<Service: Sendable>: AnyArgumentCells, @unchecked Sendable {
  /// Soundness of the unchecked conformance: `askers` is read and written under the lock only.
  private final class Kept: @unchecked Sendable {
    let arguments: AnyArguments
    let cell: Cell<Service>
    var askers = 1

    init(_ arguments: AnyArguments, _ cell: Cell<Service>) {
      self.arguments = arguments
      self.cell = cell
    }
  }

  /// Its arrays are replaced whole, see `Guarded`.
  private let kept = Contended<[Int: [Kept]]>([:])

  /// How often the service has been decorated; changed and compared under the lock.
  private let decorations = Atomic(0)

  func instance(
    _ arguments: AnyArguments, for injector: Injector, orMake make: () -> Cell<Service>
  ) throws(InjectorError) -> Service {
    let cell = begin(arguments, make)
    defer { end(arguments.hash, cell) }
    return try cell.instance(for: injector)
  }

  /// Finds what is kept for equal arguments, or keeps a new cell; tries again if that changes meanwhile.
  private func begin(_ arguments: AnyArguments, _ make: () -> Cell<Service>) -> Cell<Service> {
    while true {
      let (seen, count) = kept.withLock { ($0[arguments.hash] ?? [], decorations.load(ordering: .relaxed)) }
      if let known = seen.first(where: { $0.arguments.isEqual(to: arguments) }) {
        if ask(arguments.hash, known.cell) { return known.cell }
      } else if let cell = keep(make(), arguments, unlessOthersThan: seen.map { ObjectIdentifier($0.cell) }, count) {
        return cell
      }
    }
  }

  /// - Returns: `false` if that is not kept any more.
  private func ask(_ hash: Int, _ cell: Cell<Service>) -> Bool {
    kept.withLock { kept in
      let known = kept[hash]?.first { $0.cell === cell }
      known?.askers += 1
      return known != nil
    }
  }

  /// - Returns: `nil` if others are kept than have been seen, or the service has been decorated since.
  private func keep(
    _ cell: Cell<Service>, _ arguments: AnyArguments, unlessOthersThan seen: [ObjectIdentifier], _ count: Int
  ) -> Cell<Service>? {
    kept.withLock { kept in
      guard decorations.load(ordering: .relaxed) == count else { return nil }
      guard (kept[arguments.hash] ?? []).map({ ObjectIdentifier($0.cell) }) == seen else { return nil }
      kept[arguments.hash] = (kept[arguments.hash] ?? []).adding([Kept(arguments, cell)])
      return cell
    }
  }

  private func end(_ hash: Int, _ cell: Cell<Service>) {
    let forgotten = kept.withLock { kept -> [Kept] in
      guard let known = kept[hash]?.first(where: { $0.cell === cell }) else { return [] }
      known.askers -= 1
      if known.askers != 0 || cell.hasInstance { return [] }
      return Self.take(from: &kept, hash) { $0.cell === cell }
    }
    withExtendedLifetime(forgotten) {}
  }

  override func remove(_ cells: Set<ObjectIdentifier>) {
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

  override func beginDecorating() -> Bool {
    kept.withLock { kept in
      if kept.isEmpty { decorations.add(1, ordering: .relaxed) }
      return kept.isEmpty
    }
  }
}

extension Injector {
  /// The cells of what an entry makes from arguments, which are kept here.
  ///
  /// - Parameter depth: How deep the outermost injector lies whose later decorators would not wrap the instances.
  /// - Returns: `nil` if the injector has been closed, or what is registered has gone.
  func argumentCells(
    of entry: AnyEntry, noteFrom depth: Int32, orKeep make: () -> AnyArgumentCells
  ) -> AnyArgumentCells? {
    if let known = instanceStore.withLock({ $0.known?.argumentCells[entry] }) { return known }
    for outer in outerInjectors(from: depth) {
      outer.instanceStore.withLock { $0.extras.keptInside.insert((), for: entry) }
    }
    return instanceStore.withLock { store in
      if store.isClosed { return nil }
      if let first = store.extras.argumentCells[entry] { return first }
      return entry.isReplaced ? nil : store.extras.argumentCells.insert(make(), for: entry)
    }
  }

  /// Forgets what an entry has made from arguments.
  func forgetArguments(of entry: AnyEntry) {
    let forgotten = instanceStore.withLock { store in
      (store.known?.keptInside.remove(entry), store.known?.argumentCells.remove(entry))
    }
    withExtendedLifetime(forgotten) {}
  }
}
