public import Synchronization

extension Registrations {
  /// The instance of a feature that has been loaded; else, or if the way may not be cut short, what the injector gives.
  @inlinable
  func instance<Key: Feature>(
    _ key: Key.Type, for injector: Injector, _ fileID: StaticString, _ line: UInt
  ) -> Key.Instance {
    if instrumentation.isActive { return injector.loadOrTrap(key, fileID, line) }
    let state = state.load(ordering: .acquiring)
    if state == State.sealed {
      let entry = unsafe find(FeatureKey<Key>.self)
      if let loaded = unsafe entry?._withUnsafeGuaranteedRef({ unsafe $0.instance.pointer(to: Key.Instance.self) }) {
        return unsafe loaded.pointee
      }
    } else if state == State.open {
      let reader = unsafe ReadCopyUpdate.begin()
      defer { unsafe ReadCopyUpdate.end(reader) }
      let entry = unsafe find(FeatureKey<Key>.self)
      if let loaded = unsafe entry?._withUnsafeGuaranteedRef({ unsafe $0.instance.pointer(to: Key.Instance.self) }) {
        return unsafe loaded.pointee
      }
    }
    return injector.loadOrTrap(key, fileID, line)
  }

  /// Gets what a provider gives that has been used before, else what `other` gives. Instrumentation must be inactive.
  @inlinable
  @inline(__always)
  func get<Service: Sendable>(
    _ service: Service.Type, _ name: ProviderName, for injector: Injector,
    orElse other: () throws(InjectorError) -> Service
  ) throws(InjectorError) -> Service {
    try unsafe get(for: injector, { unsafe find(service, name) }, orElse: other)
  }

  /// Soundness of the cast: see `TypedKey`.
  @inlinable
  func find<Service: Sendable>(_ service: Service.Type, _ name: ProviderName) -> Unmanaged<Entry<Service>>? {
    let found = unsafe table.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef { table in
      unsafe table.find(ObjectIdentifier(ProviderKey<Service>.self), name)
    }
    guard let found = unsafe found else { return nil }
    return unsafe Unmanaged.fromOpaque(found.toOpaque())
  }

  /// What a provider has stored here; nothing if the way may not be cut short.
  ///
  /// Soundness of the cast: see `TypedKey`.
  @inlinable
  func entry<Key: TypedKey>(_ key: Key.Type, _ name: ProviderName) -> Key.Stored? {
    let reader = unsafe ReadCopyUpdate.begin()
    defer { unsafe ReadCopyUpdate.end(reader) }
    guard isPlain else { return nil }
    let found = unsafe table.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef { table in
      unsafe table.find(ObjectIdentifier(key), name)
    }
    return unsafe found.map { unsafe Unmanaged<Key.Stored>.fromOpaque($0.toOpaque()).takeUnretainedValue() }
  }

  /// The state of a property, if it is here; nothing if the way may not be cut short. For use while the caller holds
  /// the injector, which keeps every state until it ends.
  @inlinable
  func state<Key: Property>(_ key: Key.Type) -> Unmanaged<PropertyState<Key.Value>>? {
    if instrumentation.isActive { return nil }
    let state = state.load(ordering: .acquiring)
    if state == State.sealed { return unsafe find(PropertyKey<Key>.self) }
    guard state == State.open else { return nil }
    let reader = unsafe ReadCopyUpdate.begin()
    defer { unsafe ReadCopyUpdate.end(reader) }
    return unsafe find(PropertyKey<Key>.self)
  }

  /// The value of a property, if it is here; nothing if the way may not be cut short.
  @inlinable
  func value<Key: Property>(_ key: Key.Type) -> Key.Value? {
    guard let state = unsafe state(key) else { return nil }
    return unsafe state._withUnsafeGuaranteedRef { $0.value() }
  }
}

extension Injector {
  /// Gets what a key stands for from here, or from what this is a scope of; if it is nowhere, from what is then made
  /// and stored in the outermost injector.
  func get<Key: TypedKey, Instance: Sendable>(
    _ key: Key.Type, tag: Tag? = nil, _ fileID: StaticString = "", _ line: UInt = 0,
    orStore make: () -> Cell<Instance>
  ) throws(InjectorError) -> Instance where Key.Stored == Entry<Instance> {
    try withActiveInjector(key, tag, fileID, line) { injector throws(InjectorError) in
      if let entry = try injector.lookUp(key, tag) { return try entry.instance(for: injector) }
      let (cell, root) = (make(), injector.root)
      try root.check(cell)
      guard let entry = root.registrations.ensure(key, cell) else { throw injector.closed(key, tag) }
      if cell.isClosable, entry.plain?.descends(from: cell) == true { root.keepHandedIn(cell) }
      return try injector.overlaid(entry, registeredAt: root.depth).instance(for: injector)
    }
  }

  /// The state of a property in this injector; it is made if there is none.
  @inlinable
  func state<Key: Property>(of key: Key.Type) throws(InjectorError) -> PropertyState<Key.Value> {
    if let state = unsafe registrations.state(key) { return unsafe state.takeUnretainedValue() }
    return try makeState(of: key)
  }

  @usableFromInline
  func makeState<Key: Property>(of key: Key.Type) throws(InjectorError) -> PropertyState<Key.Value> {
    if let state = knownState(of: key) { return state }
    var outer: PropertyState<Key.Value>?
    var missing: [Injector] = []
    var next = parent
    while let level = next, outer == nil {
      outer = level.knownState(of: key)
      if outer == nil { missing.append(level) }
      next = level.parent
    }
    for level in missing.reversed() { outer = try level.addState(of: key, outer: outer) }
    return try addState(of: key, outer: outer)
  }

  private func knownState<Key: Property>(of key: Key.Type) -> PropertyState<Key.Value>? {
    registrations.isClosed ? nil : registrations.entry(PropertyKey<Key>.self)
  }

  private func addState<Key: Property>(
    of key: Key.Type, outer: PropertyState<Key.Value>?
  ) throws(InjectorError) -> PropertyState<Key.Value> {
    let declaration = Declaration(PropertyKey<Key>.self, tag: nil, location: CodeLocation(fileID: #fileID, line: #line))
    let original = registrations.originals.compactMap { $0.entry(PropertyKey<Key>.self) }.first
    let fresh = PropertyState(declaration: declaration, outer: outer, copying: original) { Key.defaultValue }
    guard let state = registrations.ensure(PropertyKey<Key>.self, fresh) else {
      throw closed(PropertyKey<Key>.self, nil)
    }
    if state === fresh && !keep(state) {
      state.end()
      throw closed(PropertyKey<Key>.self, nil)
    }
    return state
  }

  /// The injector that this is a scope of, and that is none itself.
  var root: Injector {
    var injector = self
    while let parent = injector.parent { injector = parent }
    return injector
  }
}
