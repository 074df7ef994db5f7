import Synchronization

extension Registrations {
  private struct Replaced {
    let old: AnyEntry?
    let new: AnyEntry?
    var table: ServiceTable?
  }

  /// Adds an entry for a service that has none and never had: what nearly every registration does.
  ///
  /// - Returns: `false` if there is more to it.
  func add(_ entry: AnyEntry) -> Bool {
    if original != nil || parent?.isDecorated == true { return false }
    let (isAdded, full) = registrationState.withLock { state -> (Bool, ServiceTable?) in
      unsafe table.load(ordering: .relaxed)._withUnsafeGuaranteedRef { table in
        let position = table.position(of: entry.type, entry.tag)
        if isSealed || isClosed || !state.isEmpty || table.entry(at: position) != nil { return (false, nil) }
        return (true, set(entry, at: position, in: table))
      }
    }
    if full != nil { waitForReaders() }
    return isAdded
  }

  /// Stores an entry under its key, unless there is one already; also if the registrations are sealed, because it is no
  /// registration.
  ///
  /// - Parameter unlessRemoved: Whether it must not be stored if it has been removed.
  /// - Returns: The one that is there now; `nil` if it has been removed, or the injector has been closed.
  func ensure(_ entry: AnyEntry, unlessRemoved: Bool = false) -> AnyEntry? {
    if entry.isState { return try? ensureState(entry, of: entry.declaration.service) ?? entry }
    let inherited = original?.decorations(of: entry.key) ?? []
    let (present, full) = registrationState.withLock { state -> (AnyEntry?, ServiceTable?) in
      if unlessRemoved, state.known?.removed.contains(entry.key) == true {
        return (nil, nil)
      }
      let table = unsafe table.load(ordering: .relaxed).takeUnretainedValue()
      let position = table.position(of: entry.type, entry.tag)
      if isClosed { return (nil, nil) }
      if let existing = table.entry(at: position) { return (existing, nil) }
      // A copy of what is registered is decorated already.
      let new =
        unlessRemoved ? entry : entry.decorated(by: inherited + state.decorations(of: entry.key))
      state.index(new, inPlaceOf: nil)
      return (new, set(new, at: position, in: table))
    }
    if full != nil { waitForReaders() }
    return present
  }

  /// Stores the state of a property, unless there is one already; also if the registrations are sealed, because it is
  /// no registration.
  ///
  /// - Returns: The one that there is already.
  func ensureState(_ state: AnyEntry, of property: any Any.Type) throws(Refusal) -> AnyEntry? {
    let type = ObjectIdentifier(property)
    let (existing, full) = try registrationState.withLock {
      registrations throws(Refusal) -> (AnyEntry?, ServiceTable?) in
      if isClosed { throw .closed }
      if let existing = ownEntry(type, nil, registrations) { return (existing, nil) }
      if isLayered, registrations.firstState == nil {
        state.settle(at: depth)
        knownKeys.bitwiseOr(ServiceTable.mark(of: type, nil), ordering: .sequentiallyConsistent)
        registrations.firstState = (type, state)
        return (nil, nil)
      }
      let table = unsafe table.load(ordering: .relaxed).takeUnretainedValue()
      return (nil, set(state, at: table.position(of: type, nil), in: table))
    }
    if full != nil { waitForReaders() }
    return existing
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
    if original != nil { _ = entry(ObjectIdentifier(service), tag) }
    let key = ServiceKey(service, tag)
    let inherited = inheritedDecorations(of: key)
    return try self.change(key) { old, registrationState throws(Refusal) in
      let new = try change(unsafe unsafeBitCast(old, to: Entry<Service>?.self))
      if new == nil || registrationState.known?.previousRegistrations.isEmpty == false {
        registrationState.content.previousRegistrations[key] =
          new == nil
          ? old.map {
            InjectorError.PreviousRegistration(registeredAt: $0.location, ownerWasReleased: ownerWasReleased)
          } : nil
      }
      return new?.decorated(by: inherited + registrationState.decorations(of: key))
    }
  }

