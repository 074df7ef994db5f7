public import Synchronization

extension Registrations {
  /// The instance of a feature that has been loaded; else, or if the way may not be cut short, what the injector gives.
  @inlinable
  func instance<Key: Feature>(
    _ key: Key.Type, for injector: Injector, _ fileID: StaticString, _ line: UInt
  ) -> Key.Instance {
    if instrumentation.isActive { return injector.loadOrTrap(key, fileID, line) }
    let state = state.load(ordering: .acquiring)
    if state == State.sealed, let loaded = unsafe loaded(key) { return unsafe loaded.pointee }
    if state == State.open {
      let reader = unsafe ReadCopyUpdate.begin()
      defer { unsafe ReadCopyUpdate.end(reader) }
      if let loaded = unsafe loaded(key) { return unsafe loaded.pointee }
    }
    return injector.loadOrTrap(key, fileID, line)
  }

  /// Where the instance of a feature is that has been loaded here; for one who protects what is looked at.
  @inlinable
  @inline(__always)
  func loaded<Key: Feature>(_ key: Key.Type) -> UnsafeMutablePointer<Key.Instance>? {
    unsafe find(FeatureKey<Key>.self)?._withUnsafeGuaranteedRef { unsafe $0.instance.pointer(to: Key.Instance.self) }
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
    ReadCopyUpdate.read {
      guard isPlain else { return nil }
      let found = unsafe table.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef { table in
        unsafe table.find(ObjectIdentifier(key), name)
      }
      return unsafe found.map { unsafe Unmanaged<Key.Stored>.fromOpaque($0.toOpaque()).takeUnretainedValue() }
    }
  }

}

extension Injector {
  /// The injector that this is a scope of, and that is none itself.
  var root: Injector {
    var injector = self
    while let parent = injector.parent { injector = parent }
    return injector
  }
}
