/// Arguments that are compared whole, whatever their types.
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

/// The cells that an injector keeps for one entry, by arguments, whatever they make.
class AnyArgumentCells: @unchecked Sendable {
  // Soundness of the unchecked conformance: this class has no state, and its subclass states its own.

  /// Forgets cells.
  func remove(_ cells: Set<ObjectIdentifier>) {}

  /// Whether there is any.
  var isEmpty: Bool { true }
}

/// The cells that an injector keeps for one entry, by arguments. One that has no instance stays only while someone asks
/// it for one.
///
/// They are kept by hash value, so that comparing arguments, which is code of others, needs no lock.
///
/// Soundness of the unchecked conformance: all state is guarded.
final class ArgumentCells<Service: Sendable>: AnyArgumentCells, @unchecked Sendable {
  private struct Kept {
    let arguments: AnyArguments
    let cell: Cell<Service>
    var askers = 1
  }

  private let kept = Guarded<[Int: [Kept]]>([:])

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
      let seen = kept.withLock { $0[arguments.hash] ?? [] }
      if let known = seen.first(where: { $0.arguments.isEqual(to: arguments) }) {
        if ask(arguments.hash, known.cell) { return known.cell }
      } else if let cell = keep(make(), arguments, unlessOthersThan: seen.map { ObjectIdentifier($0.cell) }) {
        return cell
      }
    }
  }

  /// - Returns: `false` if that is not kept any more.
  private func ask(_ hash: Int, _ cell: Cell<Service>) -> Bool {
    kept.withLock { kept in
      guard let index = kept[hash]?.firstIndex(where: { $0.cell === cell }) else { return false }
      kept[hash]?[index].askers += 1
      return true
    }
  }

  /// - Returns: `nil` if others are kept than have been seen.
  private func keep(
    _ cell: Cell<Service>, _ arguments: AnyArguments, unlessOthersThan seen: [ObjectIdentifier]
  ) -> Cell<Service>? {
    kept.withLock { kept in
      guard (kept[arguments.hash] ?? []).map({ ObjectIdentifier($0.cell) }) == seen else { return nil }
      kept[arguments.hash, default: []].append(Kept(arguments: arguments, cell: cell))
      return cell
    }
  }

  private func end(_ hash: Int, _ cell: Cell<Service>) {
    let forgotten = kept.withLock { kept -> [Kept] in
      guard let index = kept[hash]?.firstIndex(where: { $0.cell === cell }) else { return [] }
      kept[hash]?[index].askers -= 1
      if kept[hash]?[index].askers != 0 || cell.hasInstance { return [] }
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

  override var isEmpty: Bool { kept.withLock { $0.isEmpty } }
}

/// Makes arguments comparable.
func makeComparable<First: Hashable & Sendable, each Rest: Hashable & Sendable>()
  -> @Sendable (First, repeat each Rest) -> AnyArguments
{
  { (first: First, rest: repeat each Rest) in Arguments(first, repeat each rest) }
}
