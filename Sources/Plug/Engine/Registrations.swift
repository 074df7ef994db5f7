public import Synchronization

/// The registrations of one injector.
///
/// Reading takes no lock: `Reading` protects it while registrations may change, and once they are sealed nothing has
/// to. A lock orders the changes. Entries are immutable and replaced whole. Those of a scope stand before those of the
/// injector it was opened in; they are few, and they are read under the lock, so that closing a scope waits for nobody.
///
/// Soundness: this object owns the table and, once each, the entries in it. What a change replaces is released when no
/// thread can be looking at it any more; at `deinit` no thread can, since whoever looks holds the object.
@safe
@usableFromInline
final class Registrations: Sendable {
  private struct Replaced {
    let old: AnyEntry?
    let new: AnyEntry?
    var table: ServiceTable?
  }

  private let departures = Guarded(Departures())

  @usableFromInline let table = unsafe Atomic(Unmanaged.passUnretained(ServiceTable.empty))

  @usableFromInline let attention = Attention.shared

  @usableFromInline let state: Atomic<Int>

  /// What an injector is, in bits.
  @usableFromInline
  enum State {
    @inlinable static var open: Int { 0 }
    @inlinable static var sealed: Int { 1 }
    @inlinable static var scope: Int { 2 }
    @inlinable static var closed: Int { 4 }
  }

  @usableFromInline let parent: Registrations?

  /// How many parents there are.
  @usableFromInline let depth: Int32

  init(parent: Registrations? = nil, depth: Int32 = 0) {
    self.parent = parent
    self.depth = parent.map { $0.depth + 1 } ?? depth
    state = Atomic(parent == nil ? State.open : State.scope)
  }

  deinit {
    release(unsafe table.load(ordering: .relaxed).takeUnretainedValue())
  }

  /// Gives a table back with its entries, at which nobody can be looking any more.
  private func release(_ table: ServiceTable) {
    if table === ServiceTable.empty { return }
    table.releaseEntries()
    unsafe Unmanaged.passUnretained(table).release()
  }

  /// Finds a service's entry.
  @inlinable
  func entry<Service: Sendable>(_ service: Service.Type, _ tag: Injector.Tag?) -> Entry<Service>? {
    guard let entry = entry(ObjectIdentifier(service), tag) else { return nil }
    return unsafe unsafeDowncast(entry, to: Entry<Service>.self)
  }

