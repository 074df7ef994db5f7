import Synchronization

/// The names of the providers that have been asked for, by their literals: a hash table with linear probing, at most
/// half full.
///
/// Looking takes no lock, and nothing is ever removed. A table that is full stays for those who are looking at it when
/// one of twice the size takes its place: all of them together take less than twice the room of the last.
///
/// Soundness: `slots` has `mask + 1` initialized elements for ever. Tables and names are made before they are
/// published, and never released. `used` is touched under the lock only.
@safe
@usableFromInline
final class ProviderNameTable: @unchecked Sendable {
  private final class Known: Sendable {
    let literals: ProviderName.Literals
    let name: ProviderName

    init(_ literals: ProviderName.Literals, _ name: ProviderName) {
      self.literals = literals
      self.name = name
    }
  }

  private typealias Slot = Atomic<Unmanaged<Known>?>

  private static let current = unsafe Atomic<Unmanaged<ProviderNameTable>?>(nil)
  private static let lock = Guarded(())

  private let slots: UnsafeMutablePointer<Slot>
  private let mask: Int
  private var used = 0

  private init(capacity: Int) {
    mask = capacity - 1
    unsafe slots = .allocate(capacity: capacity)
    for index in 0..<capacity { unsafe (slots + index).initialize(to: Slot(nil)) }
  }

  /// - Complexity: O(1).
  @usableFromInline
  static func find(_ literals: ProviderName.Literals) -> ProviderName? {
    unsafe current.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { table in
      let slot = unsafe table.place(of: literals)
      return unsafe slot.pointee.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.name }
    }
  }

  static func add(_ name: ProviderName, for literals: ProviderName.Literals) {
    lock.withLock { _ in
      let table = unsafe current.load(ordering: .relaxed)?.takeUnretainedValue()
      let roomy = table.flatMap { $0.isFull ? nil : $0 } ?? ProviderNameTable(replacing: table)
      roomy.add(Known(literals, name))
      if roomy !== table { unsafe current.store(Unmanaged.passRetained(roomy), ordering: .releasing) }
    }
  }

  private var isFull: Bool { used * 2 > mask }

  /// A table with room for more, with the names of a full one.
  private convenience init(replacing full: ProviderNameTable?) {
    self.init(capacity: full.map { ($0.mask + 1) * 2 } ?? 64)
    guard let full else { return }
    for index in 0...full.mask {
      if let known = unsafe full.slots[index].load(ordering: .relaxed) { add(unsafe known.takeUnretainedValue()) }
    }
  }

  private func add(_ known: Known) {
    let slot = unsafe place(of: known.literals)
    if unsafe slot.pointee.load(ordering: .relaxed) != nil { return }
    unsafe slot.pointee.store(Unmanaged.passRetained(known), ordering: .releasing)
    used += 1
  }

  /// The slot that a name has, or the one to take.
  private func place(of literals: ProviderName.Literals) -> UnsafeMutablePointer<Slot> {
    var index = Int(truncatingIfNeeded: spread(literals.fileID ^ literals.name ^ literals.line) >> 32) & mask
    while true {
      let slot = unsafe slots + index
      guard let known = unsafe slot.pointee.load(ordering: .acquiring) else { return unsafe slot }
      if unsafe known._withUnsafeGuaranteedRef({ $0.literals == literals }) { return unsafe slot }
      index = (index &+ 1) & mask
    }
  }
}
