public import Synchronization

extension Registrations {
  /// The state of a property, if it is here; nothing if the way may not be cut short. For use while the caller holds
  /// the injector, which keeps every state until it ends.
  @inlinable
  func state<Key: Property>(_ key: Key.Type) -> Unmanaged<PropertyState<Key.Value>>? {
    if instrumentation.isActive { return nil }
    let state = state.load(ordering: .acquiring)
    if state == State.sealed { return unsafe find(PropertyKey<Key>.self) }
    guard state == State.open else { return nil }
    return unsafe ReadCopyUpdate.read { unsafe find(PropertyKey<Key>.self) }
  }

  /// The value of a property, if it is here; nothing if the way may not be cut short.
  @inlinable
  func value<Key: Property>(_ key: Key.Type) -> Key.Value? {
    guard let state = unsafe state(key) else { return nil }
    return unsafe state._withUnsafeGuaranteedRef { $0.value() }
  }
}

extension Injector {
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
      throw closed(ServiceKey(PropertyKey<Key>.self, nil))
    }
    if state === fresh && !keep(state) {
      state.end()
      throw closed(ServiceKey(PropertyKey<Key>.self, nil))
    }
    return state
  }
}
