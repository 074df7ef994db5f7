public import Synchronization

/// What is read in a sealed injector: the services that have no tag, with the instances that exist, in a table that
/// nothing is added to, so that a look-up is a few loads.
///
/// Soundness: `base` holds `count` initialized elements from `init` to `deinit`, whose keys never change; that of the
/// first, which is no slot, is the mask of the table. The registry that has this keeps every entry that it has ever had
/// while sealed, and so every instance.
@safe
@usableFromInline
final class SealedSlots: @unchecked Sendable {
  @unsafe
  @usableFromInline
  struct Slot: ~Copyable {
    @usableFromInline var key: UInt = 0
    @usableFromInline let instance = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
    @usableFromInline let entry = unsafe Atomic<Unmanaged<AnyEntry>?>(nil)
  }

  @usableFromInline typealias Place = UnsafeMutablePointer<Slot>

  let base: Place
  private let count: Int

  init(_ entries: [AnyEntry]) {
    var capacity = 2
    while capacity < entries.count * 2 { capacity *= 2 }
    count = capacity + 1
    unsafe base = .allocate(capacity: count)
    for index in 0..<count { unsafe (base + index).initialize(to: Slot()) }
    unsafe base.pointee.key = UInt(capacity - 1)
    for entry in entries where entry.tag == nil {
      let place = unsafe Self.place(of: UInt(bitPattern: entry.type), in: base)
      unsafe place.pointee.key = UInt(bitPattern: entry.type)
      unsafe place.pointee.entry.store(.passUnretained(entry), ordering: .relaxed)
      unsafe place.pointee.instance.store(entry.instance.address.load(ordering: .acquiring), ordering: .relaxed)
    }
  }

  deinit {
    unsafe base.deinitialize(count: count)
    unsafe base.deallocate()
  }

  /// The slot that a key has, or the empty one where it would be.
  @inlinable
  @inline(__always)
  static func place(of key: UInt, in base: Place) -> Place {
    let mask = unsafe base.pointee.key
    var index = UInt(truncatingIfNeeded: spread(key) >> 32) & mask
    while true {
      let place = unsafe base + Int(bitPattern: index &+ 1)
      if unsafe place.pointee.key == key || place.pointee.key == 0 { return unsafe place }
      index = (index &+ 1) & mask
    }
  }

  /// Another entry has taken the place of that of a service. For one who holds the lock of the registrations.
  func replace(_ key: ServiceKey, by entry: AnyEntry?) {
    let place = unsafe Self.place(of: UInt(bitPattern: key.type), in: base)
    guard key.tag == nil, unsafe place.pointee.key != 0 else { return }
    unsafe place.pointee.entry.store(entry.map { unsafe .passUnretained($0) }, ordering: .sequentiallyConsistent)
    unsafe place.pointee.instance.store(nil, ordering: .sequentiallyConsistent)
  }
}

extension Registrations {
  /// Where a service is, if this is sealed; nothing if the way may not be cut short.
  @inlinable
  @inline(__always)
  func sealedPlace(of service: any Any.Type) -> SealedSlots.Place? {
    guard !instrumentation.isActive, let sealed = unsafe sealed.load(ordering: .acquiring) else { return nil }
    return unsafe SealedSlots.place(of: UInt(bitPattern: ObjectIdentifier(service)), in: sealed)
  }

  /// Gets a service whose instance has not been read here.
  @inlinable
  @inline(__always)
  func get<Service: Sendable>(
    _ service: Service.Type, at place: SealedSlots.Place, for injector: Injector
  ) throws(InjectorError) -> Service {
    guard let found = unsafe place.pointee.entry.load(ordering: .acquiring) else {
      return try injector.getOnSlowPath(service, nil)
    }
    let entry = unsafe Unmanaged<Entry<Service>>.fromOpaque(found.toOpaque())
    guard let built = unsafe entry._withUnsafeGuaranteedRef({ unsafe $0.instance.pointer(to: service) }) else {
      return try unsafe Resolution.make(entry, for: injector)
    }
    unsafe keepInstance(at: place)
    return unsafe built.pointee
  }

  /// Puts the instance that exists by now where it is found first.
  @usableFromInline
  func keepInstance(at place: SealedSlots.Place) {
    registrationState.withLock { _ in
      guard !isClosed, let entry = unsafe place.pointee.entry.load(ordering: .relaxed) else { return }
      let address = unsafe entry._withUnsafeGuaranteedRef { unsafe $0.instance.address.load(ordering: .acquiring) }
      unsafe place.pointee.instance.store(address, ordering: .releasing)
    }
  }
}
