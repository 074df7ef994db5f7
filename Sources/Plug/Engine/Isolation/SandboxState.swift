/// What a sandbox has.
struct SandboxState: Sendable {
  /// A copy, and what it was made for: that stays, so that no other object can have its identity.
  private struct Copy: Sendable {
    let original: Injector
    let injector: Injector
  }

  /// Something that a copy will have.
  private struct Override: Sendable {
    let original: Injector
    let entry: AnyEntry
  }

  /// In the order in which they were made. They are few, so that searching them is faster than hashing.
  private var copies: [Copy] = []
  /// What is put aside for copies that have not been made.
  private var overrides: [Override] = []

  var environments: [ObjectIdentifier: LocalEnvironment] = [:]
  var isolatedObjects: IsolatedObjects?
  var registries: RegistryState?

  init(isolatedObjects: IsolatedObjects? = nil) {
    self.isolatedObjects = isolatedObjects
  }

  var hasCopies: Bool { !copies.isEmpty }

  var isEmpty: Bool {
    copies.isEmpty && overrides.isEmpty && environments.isEmpty && isolatedObjects == nil && registries == nil
  }

  /// Empties it.
  ///
  /// - Returns: What was there.
  mutating func take() -> SandboxState {
    var rest = SandboxState()
    swap(&self, &rest)
    return rest
  }

  /// The copies, in the order in which they were made.
  var injectors: [Injector] { copies.map(\.injector) }

  /// The injectors for which something is put aside.
  var overridden: [Injector] { overrides.map(\.original) }

  func copy(of original: Injector) -> Injector? {
    for copy in copies where copy.original === original { return copy.injector }
    return nil
  }

  /// Adds a copy.
  mutating func add(_ injector: Injector, for original: Injector) {
    copies.append(Copy(original: original, injector: injector))
    moveOverrides(of: original, to: injector)
  }

  /// Gives a copy what has been put aside for it.
  mutating func moveOverrides(of original: Injector, to injector: Injector) {
    if overrides.isEmpty { return }
    for override in overrides where override.original === original {
      // Released with the copy, and not under the lock that is held here.
      if injector.registrations.ensure(override.entry) !== override.entry {
        injector.registrations.registrationState.withLock { $0.content.retired.append(override.entry) }
      }
    }
    overrides.removeAll { $0.original === original }
  }

  /// Puts something aside for a copy.
  ///
  /// - Returns: What had been put aside under the same key, to be released outside of the lock.
  mutating func putAside(_ entry: AnyEntry, for original: Injector) -> AnyEntry? {
    let override = Override(original: original, entry: entry)
    if overrides.isEmpty {
      // Most tests have one; appending it would make room for more.
      overrides = [override]
      return nil
    }
    let earlier = overrides.firstIndex { $0.original === original && $0.entry.isFor(entry.type, entry.tag) }
    defer { overrides.append(override) }
    return earlier.map { overrides.remove(at: $0).entry }
  }

  func override(_ type: ObjectIdentifier, _ tag: Injector.Tag?, of original: Injector) -> AnyEntry? {
    for override in overrides where override.original === original && override.entry.isFor(type, tag) {
      return override.entry
    }
    return nil
  }

  /// Whether the test has used an injector.
  func hasReached(_ original: Injector.Identity) -> Bool {
    (copies.map(\.original) + overridden).contains { $0.identity == original }
  }
}
