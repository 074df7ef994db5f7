public import Synchronization

/// The registrations of one injector.
///
/// Reading takes no lock: `ReadCopyUpdate` protects it while registrations may change, and once they are sealed nothing
/// has to. A lock orders the changes. Entries are immutable and replaced whole. Those of a scope stand before those of
/// the injector it was opened in; they are few, and they are read under the lock, so that closing a scope waits for
/// nobody.
///
/// Soundness: this object owns the table and, once each, the entries in it. What a change replaces is released when no
/// thread can be looking at it any more; at `deinit` no thread can, since whoever looks holds the object.
@safe
@usableFromInline
final class Registrations: @unchecked Sendable {
  let registrationState = Guarded(RegistrationState())

  /// Whether services are decorated here.
  @usableFromInline let decorationFlag: Atomic<Bool>

  @inlinable var hasDecorations: Bool { decorationFlag.load(ordering: .acquiring) }

  @usableFromInline let table = unsafe Atomic(Unmanaged.passUnretained(ServiceTable.empty))

  /// What is read while this is sealed, and neither a scope, traced nor closed. It stays when it is read no more.
  @usableFromInline let sealed = unsafe Atomic<SealedSlots.Place?>(nil)

  /// The marks of all keys that a scope has registered something for; every one in a private copy.
  @usableFromInline let knownKeys: Atomic<UInt>

  /// Not retained, because every scope has it, and it stays for good.
  @usableFromInline unowned(unsafe) let sharedInstrumentation: Instrumentation

  @inlinable var instrumentation: Instrumentation { unsafe sharedInstrumentation }

  @usableFromInline let state: Atomic<Int>

  /// What an injector is, in bits.
  @usableFromInline
  enum State {
    @inlinable static var open: Int { 0 }
    @inlinable static var sealed: Int { 1 }
    /// A scope or a private copy: what is not here may be in another.
    @inlinable static var layered: Int { 2 }
    @inlinable static var closed: Int { 4 }
    /// Someone traces this, or one of its scopes. In the word of an injector that is no scope, for all its scopes.
    @inlinable static var traced: Int { 8 }
  }

  /// The injector that this lies in, if this is a scope.
  let enclosing: Injector?

  /// The registrations of that, for one who holds this.
  @usableFromInline let outer: Unmanaged<Registrations>?

  @usableFromInline var parent: Registrations? { unsafe outer?.takeUnretainedValue() }

  /// The outermost one, if this is a scope.
  @usableFromInline let root: Unmanaged<Registrations>?

  /// What this is a private copy of.
  let original: Registrations?

  /// How many parents there are.
  @usableFromInline let depth: Int32

  /// How many there may be, so that nothing which goes from one to the next overflows a stack, and work that opens a
  /// scope in each scope ends.
  static var depthLimit: Int32 { 200 }

  /// Whether there are more. Then this is closed from the beginning, as it is where the parent has been closed before.
  var isTooDeep: Bool { isScope && depth > Self.depthLimit }

  @inlinable var isScope: Bool { unsafe outer != nil }

  init(depth: Int32 = 0) {
    (enclosing, original) = (nil, nil)
    unsafe sharedInstrumentation = .shared
    unsafe outer = nil
    unsafe root = nil
    knownKeys = Atomic(0)
    self.depth = depth
    decorationFlag = Atomic(false)
    state = Atomic(State.open)
  }

  init(scopeOf enclosing: Injector) {
    original = nil
    unsafe sharedInstrumentation = unsafe enclosing.registrations.sharedInstrumentation
    let outer = unsafe Unmanaged.passUnretained(enclosing.registrations)
    unsafe self.outer = unsafe outer
    unsafe root = unsafe outer._withUnsafeGuaranteedRef { unsafe $0.root } ?? outer
    depth = unsafe outer._withUnsafeGuaranteedRef { $0.depth } + 1
    let parentState = unsafe outer._withUnsafeGuaranteedRef { $0.state.load(ordering: .acquiring) }
    knownKeys = Atomic(0)
    decorationFlag = Atomic(false)
    let isClosed = parentState & State.closed != 0 || depth > Self.depthLimit
    state = Atomic(isClosed ? State.layered | State.closed : State.layered)
    self.enclosing = enclosing
  }

