public import Synchronization

/// The registrations of one injector.
///
/// Reading takes no lock: `Reading` protects it while registrations may change, and once they are sealed nothing has
/// to. A lock orders the changes. Entries are immutable and replaced whole.
///
/// Soundness: the registry owns the table and, once each, the entries in it. What a change replaces is released when no
/// thread can be looking at it any more; at `deinit` no thread can, since whoever looks holds the registry.
@safe
@usableFromInline
final class Registry: Sendable {
  private struct Replaced {
    var entry: AnyEntry?
    var table: ServiceTable?

    var isEmpty: Bool { entry == nil && table == nil }
  }

  private let departures = Guarded(Departures())

  @usableFromInline let table = unsafe Atomic(Unmanaged.passRetained(ServiceTable()))

  /// Whether nothing changes any more.
  @usableFromInline let isFrozen = Atomic(false)

  deinit {
    let table = unsafe table.load(ordering: .relaxed).takeRetainedValue()
    table.releaseEntries()
  }

  /// Finds a service's entry.
  @inlinable
  func entry<Service: Sendable>(_ service: Service.Type, _ tag: Injector.Tag?) -> Entry<Service>? {
    let reader = unsafe Reading.begin()
    defer { unsafe Reading.end(reader) }
    return unsafe find(service, tag)?.takeUnretainedValue()
  }

  /// Finds a service's entry, for use while the caller looks, or forever if the registry is sealed.
  ///
  /// Soundness of the cast, and of that in `change`: `change` is the only one to store entries, under the key of their
  /// own `Service`; a type has one metadata record, which the key's `ObjectIdentifier` is the address of.
  @inlinable
  func find<Service: Sendable>(_ service: Service.Type, _ tag: Injector.Tag?) -> Unmanaged<Entry<Service>>? {
    let entry = unsafe table.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef { table in
      unsafe table.find(ObjectIdentifier(service), tag)
    }
    guard let entry = unsafe entry else { return nil }
    return unsafe Unmanaged.fromOpaque(entry.toOpaque())
  }

  /// The instance of a service that exists.
  @inlinable
  func instance<Service: Sendable>(_ service: Service.Type, _ tag: Injector.Tag?) -> Service? {
    let reader = unsafe Reading.begin()
    defer { unsafe Reading.end(reader) }
    let entry = unsafe find(service, tag)
    return unsafe entry?._withUnsafeGuaranteedRef { unsafe $0.instance.pointer(to: service)?.pointee }
  }

  /// Gets the instance that exists, or asks the entry for one.
  @inlinable
  func get<Service: Sendable>(
    _ service: Service.Type, _ tag: Injector.Tag?, for injector: Injector
  ) throws(InjectorError) -> Service {
    if isFrozen.load(ordering: .acquiring) {
      guard let entry = unsafe find(service, tag) else { throw injector.missing(service, tag: tag) }
      if let built = unsafe entry._withUnsafeGuaranteedRef({ unsafe $0.instance.pointer(to: service) }) {
        return unsafe built.pointee
      }
      return try unsafe Resolution.make(entry, for: injector)
    }
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
    guard let entry = unsafe entry else { throw injector.missing(service, tag: tag) }
    defer { unsafe entry.release() }
    return try unsafe Resolution.make(entry, for: injector)
  }

  /// Replaces a service's entry by what `change` makes of it; leaves everything as it was if that throws.
  ///
  /// `change` runs under the lock and must call nobody else's code.
  func change<Service: Sendable>(
    _ service: Service.Type, _ tag: Injector.Tag?, ownerWasReleased: Bool = false,
    _ change: (Entry<Service>?) throws(Refusal) -> Entry<Service>?
  ) throws(Refusal) {
    let replaced = try departures.withLock { departures throws(Refusal) -> Replaced in
      let type = ObjectIdentifier(service)
      let table = unsafe table.load(ordering: .relaxed).takeUnretainedValue()
      let place = table.place(of: type, tag)
      let old = table.entry(at: place)
      if isSealed { throw .sealed(old?.site) }
      let new = try change(old.map { unsafe unsafeDowncast($0, to: Entry<Service>.self) })
      if new === old { return Replaced() }
      departures[Departures.Service(type: type, tag: tag)] =
        new == nil
        ? old.map { InjectorError.Departure(registeredAt: $0.site, ownerWasReleased: ownerWasReleased) } : nil
      let entry = old.map { unsafe Unmanaged.passUnretained($0).takeRetainedValue() }
      return Replaced(entry: entry, table: set(new, at: place, in: table))
    }
    if replaced.isEmpty { return }
    Reading.waitForReaders()
    withExtendedLifetime(replaced) {}
  }

  /// Puts an entry into the table, or into a larger one that takes its place.
  ///
  /// - Returns: The table that has been replaced.
  private func set(_ new: AnyEntry?, at place: ServiceTable.Place, in table: ServiceTable) -> ServiceTable? {
    guard let new else {
      table.clear(place)
      return nil
    }
    _ = unsafe Unmanaged.passRetained(new)
    if table.set(new, at: place) { return nil }
    let larger = ServiceTable(adding: new, at: place, to: table)
    return unsafe self.table.exchange(Unmanaged.passRetained(larger), ordering: .sequentiallyConsistent)
      .takeRetainedValue()
  }

  /// Forbids every change from now on, and lets reading go without protection.
  func seal() {
    departures.withLock { _ in isFrozen.store(true, ordering: .releasing) }
  }

  func departure(_ service: any Any.Type, _ tag: Injector.Tag?) -> InjectorError.Departure? {
    departures.withLock { $0[Departures.Service(type: ObjectIdentifier(service), tag: tag)] }
  }

  /// All entries, in no order.
  var entries: [AnyEntry] {
    departures.withLock { _ in unsafe table.load(ordering: .relaxed)._withUnsafeGuaranteedRef { $0.entries } }
  }

  var isEmpty: Bool { entries.isEmpty }

  var isSealed: Bool { isFrozen.load(ordering: .acquiring) }
}
