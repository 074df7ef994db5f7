public import Synchronization

extension Registrations {
  /// Looks at the state of a property, if it is here, or else at that further out; nothing if the way may not be cut
  /// short. For use while the caller holds the injector, which keeps every state until it ends.
  @inlinable
  @inline(__always)
  func withState<Key: Property, Result>(
    _ key: Key.Type, _ body: (Unmanaged<PropertyState<Key.Value>>) -> Result?
  ) -> Result? {
    unsafe withState(key, body) { unsafe withStateInScope(key, body) }
  }

  /// The same where this is no scope.
  ///
  /// - Parameter other: What is done in a scope.
  @inlinable
  @inline(__always)
  func withState<Key: Property, Result>(
    _ key: Key.Type, _ body: (Unmanaged<PropertyState<Key.Value>>) -> Result?, inScope other: () -> Result?
  ) -> Result? {
    if instrumentation.isActive { return nil }
    let state = state.load(ordering: .acquiring)
    if state == State.sealed { return unsafe find(PropertyKey<Key>.self).flatMap(body) }
    if state == State.open { return unsafe ReadCopyUpdate.read { unsafe find(PropertyKey<Key>.self) }.flatMap(body) }
    return other()
  }

  @inlinable
  @inline(__always)
  func withStateInScope<Key: Property, Result>(
    _ key: Key.Type, _ body: (Unmanaged<PropertyState<Key.Value>>) -> Result?
  ) -> Result? {
    guard let found = unsafe findInScope(ObjectIdentifier(PropertyKey<Key>.self), nil) else { return nil }
    defer { unsafe found.end() }
    return unsafe body(Unmanaged.fromOpaque(found.entry.toOpaque()))
  }

  /// The value of a property, if it is here, or else further out; nothing if the way may not be cut short.
  @inlinable
  @inline(__always)
  func value<Key: Property>(_ key: Key.Type) -> Key.Value? {
    unsafe withState(key) { state in
      unsafe state._withUnsafeGuaranteedRef { $0.value() }
    } inScope: {
      valueInScope(key)
    }
  }

  @inlinable
  @inline(never)
  func valueInScope<Key: Property>(_ key: Key.Type) -> Key.Value? {
    unsafe withStateInScope(key) { state in unsafe state._withUnsafeGuaranteedRef { $0.value(at: depth) } }
  }

  /// Sets the value of a property of an injector that is no scope.
  ///
  /// - Returns: `false` if it has no state, or if the way may not be cut short.
  @inlinable
  func setValue<Key: Property>(_ value: Key.Value, of key: Key.Type) -> Bool {
    unsafe withState(key) { state in unsafe state._withUnsafeGuaranteedRef { $0.set(value) } } != nil
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
    return try state(of: key, with: nil).state
  }

  /// The same.
  ///
  /// - Parameter value: What it has from the beginning, if it is made.
  /// - Returns: Also whether it has been made.
  @inlinable
  func state<Key: Property>(
    of key: Key.Type, with value: Key.Value?
  ) throws(InjectorError) -> (state: PropertyState<Key.Value>, isNew: Bool) {
    let (state, isNew) = try makeState(of: PropertyKey<Key>.self) { injector, outer, original in
      let original = original.map { unsafe unsafeDowncast($0, to: PropertyState<Key.Value>.self) }
      let given = (injector === self ? value : nil) ?? original?.givenValue()
      return PropertyState(PropertyKey<Key>.self, outer: outer, with: given) { Key.defaultValue }
    }
    return (unsafe unsafeDowncast(state, to: PropertyState<Key.Value>.self), isNew)
  }

  /// The same, whatever the type of the property.
  ///
  /// - Parameters:
  ///   - key: The type that stands for the property in a registry.
  ///   - make: Makes a state for an injector from the one further out, and from the one that it is a private copy of.
  @usableFromInline
  func makeState(
    of key: any Any.Type, _ make: (Injector, AnyPropertyState?, AnyPropertyState?) -> AnyPropertyState
  ) throws(InjectorError) -> (state: AnyPropertyState, isNew: Bool) {
    if let state = knownState(of: key) { return (state, false) }
    if let outer = unsafe registrations.sealedStateFurtherOut(of: key) {
      return try unsafe addState(of: key, outer: outer, make)
    }
    let outer = try registrations.enclosing?.makeState(of: key, make).state
    defer { withExtendedLifetime(outer) {} }
    return try unsafe addState(of: key, outer: outer.map { unsafe .passUnretained($0) }, make)
  }

  /// The value of a property that has a state here, or further out; nothing if a state has to be made, which is so also
  /// where Observation follows: it has to be told when the property gets a value here.
  ///
  /// Soundness of the cast: as above.
  func knownValue<Key: Property>(of key: Key.Type) throws(InjectorError) -> Key.Value? {
    for level in levels {
      if level !== self, AnyPropertyState.isFollowed { return nil }
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

  /// - Parameter outer: The state further out, which the caller keeps alive.
  private func addState(
    of key: any Any.Type, outer: Unmanaged<AnyPropertyState>?,
    _ make: (Injector, AnyPropertyState?, AnyPropertyState?) -> AnyPropertyState
  ) throws(InjectorError) -> (state: AnyPropertyState, isNew: Bool) {
    let original =
      registrations.original == nil ? nil : registrations.originals.compactMap { $0.propertyState(of: key) }.first
    let fresh =
      unsafe outer?._withUnsafeGuaranteedRef { make(self, $0, original) } ?? make(self, nil, original)
    do throws(Refusal) {
      let existing = try registrations.ensureState(fresh, of: key)
      if let existing { return (unsafe unsafeDowncast(existing, to: AnyPropertyState.self), false) }
    } catch {
      throw closed(ServiceKey(key, nil))
    }
    if keep(fresh) { return (fresh, true) }
    fresh.end()
    throw closed(ServiceKey(key, nil))
  }
}

extension Registrations {
  fileprivate func propertyState(of key: any Any.Type) -> AnyPropertyState? {
    guard let state = entry(ObjectIdentifier(key), nil) else { return nil }
    return unsafe unsafeDowncast(state, to: AnyPropertyState.self)
  }

  /// The state in the injector around a scope, if that is sealed: it keeps the state until it ends.
  fileprivate func sealedStateFurtherOut(of key: any Any.Type) -> Unmanaged<AnyPropertyState>? {
    unsafe outer?._withUnsafeGuaranteedRef { parent in
      guard parent.state.load(ordering: .acquiring) == State.sealed else { return nil }
      return unsafe parent.find(ObjectIdentifier(key), nil).map { unsafe .fromOpaque($0.toOpaque()) }
    }
  }
}