  /// Creates a private copy, whose entries are copied when they are looked for.
  ///
  /// - Parameters:
  ///   - enclosing: The copy of the injector that the original lies in.
  ///   - isUnsealed: Whether it is open, also if the original is sealed.
  init(copying original: Registrations, scopeOf enclosing: Injector?, isUnsealed: Bool = false) {
    self.original = original
    self.enclosing = enclosing
    unsafe sharedInstrumentation = unsafe original.sharedInstrumentation
    unsafe outer = unsafe enclosing.map { unsafe .passUnretained($0.registrations) }
    unsafe root = unsafe enclosing.map { unsafe $0.registrations.root ?? .passUnretained($0.registrations) }
    knownKeys = Atomic(.max)
    depth = original.depth
    decorationFlag = Atomic(original.hasDecorations)
    let present = original.state.load(ordering: .acquiring) & ~State.traced
    state = Atomic(State.layered | (isUnsealed ? present & ~State.sealed : present))
  }

  deinit {
    if !isUnused { release(unsafe table.load(ordering: .relaxed).takeUnretainedValue()) }
  }

  /// Gives a table back with its entries, at which nobody can be looking any more.
  private func release(_ table: ServiceTable) {
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
    if isLayered { return ownEntry(type, tag) ?? copiedEntry(type, tag) }
    if state.load(ordering: .acquiring) == State.sealed { return unsafe find(type, tag)?.takeUnretainedValue() }
    return ReadCopyUpdate.read { unsafe find(type, tag)?.takeUnretainedValue() }
  }

  /// Whether nothing has been registered.
  private var isUnused: Bool {
    unsafe table.load(ordering: .acquiring)._withUnsafeGuaranteedRef { $0.isEmpty }
  }

