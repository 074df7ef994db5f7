public import Synchronization

/// The form of a table after `seal()`. Requests read it without a lock, even requests in scopes without registrations.
///
/// Soundness: `base` holds `mask + 3` initialized slots from `init` to `deinit`. The first one has the mask in place of
/// a key, or 0 while the table is hidden: each look-up then finds the second slot, which is always empty. `held` has
/// every cell that a slot has ever had, and a cell holds its box. Readers hold an injector that holds this table.
@safe
@usableFromInline
final class SealedTable: @unchecked Sendable {
  @unsafe @usableFromInline
  struct Slot: ~Copyable {
    /// The word of the slot's key; 0 in an empty slot.
    @usableFromInline let word = Atomic<UInt>(0)
    @usableFromInline let box = unsafe Atomic<Unmanaged<AnyBox>?>(nil)
    let cell = unsafe Atomic<Unmanaged<Cell>?>(nil)
  }

  @usableFromInline typealias Base = UnsafeMutablePointer<Slot>

  /// A slot, while its table exists.
  @safe
  @usableFromInline
  struct SlotPointer {
    @usableFromInline let pointer: Base

    @inlinable @inline(__always)
    init(_ base: Base, _ index: UInt) { unsafe pointer = base + Int(bitPattern: index) }

    @inlinable @inline(__always)
    var word: UInt { unsafe pointer.pointee.word.load(ordering: .acquiring) }

    /// The instance, if it exists. The caller opens it, because an optional existential is slow to return.
    @inlinable @inline(__always)
    var instance: Reference? { unsafe pointer.pointee.box.load(ordering: .acquiring).map(Reference.init) }

    @inline(__always) var cell: Cell? { unsafe pointer.pointee.cell.load(ordering: .acquiring)?.takeUnretainedValue() }

    func show(_ word: UInt) { unsafe pointer.pointee.word.store(word, ordering: .releasing) }

    func put(_ cell: Cell) { unsafe pointer.pointee.cell.store(.passUnretained(cell), ordering: .releasing) }

    /// Puts the instance of a cell, if it exists, where requests find it first.
    func putInstance(of cell: Cell) {
      unsafe pointer.pointee.box.store(cell.published.reference.load(ordering: .acquiring), ordering: .releasing)
    }
  }

  /// An instance, without a counted reference to its box.
  @safe
  @usableFromInline
  struct Reference {
    @usableFromInline let box: Unmanaged<AnyBox>
    @inlinable init(box: Unmanaged<AnyBox>) { unsafe self.box = box }

    @inlinable @inline(__always)
    func open<Service>(as service: Service.Type) -> Service {
      unsafe box._withUnsafeGuaranteedRef { $0.open(as: service) }
    }
  }

  fileprivate let base: Base
  private let mask: UInt

  /// The reasons why every request has to take the long way.
  struct Reasons: OptionSet {
    let rawValue: UInt8
    static let hooks = Self(rawValue: 1), isolation = Self(rawValue: 2), closed = Self(rawValue: 4)
  }

  private struct State {
    /// All cells that a slot has had, since threads may be reading one that was replaced.
    var held: [Cell]
    var reasons = Reasons()
  }

  private let state: Guarded<State>

  init(_ cells: [Cell]) {
    var capacity = 2
    while capacity < cells.count * 2 { capacity *= 2 }
    state = Guarded(State(held: cells))
    mask = UInt(capacity - 1)
    unsafe base = .allocate(capacity: capacity + 2)
    for index in 0...capacity + 1 { unsafe (base + index).initialize(to: Slot()) }
    unsafe base.pointee.word.store(mask, ordering: .relaxed)
    for cell in cells {
      let key = cell.registration.key
      let slot = slot(of: key)
      slot.put(cell)
      slot.show(Self.word(of: key))
      slot.putInstance(of: cell)
    }
  }

  deinit {
    unsafe base.deinitialize(count: Int(mask) + 3)
    unsafe base.deallocate()
  }

  var cells: [Cell] { state.withLock { $0.held }.filter { cell(of: $0.registration.key) === $0 } }

  func cell(of key: Key) -> Cell? { slot(of: key).cell }

  /// Hides the table, or shows it again when there is no other reason to hide it.
  func hide(_ isHidden: Bool, _ reason: Reasons) {
    state.withLock { state in
      if isHidden { state.reasons.insert(reason) } else { state.reasons.remove(reason) }
      unsafe base.pointee.word.store(state.reasons.isEmpty ? mask : 0, ordering: .releasing)
    }
  }

  /// Puts the instance of a cell, if it exists, where requests find it first. Another thread may replace the cell
  /// meanwhile, so the slot is compared and changed under the lock.
  func remember(_ cell: Cell) {
    state.withLock { _ in
      let slot = slot(of: cell.registration.key)
      if slot.cell === cell { slot.putInstance(of: cell) }
    }
  }

  /// Replaces a cell by a new one with the same key.
  func replace(by new: Cell) {
    state.withLock { state in
      state.held.append(new)
      let slot = slot(of: new.registration.key)
      slot.put(new)
      slot.putInstance(of: new)
    }
  }

  /// The slot of a key, or the empty slot where the key would be, of which there is one: at least half of the slots are
  /// empty. Keys are compared, since keys with tags may share a word.
  private func slot(of key: Key) -> SlotPointer {
    var index = Self.spread(Self.word(of: key)) & mask
    while true {
      let slot = unsafe SlotPointer(base, index &+ 2)
      guard let cell = slot.cell, cell.registration.key != key else { return slot }
      index = (index &+ 1) & mask
    }
  }

  @inlinable @inline(__always)
  static func spread(_ word: UInt) -> UInt {
    UInt(truncatingIfNeeded: (UInt64(word) &* 0x9E37_79B9_7F4A_7C15) >> 32)  // A word may have 32 bits.
  }

  /// The word by which a key is looked up. Metadata is aligned, so the lowest bit marks a tag.
  @inline(__always) static func word(of key: Key) -> UInt {
    guard let tag = key.tag else { return key.word }
    return (key.word ^ tag.word &<< 1) | 1
  }
}

/// The first step of a look-up: the sealed table of this injector, or in a scope that has registered nothing the one of
/// its parent, unless that is a scope too. It is empty while requests must take the long way.
///
/// Soundness: the reader holds the injector, which holds the table until it is released, itself or through the injector
/// around it. A counted reference would cost every scope. A `SlotPointer` is used immediately, while the injector is
/// held.
@safe
@usableFromInline
struct ShortWay: ~Copyable, @unchecked Sendable {
  @usableFromInline let table = unsafe Atomic<SealedTable.Base?>(nil)

  init() {}
  init(_ other: borrowing ShortWay) { unsafe table.store(other.table.load(ordering: .acquiring), ordering: .relaxed) }

  func open(_ table: SealedTable?) { unsafe self.table.store(table?.base, ordering: .releasing) }

  /// The slot of a service without a tag.
  @inlinable @inline(__always)
  func slot(of service: any Any.Type) -> SealedTable.SlotPointer? {
    guard let base = unsafe table.load(ordering: .acquiring) else { return nil }
    let word = UInt(bitPattern: ObjectIdentifier(service))
    let mask = unsafe base.pointee.word.load(ordering: .relaxed)
    var index = SealedTable.spread(word) & mask
    while true {
      let slot = unsafe SealedTable.SlotPointer(base, index &+ 1 &+ (mask & 1))
      let found = slot.word
      if found == word { return slot }
      if found == 0 { return nil }
      index = (index &+ 1) & mask
    }
  }
}
