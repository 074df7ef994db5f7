public import Synchronization

extension Registrations {
  /// Looks at the state of a property, if it is here, or else at that further out; nothing if the way may not be cut
  /// short. For use while the caller holds the injector, which keeps every state until it ends.
  @inlinable
  @inline(__always)
  func withState<Key: Property, Result>(
    _ key: Key.Type, _ body: (Unmanaged<PropertyState<Key.Value>>) -> Result?
  ) -> Result? {
    if instrumentation.isActive { return nil }
    let state = state.load(ordering: .acquiring)
    if state == State.sealed { return unsafe find(PropertyKey<Key>.self).flatMap(body) }
    if state == State.open { return unsafe ReadCopyUpdate.read { unsafe find(PropertyKey<Key>.self) }.flatMap(body) }
    guard let found = unsafe findInScope(ObjectIdentifier(PropertyKey<Key>.self), nil) else { return nil }
    defer { unsafe found.end() }
    return unsafe body(Unmanaged.fromOpaque(found.entry.toOpaque()))
  }

  /// The value of a property, if it is here, or else further out; nothing if the way may not be cut short.
  @inlinable
  @inline(__always)
  func value<Key: Property>(_ key: Key.Type) -> Key.Value? {
    unsafe withState(key) { state in unsafe state._withUnsafeGuaranteedRef { $0.value() } }
  }

  /// Sets the value of a property of an injector that is no scope.
  ///
  /// - Returns: `false` if it has no state, or if the way may not be cut short.
  @inlinable
  func setValue<Key: Property>(_ value: Key.Value, of key: Key.Type) -> Bool {
    if unsafe outer != nil { return false }
    return unsafe withState(key) { state in unsafe state._withUnsafeGuaranteedRef { $0.set(value) } } != nil
  }
}

extension Injector {
  /// The state of a property in this injector; it is made if there is none.
  ///
  /// Soundness of the casts: see `TypedKey`; the states of a property in several injectors are of one type.
  @inlinable
  func state<Key: Property>(of key: Key.Type) throws(InjectorError) -> PropertyState<Key.Value> {
    if !isScope, let state = unsafe registrations.withState(key, { unsafe $0.takeUnretainedValue() }) {
      return state
    }
    let state = try makeState(of: PropertyKey<Key>.self) { outer, original in
      PropertyState<Key.Value>(
        PropertyKey<Key>.self, outer: outer,
        copying: original.map { unsafe unsafeDowncast($0, to: PropertyState<Key.Value>.self) }
      ) { Key.defaultValue }
    }
    return unsafe unsafeDowncast(state, to: PropertyState<Key.Value>.self)
  }

  /// The same, whatever the type of the property.
  ///
  /// - Parameters:
  ///   - key: The type that stands for the property in a registry.
  ///   - make: Makes a state from the one further out, and from the one that it is a private copy of.
  @usableFromInline
  func makeState(
    of key: any Any.Type, _ make: (AnyPropertyState?, AnyPropertyState?) -> AnyPropertyState
  ) throws(InjectorError) -> AnyPropertyState {
    if let state = knownState(of: key) { return state }
    return try addState(of: key, outer: registrations.enclosing?.makeState(of: key, make), make)
  }

  /// The value of a property that has a state here, or further out; nothing if a state has to be made.
  ///
  /// Soundness of the cast: as above.
  func knownValue<Key: Property>(of key: Key.Type) throws(InjectorError) -> Key.Value? {
    for level in levels {
      if let state = level.knownState(of: PropertyKey<Key>.self) {
        return try unsafe unsafeDowncast(state, to: PropertyState<Key.Value>.self).value(for: level)
      }
      if level.registrations.original != nil || level.registrations.isClosed { return nil }
    }
    return nil
  }

  private func knownState(of key: any Any.Type) -> AnyPropertyState? {
    registrations.isClosed ? nil : registrations.propertyState(of: key)
  }

  private func addState(
    of key: any Any.Type, outer: AnyPropertyState?,
    _ make: (AnyPropertyState?, AnyPropertyState?) -> AnyPropertyState
  ) throws(InjectorError) -> AnyPropertyState {
    var original: AnyPropertyState?
    if registrations.original != nil {
      original = registrations.originals.compactMap { $0.propertyState(of: key) }.first
    }
    let fresh = make(outer, original)
    guard let state = registrations.ensureState(fresh, of: key) else { throw closed(ServiceKey(key, nil)) }
    if state === fresh && !keep(state) {
      fresh.end()
      throw closed(ServiceKey(key, nil))
    }
    return unsafe unsafeDowncast(state, to: AnyPropertyState.self)
  }
}

extension Registrations {
  fileprivate func propertyState(of key: any Any.Type) -> AnyPropertyState? {
    guard let state = entry(ObjectIdentifier(key), nil) else { return nil }
    return unsafe unsafeDowncast(state, to: AnyPropertyState.self)
  }
}