  /// Wraps the instances of a service: of what is registered, and of what will be.
  ///
  /// - Parameter reserve: Keeps the parts from being made that are registered, and whatever else has to be.
  func decorate(
    _ key: ServiceKey, with decoration: AnyDecoration, _ reserve: ([any EntryPart]) throws(Refusal) -> Void
  ) throws(Refusal) -> (old: AnyEntry?, new: AnyEntry?) {
    if original != nil { _ = entry(key.type, key.tag) }
    return try change(key) { old, registrationState throws(Refusal) in
      // From here on whoever asks for decorators waits for the lock.
      decorationFlag.store(true, ordering: .sequentiallyConsistent)
      do throws(Refusal) {
        try reserve(old?.parts ?? [])
      } catch {
        if registrationState.known?.decorations.isEmpty != false {
          decorationFlag.store(original?.hasDecorations == true, ordering: .releasing)
        }
        throw error
      }
      registrationState.content.decorations[key] = registrationState.decorations(of: key).adding([decoration])
      return old?.decorated(by: [decoration])
    }
  }

  /// What wraps the instances of a service in what this is a scope or a copy of, the outermost first.
  private func inheritedDecorations(of key: ServiceKey) -> [AnyDecoration] {
    (parent?.allDecorations(of: key) ?? []) + (original?.decorations(of: key) ?? [])
  }

  /// The same, here too.
  func allDecorations<Service: Sendable>(of service: Service.Type, _ tag: Injector.Tag?) -> [Decoration<Service>] {
    guard isDecorated else { return [] }
    return typed(allDecorations(of: ServiceKey(service, tag)))
  }

  /// What wraps the instances of a service here.
  func decorations<Service: Sendable>(of service: Service.Type, _ tag: Injector.Tag?) -> [Decoration<Service>] {
    typed(decorations(of: ServiceKey(service, tag)))
  }

  private func typed<Service: Sendable>(_ decorations: [AnyDecoration]) -> [Decoration<Service>] {
    decorations.map { unsafe unsafeDowncast($0, to: Decoration<Service>.self) }
  }

  func allDecorations(of key: ServiceKey) -> [AnyDecoration] {
    (parent?.allDecorations(of: key) ?? []) + decorations(of: key)
  }

  /// What wraps the instances of a service here.
  func decorations(of key: ServiceKey) -> [AnyDecoration] {
    guard hasDecorations else { return [] }
    return (original?.decorations(of: key) ?? []) + registrationState.withLock { $0.decorations(of: key) }
  }

  /// Whether services are decorated here, or in what this is a scope of.
  @inlinable var isDecorated: Bool { hasDecorations || parent?.isDecorated == true }

  /// Replaces the entry of a key by another, or removes it. What is ignoring the seal is not decorated.
  ///
  /// - Parameter isFinal: Whether an entry must stay.
  func replace(
    _ key: ServiceKey, by new: AnyEntry?, ignoringSeal: Bool, unless isFinal: (AnyEntry) -> Bool = { _ in false }
  ) throws(Refusal) -> (old: AnyEntry?, new: AnyEntry?) {
    let inherited = ignoringSeal ? [] : inheritedDecorations(of: key)
    return try change(key, ignoringSeal: ignoringSeal) { old, registrationState throws(Refusal) in
      if let old, !old.isCopy, isFinal(old) { throw .registered(old.location, candidate: nil) }
      return ignoringSeal ? new : new?.decorated(by: inherited + registrationState.decorations(of: key))
    }
  }

