public import Synchronization

/// A hash table from services to entries: open addressing with linear probing, at most half full.
///
/// Any number of threads may read it while one changes it. A key stays in its slot for good, so that no probe ever
/// misses another; a registry replaces a table that is full.
///
/// Soundness: `slots` holds `mask + 1` initialized elements from `init` to `deinit`. A key is stored once, after its
/// entry. The registry owns the entries; whoever finds one here may use it for as long as `ReadCopyUpdate` protects it.
@safe
@usableFromInline
final class ServiceTable: @unchecked Sendable {
  @usableFromInline let slots: UnsafeMutablePointer<Slot>
  @usableFromInline let mask: Int

  /// How many slots have a key; changed by the registry under its lock.
  private var used = 0

  /// The table that this one has replaced, if threads may still be reading that; set once, under the same lock.
  var predecessor: ServiceTable?

  @unsafe
  @usableFromInline
  struct Slot: ~Copyable {
    @usableFromInline let key = Atomic<UInt>(0)
    @usableFromInline let entry = unsafe Atomic<Unmanaged<AnyEntry>?>(nil)
  }

  /// The table of a registry in which nothing has been registered. It is full, and the only one of its size.
  static let empty = ServiceTable(capacity: 1)

  var isEmpty: Bool { mask == 0 }

  init(capacity: Int) {
    mask = capacity - 1
    let memory = unsafe Memory.allocate(capacity * MemoryLayout<Slot>.stride, alignment: MemoryLayout<Slot>.alignment)
    unsafe slots = unsafe memory.bindMemory(to: Slot.self, capacity: capacity)
    for index in 0..<capacity { unsafe (slots + index).initialize(to: Slot()) }
  }

  deinit {
    unsafe slots.deinitialize(count: mask + 1)
    unsafe Memory.deallocate(slots, alignment: MemoryLayout<Slot>.alignment)
  }