  private func ownEntry(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> AnyEntry? {
    if knownKeys.load(ordering: .acquiring) == 0 { return nil }
    return registrationState.withLock { ownEntry(type, tag, $0) }
  }

  /// The same, for one who holds the lock.
  func ownEntry(_ type: ObjectIdentifier, _ tag: Injector.Tag?, _ registrationState: RegistrationState) -> AnyEntry? {
    if let first = registrationState.firstState, first.type == type, tag == nil { return first.state }
    return unsafe find(type, tag)?.takeUnretainedValue()
  }

  /// Copies an entry of the original, unless that has none or it has been removed here.
  private func copiedEntry(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> AnyEntry? {
    guard let template = original?.entry(type, tag), !template.isState else { return nil }
    return ensure(template.copied(), unlessRemoved: true)
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
  @inline(__always)
  func find(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> Unmanaged<AnyEntry>? {
    unsafe table.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef { unsafe $0.find(type, tag) }
  }

  /// Whether the way of a request may be cut short: nobody watches, and this is an injector that is neither a scope nor
  /// a private copy, nor traced or closed.
  @inlinable var isPlain: Bool { !instrumentation.isActive && state.load(ordering: .relaxed) <= State.sealed }

  /// The instance of a service that exists; nothing if the way may not be cut short.
  @inlinable
  func instance<Service: Sendable>(_ service: Service.Type, _ tag: Injector.Tag?) -> Service? {
    if instrumentation.isActive { return nil }
    if state.load(ordering: .acquiring) == State.sealed { return built(service, tag) }
    return ReadCopyUpdate.read { isPlain ? built(service, tag) : nil }
  }

  /// The instance of a service that exists here; for one who protects what is looked at.
  @inlinable
  func built<Service: Sendable>(_ service: Service.Type, _ tag: Injector.Tag?) -> Service? {
    let entry = unsafe find(service, tag)
    return unsafe entry?._withUnsafeGuaranteedRef { unsafe $0.instance.pointer(to: service)?.pointee }
  }

  /// Gets a service. Instrumentation must be inactive.
  @inlinable
  @inline(__always)
  func get<Service: Sendable>(
    _ service: Service.Type, _ tag: Injector.Tag?, for injector: Injector
  ) throws(InjectorError) -> Service {
    if unsafe outer != nil { return try injector.getInScope(service, tag) }
    return try unsafe get(for: injector) {
      unsafe find(service, tag)
    } orElse: { () throws(InjectorError) in
      try injector.getOnSlowPath(service, tag)
    }
  }

  /// Gets the instance that exists, or asks the entry for one. Instrumentation must be inactive.
  ///
  /// - Parameters:
  ///   - find: Finds the entry here.
  ///   - other: Gives the service where it is not here, or where the way may not be cut short.
  @inlinable
  @inline(__always)
  func get<Service: Sendable>(
    for injector: Injector, _ find: () -> Unmanaged<Entry<Service>>?,
    orElse other: () throws(InjectorError) -> Service
  ) throws(InjectorError) -> Service {
    let state = state.load(ordering: .acquiring)
    if state == State.sealed {
      guard let entry = unsafe find() else { return try other() }
      if let built = unsafe entry._withUnsafeGuaranteedRef({ unsafe $0.instance.pointer(to: Service.self) }) {
        return unsafe built.pointee
      }
      return try unsafe Resolution.make(entry, for: injector)
    }
    if state == State.open {
      let entry: Unmanaged<Entry<Service>>?
      let reader = unsafe ReadCopyUpdate.begin()
      do {
        defer { unsafe ReadCopyUpdate.end(reader) }
        let found = unsafe find()
        if let built = unsafe found?._withUnsafeGuaranteedRef({ unsafe $0.instance.pointer(to: Service.self) }) {
          return unsafe built.pointee
        }
        unsafe entry = unsafe found?.retain()
      }
      if let entry = unsafe entry {
        defer { unsafe entry.release() }
        return try unsafe Resolution.make(entry, for: injector, on: reader)
      }
    }
    return try other()
  }

  /// Forbids every change from now on, and lets reading go without protection.
  func seal() {
    registrationState.withLock { registrations in
      let earlier = state.bitwiseOr(State.sealed, ordering: .sequentiallyConsistent).oldValue
      guard earlier & ~State.traced == State.open else { return }
      let entries = unsafe table.load(ordering: .relaxed)._withUnsafeGuaranteedRef { $0.entries }
      let slots = SealedSlots(entries.filter { !$0.isState })
      registrations.content.sealed = slots
      if earlier == State.open { unsafe sealed.store(slots.base, ordering: .releasing) }
    }
  }

  /// Refuses every request from now on, and releases the registrations that nobody can be reading.
  func close() {
    let (open, first) = registrationState.withLock { registrations -> (ServiceTable?, AnyEntry?) in
      let first = registrations.firstState.take()?.state
      let state = state.bitwiseOr(State.closed, ordering: .sequentiallyConsistent).oldValue
      if !isScope { unsafe sealed.store(nil, ordering: .sequentiallyConsistent) }
      if state & ~State.traced == State.sealed || state & State.closed != 0 || isUnused { return (nil, first) }
      let table = unsafe table.load(ordering: .relaxed).takeUnretainedValue()
      unsafe self.table.store(Unmanaged.passUnretained(ServiceTable.empty), ordering: .sequentiallyConsistent)
      return (table, first)
    }
    withExtendedLifetime(first) {}
    guard let open else { return }
    waitForReaders()
    release(open)
  }

  func previousRegistration(of key: ServiceKey) -> InjectorError.PreviousRegistration? {
    registrationState.withLock { $0.known?.previousRegistrations[key] } ?? original?.previousRegistration(of: key)
  }

  /// Whether something is registered here, and not in a parent.
  func has(_ key: ServiceKey) -> Bool { entry(key.type, key.tag) != nil }

  var isSealed: Bool { state.load(ordering: .acquiring) & State.sealed != 0 }

  var isLayered: Bool { isScope || original != nil }

  @inlinable var isClosed: Bool { state.load(ordering: .acquiring) & State.closed != 0 }
}
