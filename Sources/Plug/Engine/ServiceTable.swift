/// A hash table from services to entries: open addressing with linear probing, at most half full.
///
/// Soundness: `slots` holds `mask + 1` initialized elements from `init` to `deinit`, each nil or a `+1` reference. The
/// registry is the only owner; it changes the table under its lock, and not at all once it has published it to readers
/// without a lock. What is found is valid until the next change. A table keeps its size, so that a reader finds
/// constants; the registry replaces one that is full.
@safe
@usableFromInline
final class ServiceTable: @unchecked Sendable {
  @usableFromInline let slots: UnsafeMutablePointer<Unmanaged<AnyEntry>?>
  @usableFromInline let mask: Int
  private var count = 0

  init(capacity: Int = 16) {
    mask = capacity - 1
    unsafe slots = .allocate(capacity: capacity)
    unsafe slots.initialize(repeating: nil, count: capacity)
  }

  deinit {
    for index in 0...mask { unsafe slots[index]?.release() }
    unsafe slots.deallocate()
  }

  /// The hash of a key. Types are told apart by the addresses of their metadata, spread by Fibonacci hashing (Knuth).
  @inlinable
  static func hash(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> Int {
    let bits = UInt(bitPattern: type) &* 0x9E37_79B9_7F4A_7C15
    let hash = Int(truncatingIfNeeded: bits >> 32)
    if let tag { return hash ^ tag.hashValue }
    return hash
  }

  /// Finds the entry of a key.
  @inlinable
  func find(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> Unmanaged<AnyEntry>? {
    var index = Self.hash(type, tag) & mask
    while let entry = unsafe slots[index] {
      if unsafe entry._withUnsafeGuaranteedRef({ $0.type == type && $0.tag == tag }) { return unsafe entry }
      index = (index &+ 1) & mask
    }
    return nil
  }

  /// Puts an entry in the place of the one that has its key.
  ///
  /// - Returns: This table, or one of twice the size that takes its place.
  func inserting(_ entry: AnyEntry) -> ServiceTable {
    var table = self
    if (count + 1) * 2 > mask {
      table = ServiceTable(capacity: (mask + 1) * 2)
      for entry in entries { table.insert(entry) }
    }
    table.insert(entry)
    return table
  }

  private func insert(_ entry: AnyEntry) {
    var index = entry.hash & mask
    while let old = unsafe slots[index] {
      if unsafe old._withUnsafeGuaranteedRef({ $0.type == entry.type && $0.tag == entry.tag }) {
        unsafe old.release()
        unsafe slots[index] = Unmanaged.passRetained(entry)
        return
      }
      index = (index + 1) & mask
    }
    unsafe slots[index] = Unmanaged.passRetained(entry)
    count += 1
  }

  /// Removes the entry of a key, and closes the gap (Knuth, The Art of Computer Programming, 6.4, algorithm R).
  func remove(_ type: ObjectIdentifier, _ tag: Injector.Tag?) {
    guard let entry = unsafe find(type, tag)?.takeUnretainedValue() else { return }
    var gap = entry.hash & mask
    while unsafe slots[gap]?.toOpaque() != Unmanaged.passUnretained(entry).toOpaque() { gap = (gap + 1) & mask }
    unsafe slots[gap]?.release()
    unsafe slots[gap] = nil
    count -= 1
    var index = (gap + 1) & mask
    while let next = unsafe slots[index] {
      let home = unsafe next._withUnsafeGuaranteedRef { $0.hash } & mask
      if (index - home) & mask >= (index - gap) & mask {
        unsafe slots[gap] = unsafe next
        unsafe slots[index] = nil
        gap = index
      }
      index = (index + 1) & mask
    }
  }

  /// All entries, in no order.
  var entries: [AnyEntry] {
    (0...mask).compactMap { unsafe slots[$0]?.takeUnretainedValue() }
  }

  var isEmpty: Bool { count == 0 }
}