  /// Finds the entry of a service.
  @inlinable
  @inline(__always)
  func find(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> Unmanaged<AnyEntry>? {
    if let tag { return unsafe find(type, tagged: tag) }
    return unsafe find(type)
  }

  /// Finds the entry of a service, or of another key, without a tag.
  @inlinable
  @inline(__always)
  func find(_ type: ObjectIdentifier) -> Unmanaged<AnyEntry>? {
    let key = UInt(bitPattern: type)
    var index = firstIndex(of: key)
    while true {
      let found = unsafe slots[index].key.load(ordering: .acquiring)
      if found == key { return unsafe slots[index].entry.load(ordering: .sequentiallyConsistent) }
      if found == 0 { return nil }
      index = (index &+ 1) & mask
    }
  }

  @usableFromInline
  func find(_ type: ObjectIdentifier, tagged tag: Injector.Tag) -> Unmanaged<AnyEntry>? {
    unsafe find(type, tagged: tag, hash: tag.hashValue)
  }

  /// Finds the entry of a provider.
  @usableFromInline
  func find(_ type: ObjectIdentifier, _ name: ProviderName) -> Unmanaged<AnyEntry>? {
    unsafe name.withTag { tag, hash in unsafe find(type, tagged: tag, hash: hash) }
  }

  private func find(_ type: ObjectIdentifier, tagged tag: Injector.Tag, hash: Int) -> Unmanaged<AnyEntry>? {
    let key = Self.key(type, hash: hash)
    var index = firstIndex(of: key)
    while true {
      let found = unsafe slots[index].key.load(ordering: .acquiring)
      if found == key, let entry = unsafe slots[index].entry.load(ordering: .sequentiallyConsistent),
        unsafe entry._withUnsafeGuaranteedRef({ $0.isFor(type, tag) })
      {
        return unsafe entry
      }
      if found == 0 { return nil }
      index = (index &+ 1) & mask
    }
  }

  /// Where the search for a key begins.
  @inlinable
  func firstIndex(of key: UInt) -> Int {
    Int(truncatingIfNeeded: spread(key) >> 32) & mask
  }

  /// Tells services apart: untagged ones by the address of their type's metadata alone, which is even; tagged ones by
  /// an odd number, which two may share.
  private static func key(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> UInt {
    tag.map { key(type, hash: $0.hashValue) } ?? UInt(bitPattern: type)
  }

  private static func key(_ type: ObjectIdentifier, hash: Int) -> UInt {
    (UInt(bitPattern: type) ^ UInt(bitPattern: hash)) | 1
  }

  /// One bit, which several keys share.
  static func mark(of type: ObjectIdentifier, _ tag: Injector.Tag?) -> UInt { mark(of: key(type, tag)) }

  @inlinable
  static func mark(of key: UInt) -> UInt { 1 &<< UInt(truncatingIfNeeded: spread(key) >> 58) }

  /// Where the entry of a service is, or where it would be, until the next change.
  struct Position {
    fileprivate let key: UInt
    fileprivate let index: Int

    var mark: UInt { ServiceTable.mark(of: key) }
  }

  func position(of type: ObjectIdentifier, _ tag: Injector.Tag?) -> Position {
    let key = Self.key(type, tag)
    return Position(key: key, index: index(of: key, type, tag))
  }

  func entry(at position: Position) -> AnyEntry? {
    unsafe slots[position.index].entry.load(ordering: .relaxed)?.takeUnretainedValue()
  }

  /// Puts an entry into its position.
  ///
  /// - Returns: Whether there was room.
  func set(_ entry: AnyEntry, at position: Position) -> Bool {
    let isNew = unsafe slots[position.index].key.load(ordering: .relaxed) == 0
    if isNew {
      if (used + 1) * 2 > mask + 1 { return false }
      unsafe slots[position.index].entry.store(Unmanaged.passUnretained(entry), ordering: .relaxed)
      unsafe slots[position.index].key.store(position.key, ordering: .releasing)
      used += 1
    } else {
      unsafe slots[position.index].entry.store(Unmanaged.passUnretained(entry), ordering: .sequentiallyConsistent)
    }
    return true
  }

  /// Removes the entry from its position, which stays the key's.
  func clear(_ position: Position) {
    unsafe slots[position.index].entry.store(nil, ordering: .sequentiallyConsistent)
  }

  /// The slot that a service has, or else the one to take: an emptied one of the same key, or the first without a key.
  private func index(of key: UInt, _ type: ObjectIdentifier, _ tag: Injector.Tag?) -> Int {
    var index = firstIndex(of: key)
    var emptied: Int?
    while true {
      let found = unsafe slots[index].key.load(ordering: .relaxed)
      if found == 0 { return emptied ?? index }
      if found == key {
        let entry = unsafe slots[index].entry.load(ordering: .relaxed)
        if unsafe entry?._withUnsafeGuaranteedRef({ $0.isFor(type, tag) }) == true { return index }
        if unsafe entry == nil { emptied = emptied ?? index }
      }
      index = (index &+ 1) & mask
    }
  }

  /// A table with room for more, with the entries of a full one and another.
  ///
  /// - Parameter smallest: How large it is at least, a power of two.
  convenience init(adding entry: AnyEntry, at position: Position, to table: ServiceTable, smallest: Int = 16) {
    var count = 1
    unsafe table.forEach { _, _ in count += 1 }
    var capacity = smallest
    while capacity < count * 4 { capacity *= 2 }
    self.init(capacity: capacity)
    unsafe table.forEach { entry, key in unsafe add(entry, key: key) }
    unsafe add(Unmanaged.passUnretained(entry), key: position.key)
  }

  /// Adds an entry that is known not to be there.
  private func add(_ entry: Unmanaged<AnyEntry>, key: UInt) {
    var index = firstIndex(of: key)
    while unsafe slots[index].key.load(ordering: .relaxed) != 0 { index = (index &+ 1) & mask }
    unsafe slots[index].entry.store(entry, ordering: .relaxed)
    unsafe slots[index].key.store(key, ordering: .relaxed)
    used += 1
  }

  private func forEach(_ body: (Unmanaged<AnyEntry>, UInt) -> Void) {
    for index in 0...mask {
      guard let entry = unsafe slots[index].entry.load(ordering: .relaxed) else { continue }
      unsafe body(entry, slots[index].key.load(ordering: .relaxed))
    }
  }

  /// All entries, in no order.
  var entries: [AnyEntry] {
    var entries: [AnyEntry] = []
    unsafe forEach { entry, _ in unsafe entries.append(entry.takeUnretainedValue()) }
    return entries
  }

  /// Gives the references to the entries back.
  func releaseEntries() {
    unsafe forEach { entry, _ in unsafe entry.release() }
  }
}
