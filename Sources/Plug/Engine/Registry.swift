import Synchronization

/// A service's type and tag: what a registration is found by.
struct ServiceKey: Hashable, Sendable {
  let type: ObjectIdentifier
  let tag: Injector.Tag?

  init(_ type: any Any.Type, _ tag: Injector.Tag?) {
    self.type = ObjectIdentifier(type)
    self.tag = tag
  }
}

/// The registrations of one injector.
///
/// Until it is sealed, a lock guards them; entries are immutable and replaced whole. Sealing publishes the
/// dictionary once and for all, and from then on reading takes no lock.
@safe final class Registry: Sendable {
  typealias Entries = [ServiceKey: AnyEntry]

  private struct State {
    var entries: Entries = [:]
    var departures: [ServiceKey: InjectorError.Departure] = [:]
    var isSealed = false
  }

  private final class Frozen: Sendable {
    let entries: Entries

    init(_ entries: Entries) {
      self.entries = entries
    }
  }

  private let state = Guarded(State())

  /// Soundness: set once, to a `+1` reference that `deinit` gives back; whoever reads it holds the registry, so that it
  /// outlives the reading.
  private let frozen = unsafe Atomic<Unmanaged<Frozen>?>(nil)

  deinit {
    unsafe frozen.load(ordering: .acquiring)?.release()
  }

  /// Finds a service's entry.
  ///
  /// Soundness of the cast: entries are stored by `change` only, under the key of their own `Service`; a type has one
  /// metadata record, which the key's `ObjectIdentifier` is the address of.
  func entry<Service>(_ service: Service.Type, _ tag: Injector.Tag?) -> Entry<Service>? {
    let key = ServiceKey(service, tag)
    let found =
      if let frozen = unsafe frozen.load(ordering: .acquiring) {
        unsafe frozen._withUnsafeGuaranteedRef { $0.entries[key] }
      } else {
        state.withLock { $0.entries[key] }
      }
    return found.map { unsafe unsafeDowncast($0, to: Entry<Service>.self) }
  }

  /// Replaces a service's entry by what `change` makes of it; leaves everything as it was if that throws.
  ///
  /// `change` runs under the lock and must call nobody else's code. The old entry is released outside of it.
  func change<Service>(
    _ service: Service.Type, _ tag: Injector.Tag?, ownerWasReleased: Bool = false,
    _ change: (Entry<Service>?) throws(Refusal) -> Entry<Service>?
  ) throws(Refusal) {
    let key = ServiceKey(service, tag)
    let old = try state.withLock { state throws(Refusal) in
      let old = state.entries[key].map { unsafe unsafeDowncast($0, to: Entry<Service>.self) }
      if state.isSealed { throw .sealed(old?.site) }
      let new = try change(old)
      state.entries[key] = new
      state.departures[key] =
        new == nil
        ? old.map { InjectorError.Departure(registeredAt: $0.site, ownerWasReleased: ownerWasReleased) } : nil
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Forbids every change from now on, and lets reading go without the lock.
  func seal() {
    state.withLock { state in
      guard !state.isSealed else { return }
      state.isSealed = true
      unsafe frozen.store(Unmanaged.passRetained(Frozen(state.entries)), ordering: .releasing)
    }
  }

  func departure(_ service: any Any.Type, _ tag: Injector.Tag?) -> InjectorError.Departure? {
    state.withLock { $0.departures[ServiceKey(service, tag)] }
  }

  var entries: [AnyEntry] { state.withLock { Array($0.entries.values) } }

  var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

  var isSealed: Bool { state.withLock { $0.isSealed } }
}
