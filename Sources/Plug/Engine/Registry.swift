public import Synchronization

/// The registrations of one injector.
///
/// Until it is sealed, a lock guards them; entries are immutable and replaced whole. Sealing publishes the table
/// once and for all, and from then on reading takes no lock.
@safe
@usableFromInline
final class Registry: Sendable {
  private struct State {
    var table = ServiceTable()
    var departures: [Departed: InjectorError.Departure] = [:]
    var isSealed = false
  }

  private struct Departed: Hashable {
    let type: ObjectIdentifier
    let tag: Injector.Tag?
  }

  private let state = Guarded(State())

  /// The table, once it does not change any more.
  ///
  /// Soundness: `state` owns the table for as long as the registry lives, and whoever reads this holds the registry.
  @usableFromInline let frozen = unsafe Atomic<Unmanaged<ServiceTable>?>(nil)

  /// Finds a service's entry.
  ///
  /// Soundness of the cast: `change` is the only one to store entries, under the key of their own `Service`; a type has
  /// one metadata record, which the key's `ObjectIdentifier` is the address of.
  @inlinable
  func entry<Service: Sendable>(_ service: Service.Type, _ tag: Injector.Tag?) -> Entry<Service>? {
    find(ObjectIdentifier(service), tag).map { unsafe unsafeDowncast($0, to: Entry<Service>.self) }
  }

  /// The shared instance of a service with one implementation, if it has been made and the registry is sealed.
  ///
  /// Soundness of the cast: as for `entry`.
  @inlinable
  func instanceIfSealed<Service: Sendable>(_ service: Service.Type, _ tag: Injector.Tag?) -> Service? {
    guard let table = unsafe frozen.load(ordering: .acquiring) else { return nil }
    return unsafe table._withUnsafeGuaranteedRef { table in
      guard let entry = unsafe table.find(ObjectIdentifier(service), tag) else { return nil }
      return unsafe entry._withUnsafeGuaranteedRef { entry in
        unsafe unsafeDowncast(entry, to: Entry<Service>.self).sole?.built?.pointee
      }
    }
  }

  @usableFromInline
  func find(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> AnyEntry? {
    if let table = unsafe frozen.load(ordering: .acquiring) {
      return unsafe table._withUnsafeGuaranteedRef { unsafe $0.find(type, tag)?.takeUnretainedValue() }
    }
    return state.withLock { unsafe $0.table.find(type, tag)?.takeUnretainedValue() }
  }

  /// Replaces a service's entry by what `change` makes of it; leaves everything as it was if that throws.
  ///
  /// `change` runs under the lock and must call nobody else's code. The old entry is released outside of it.
  func change<Service: Sendable>(
    _ service: Service.Type, _ tag: Injector.Tag?, ownerWasReleased: Bool = false,
    _ change: (Entry<Service>?) throws(Refusal) -> Entry<Service>?
  ) throws(Refusal) {
    let type = ObjectIdentifier(service)
    let old = try state.withLock { state throws(Refusal) in
      let old = unsafe state.table.find(type, tag)?.takeUnretainedValue()
      if state.isSealed { throw .sealed(old?.site) }
      let key = Departed(type: type, tag: tag)
      if let new = try change(old.map { unsafe unsafeDowncast($0, to: Entry<Service>.self) }) {
        state.table = state.table.inserting(new)
        if !state.departures.isEmpty { state.departures[key] = nil }
      } else if let old {
        state.table.remove(type, tag)
        state.departures[key] = InjectorError.Departure(registeredAt: old.site, ownerWasReleased: ownerWasReleased)
      }
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Forbids every change from now on, and lets reading go without the lock.
  func seal() {
    state.withLock { state in
      state.isSealed = true
      unsafe frozen.store(Unmanaged.passUnretained(state.table), ordering: .releasing)
    }
  }

  func departure(_ service: any Any.Type, _ tag: Injector.Tag?) -> InjectorError.Departure? {
    state.withLock { $0.departures[Departed(type: ObjectIdentifier(service), tag: tag)] }
  }

  var entries: [AnyEntry] { state.withLock { $0.table.entries } }

  var isEmpty: Bool { state.withLock { $0.table.isEmpty } }

  var isSealed: Bool { state.withLock { $0.isSealed } }
}