  private func change(
    _ key: ServiceKey, ignoringSeal: Bool = false,
    _ change: (AnyEntry?, inout RegistrationState) throws(Refusal) -> AnyEntry?
  ) throws(Refusal) -> (old: AnyEntry?, new: AnyEntry?) {
    let replaced = try registrationState.withLock { state throws(Refusal) -> Replaced in
      let table = unsafe table.load(ordering: .relaxed).takeUnretainedValue()
      let position = table.position(of: key.type, key.tag)
      let old = table.entry(at: position)
      if isClosed { throw .closed }
      if isSealed && !ignoringSeal { throw .sealed(old?.location) }
      let new = try change(old, &state)
      if new == nil && old != nil && original != nil { state.content.removed.insert(key) }
      if new === old { return Replaced(old: old, new: old) }
      state.index(new, inPlaceOf: old)
      if let old {
        settleParts(of: old, for: new)
        if isSealed && !isLayered { state.content.retired.append(old) }
        unsafe Unmanaged.passUnretained(old).release()
      }
      let full = new.flatMap { set($0, at: position, in: table) }
      if new == nil { table.clear(position) }
      state.known?.sealed?.replace(key, by: new)
      return Replaced(old: old, new: old != nil || new?.isClosable == true ? new : nil, table: full)
    }
    if replaced.table != nil || replaced.old !== replaced.new && replaced.old != nil { waitForReaders() }
    return (replaced.old, replaced.new)
  }

  /// Nothing is made any more of what has gone; what stays, or has come back, goes on.
  private func settleParts(of old: AnyEntry, for new: AnyEntry?) {
    let parts = new?.parts ?? []
    let staying = Set(parts.map(ObjectIdentifier.init))
    for part in old.parts where !staying.contains(ObjectIdentifier(part)) { part.settle(as: .replaced) }
    for part in parts { part.settle(as: .own) }
  }

  /// Returns when nobody can see any more what has been replaced. What is layered is read under the lock.
  func waitForReaders() {
    if !isLayered { ReadCopyUpdate.waitForReaders() }
  }

  /// What is chosen at the points of an id.
  func entries(ofPoint id: String) -> [AnyEntry] {
    keys(ofPoint: id).compactMap { entry($0.type, $0.tag) }.filter { $0.pointIDs.contains(id) }
  }

  private func keys(ofPoint id: String) -> Set<ServiceKey> {
    let own = registrationState.withLock { ($0.known?.points[id] ?? []).map(\.self) }
    return Set(own).union(original?.keys(ofPoint: id) ?? [])
  }

  /// Replaces every entry of a private copy by one that has not been asked for.
  func startOver() {
    for old in stored where !old.isState {
      _ = try? change(old.key, ignoringSeal: true) { old, _ throws(Refusal) in old?.copied() }
    }
  }

  /// Replaces cells whose instances have been given up by such as begin anew. What has been removed meanwhile stays so.
  func renew(_ cells: Set<ObjectIdentifier>) {
    for old in stored where old.parts.contains(where: { cells.contains(ObjectIdentifier($0)) }) {
      _ = try? change(old.key, ignoringSeal: true) { old, _ throws(Refusal) in old?.renewing(cells) }
    }
  }

  /// Puts an entry into the table, or into a larger one that takes its place.
  ///
  /// - Returns: The table that has been replaced, if it has to go. While readers are not protected it stays.
  private func set(_ new: AnyEntry, at position: ServiceTable.Position, in table: ServiceTable) -> ServiceTable? {
    _ = unsafe Unmanaged.passRetained(new)
    new.settle(at: depth)
    if isLayered { knownKeys.bitwiseOr(position.mark, ordering: .sequentiallyConsistent) }
    if table.set(new, at: position) { return nil }
    let larger = ServiceTable(adding: new, at: position, to: table, smallest: isLayered ? 4 : 16)
    unsafe self.table.store(Unmanaged.passRetained(larger), ordering: .sequentiallyConsistent)
    if table.isEmpty { return nil }
    let old = unsafe Unmanaged.passUnretained(table).takeRetainedValue()
    guard !isLayered, isSealed else { return old }
    larger.predecessor = old
    return nil
  }
}