  /// Finds a service's entry, whatever its type: in a scope under the lock, so that closing it waits for nobody.
  @usableFromInline
  func entry(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> AnyEntry? {
    if parent != nil {
      let empty = unsafe Unmanaged.passUnretained(ServiceTable.empty).toOpaque()
      if unsafe table.load(ordering: .acquiring).toOpaque() == empty { return nil }
      return departures.withLock { _ in unsafe find(type, tag)?.takeUnretainedValue() }
    }
    let reader = unsafe Reading.begin()
    defer { unsafe Reading.end(reader) }
    return unsafe find(type, tag)?.takeUnretainedValue()
  }

  /// Finds a service's entry, for use while the caller looks, or forever if that is sealed.
  ///
  /// Soundness of the cast, and of that in `change`: `add` and `change` are the only ones to store entries of services,
  /// under the key of their own `Service`; `ensure` and `replace` store those of a `TypedKey`, which is none. A type
  /// has one metadata record, which the key's `ObjectIdentifier` is the address of.
  @inlinable
  func find<Service: Sendable>(_ service: Service.Type, _ tag: Injector.Tag?) -> Unmanaged<Entry<Service>>? {
    guard let entry = unsafe find(ObjectIdentifier(service), tag) else { return nil }
    return unsafe Unmanaged.fromOpaque(entry.toOpaque())
  }

  @inlinable
  func find(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> Unmanaged<AnyEntry>? {
    unsafe table.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef { unsafe $0.find(type, tag) }
  }

  /// Whether the way of a request may be cut short: nobody watches, and this is an injector that is neither a scope nor
  /// closed.
  @inlinable var isPlain: Bool { !attention.isDemanded && state.load(ordering: .relaxed) <= State.sealed }

  /// The instance of a service that exists; nothing if the way may not be cut short.
  @inlinable
  func instance<Service: Sendable>(_ service: Service.Type, _ tag: Injector.Tag?) -> Service? {
    let reader = unsafe Reading.begin()
    defer { unsafe Reading.end(reader) }
    guard isPlain else { return nil }
    let entry = unsafe find(service, tag)
    return unsafe entry?._withUnsafeGuaranteedRef { unsafe $0.instance.pointer(to: service)?.pointee }
  }

  /// Gets the instance that exists, or asks the entry for one.
  @inlinable
  func get<Service: Sendable>(
    _ service: Service.Type, _ tag: Injector.Tag?, for injector: Injector
  ) throws(InjectorError) -> Service {
    if attention.isDemanded { return try injector.getStepByStep(service, tag) }
    let state = state.load(ordering: .acquiring)
    if state == State.sealed {
      guard let entry = unsafe find(service, tag) else { throw injector.absence(of: service, tag: tag) }
      if let built = unsafe entry._withUnsafeGuaranteedRef({ unsafe $0.instance.pointer(to: service) }) {
        return unsafe built.pointee
      }
      return try unsafe Resolution.make(entry, for: injector)
    }
    if state != State.open { return try injector.getStepByStep(service, tag) }
    let entry: Unmanaged<Entry<Service>>?
    do {
      let reader = unsafe Reading.begin()
      defer { unsafe Reading.end(reader) }
      let found = unsafe find(service, tag)
      if let built = unsafe found?._withUnsafeGuaranteedRef({ unsafe $0.instance.pointer(to: service) }) {
        return unsafe built.pointee
      }
      unsafe entry = unsafe found?.retain()
    }
    guard let entry = unsafe entry else { throw injector.absence(of: service, tag: tag) }
    defer { unsafe entry.release() }
    return try unsafe Resolution.make(entry, for: injector)
  }

  /// Adds an entry for a service that has none and never had: what nearly every registration does.
  ///
  /// - Returns: `false` if there is more to it.
  func add(_ entry: AnyEntry) -> Bool {
    let (isAdded, full) = departures.withLock { departures -> (Bool, ServiceTable?) in
      let table = unsafe table.load(ordering: .relaxed).takeUnretainedValue()
      let place = table.place(of: entry.type, entry.tag)
      if isSealed || isClosed || !departures.isEmpty || table.entry(at: place) != nil { return (false, nil) }
      return (true, set(entry, at: place, in: table))
    }
    if full != nil { waitForReaders() }
    return isAdded
  }

  /// Stores an entry under its key, unless there is one already; also if the registrations are sealed, because it is no
  /// registration.
  ///
  /// - Returns: The one that is there now; `nil` if the injector has been closed.
  func ensure(_ entry: AnyEntry) -> AnyEntry? {
    let (present, full) = departures.withLock { _ -> (AnyEntry?, ServiceTable?) in
      let table = unsafe table.load(ordering: .relaxed).takeUnretainedValue()
      let place = table.place(of: entry.type, entry.tag)
      if isClosed { return (nil, nil) }
      if let existing = table.entry(at: place) { return (existing, nil) }
      return (entry, set(entry, at: place, in: table))
    }
    if full != nil { waitForReaders() }
    return present
  }

  /// Replaces a service's entry by what `change` makes of it; leaves everything as it was if that throws.
  ///
  /// `change` runs under the lock and must call nobody else's code.
  ///
  /// - Returns: What was there, and what is there now, if that makes instances to be given up or to be kept.
  func change<Service: Sendable>(
    _ service: Service.Type, _ tag: Injector.Tag?, ownerWasReleased: Bool = false,
    _ change: (Entry<Service>?) throws(Refusal) -> Entry<Service>?
  ) throws(Refusal) -> (old: AnyEntry?, new: AnyEntry?) {
    try self.change(ServiceKey(service, tag)) { old, departures throws(Refusal) in
      let new = try change(unsafe unsafeBitCast(old, to: Entry<Service>?.self))
      if new == nil || !departures.isEmpty {
        departures[ServiceKey(service, tag)] =
          new == nil
          ? old.map { InjectorError.Departure(registeredAt: $0.site, ownerWasReleased: ownerWasReleased) } : nil
      }
      return new
    }
  }

  /// Replaces the entry of a key by another, or removes it.
  ///
  /// - Parameter isFinal: Whether an entry must stay.
  func replace(
    _ key: ServiceKey, by new: AnyEntry?, unless isFinal: (AnyEntry) -> Bool
  ) throws(Refusal) -> (old: AnyEntry?, new: AnyEntry?) {
    try change(key) { old, _ throws(Refusal) in
      if let old, isFinal(old) { throw .registered(old.site, candidate: nil) }
      return new
    }
  }

  private func change(
    _ key: ServiceKey, _ change: (AnyEntry?, inout Departures) throws(Refusal) -> AnyEntry?
  ) throws(Refusal) -> (old: AnyEntry?, new: AnyEntry?) {
    let replaced = try departures.withLock { departures throws(Refusal) -> Replaced in
      let table = unsafe table.load(ordering: .relaxed).takeUnretainedValue()
      let place = table.place(of: key.type, key.tag)
      let old = table.entry(at: place)
      if isClosed { throw .closed }
      if isSealed { throw .sealed(old?.site) }
      let new = try change(old, &departures)
      if new === old { return Replaced(old: old, new: old) }
      if let old { unsafe Unmanaged.passUnretained(old).release() }
      let full = set(new, at: place, in: table)
      return Replaced(old: old, new: old != nil || new?.isClosable == true ? new : nil, table: full)
    }
    if replaced.table != nil || replaced.old !== replaced.new && replaced.old != nil { waitForReaders() }
    return (replaced.old, replaced.new)
  }

  /// Returns when nobody can see any more what has been replaced. A scope is read under the lock.
  private func waitForReaders() {
    if parent == nil { Reading.waitForReaders() }
  }

  /// Puts an entry into the table, or into a larger one that takes its place.
  ///
  /// - Returns: The table that has been replaced, if it has to go. While readers are not protected it stays.
  private func set(_ new: AnyEntry?, at place: ServiceTable.Place, in table: ServiceTable) -> ServiceTable? {
    guard let new else {
      table.clear(place)
      return nil
    }
    _ = unsafe Unmanaged.passRetained(new)
    if table.set(new, at: place) { return nil }
    let larger = ServiceTable(adding: new, at: place, to: table)
    unsafe self.table.store(Unmanaged.passRetained(larger), ordering: .sequentiallyConsistent)
    if table === ServiceTable.empty { return nil }
    let old = unsafe Unmanaged.passUnretained(table).takeRetainedValue()
    guard parent == nil, isSealed else { return old }
    larger.predecessor = old
    return nil
  }

  /// Forbids every change from now on, and lets reading go without protection.
  func seal() {
    departures.withLock { _ in _ = state.bitwiseOr(State.sealed, ordering: .sequentiallyConsistent) }
  }

  /// Refuses every request from now on, and releases the registrations that nobody can be reading.
  func close() {
    let open = departures.withLock { _ -> ServiceTable? in
      let state = state.bitwiseOr(State.closed, ordering: .sequentiallyConsistent).oldValue
      let table = unsafe table.load(ordering: .relaxed).takeUnretainedValue()
      if state == State.sealed || state & State.closed != 0 || table === ServiceTable.empty { return nil }
      unsafe self.table.store(Unmanaged.passUnretained(ServiceTable.empty), ordering: .sequentiallyConsistent)
      return table
    }
    guard let open else { return }
    waitForReaders()
    release(open)
  }

  func departure(_ service: any Any.Type, _ tag: Injector.Tag?) -> InjectorError.Departure? {
    departures.withLock { $0[ServiceKey(service, tag)] }
  }

  /// Whether something is registered here, and not in a parent.
  func has(_ service: any Any.Type, _ tag: Injector.Tag?) -> Bool { entry(ObjectIdentifier(service), tag) != nil }

  /// All that is registered, in no order.
  var entries: [AnyEntry] { stored.filter { !$0.isState } }

  /// Whether nothing is registered, and no property has been set.
  var isEmpty: Bool { stored.allSatisfy { $0.isState && !$0.isSet } }

  private var stored: [AnyEntry] {
    departures.withLock { _ in unsafe table.load(ordering: .relaxed)._withUnsafeGuaranteedRef { $0.entries } }
  }

  var isSealed: Bool { state.load(ordering: .acquiring) & State.sealed != 0 }

  @inlinable var isClosed: Bool { state.load(ordering: .acquiring) & State.closed != 0 }
}
