public import Synchronization

extension Registrations {
  /// What has been found from a scope.
  ///
  /// Soundness of the unmanaged reference: what is not retained is registered in an injector that is sealed and no
  /// scope, which keeps it until it ends; whoever asks holds the scope, and so that injector.
  @unsafe
  @usableFromInline
  struct Found {
    @usableFromInline let entry: Unmanaged<AnyEntry>
    @usableFromInline let isRetained: Bool

    @inlinable
    init(_ entry: Unmanaged<AnyEntry>, isRetained: Bool) {
      unsafe self.entry = unsafe entry
      unsafe self.isRetained = isRetained
    }

    /// The same, if it is not needed here any more.
    @inlinable var taken: AnyEntry {
      unsafe isRetained ? entry.takeRetainedValue() : entry.takeUnretainedValue()
    }

    @inlinable
    func end() {
      if unsafe isRetained { unsafe entry.release() }
    }
  }

  /// Finds what is registered for a service in a scope, or in what that lies in. Instrumentation must be inactive.
  ///
  /// - Returns: `nil` if nothing is, or if it has to be looked for step by step: where something is closed, decorated,
  ///   traced or isolated, or where a scope further out has registrations of its own.
  @inlinable
  @inline(__always)
  func findInScope(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> Found? {
    let known = knownKeys.load(ordering: .acquiring)
    let isElsewhere = known == 0 || tag == nil && known & ServiceTable.mark(of: UInt(bitPattern: type)) == 0
    guard isElsewhere, !hasDecorations, !isClosed, let parent = unsafe outer,
      unsafe parent._withUnsafeGuaranteedRef({ $0.state.load(ordering: .acquiring) == State.sealed })
    else { return unsafe findInLevels(type, tag) }
    return unsafe parent._withUnsafeGuaranteedRef { unsafe $0.find(type, tag) }.map {
      unsafe Found($0, isRetained: false)
    }
  }

  /// The same, where it may be in the scope itself, or in one further out.
  @usableFromInline
  func findInLevels(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> Found? {
    guard isPlainScope, !isTraced else { return nil }
    if mayHave(type, tag) {
      let own = unsafe registrationState.withLock { state in
        unsafe ownEntry(type, tag, state).map { unsafe Unmanaged.passRetained($0) }
      }
      if let own = unsafe own {
        let isWithin = unsafe ThreadLocalContext.context._withUnsafeGuaranteedRef { $0.isWithin(depth) }
        if isWithin, !isClosed { return unsafe Found(own, isRetained: true) }
        unsafe own.release()
        return nil
      }
      if isClosed { return nil }
    }
    return unsafe findFurtherOut(type, tag)
  }

  private func findFurtherOut(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> Found? {
    guard !hasDecorations, let outer = unsafe outer else { return nil }
    return unsafe outer._withUnsafeGuaranteedRef { parent in
      let state = parent.state.load(ordering: .acquiring)
      if state == State.sealed { return unsafe parent.find(type, tag).map { unsafe Found($0, isRetained: false) } }
      if state == State.open {
        let entry = unsafe ReadCopyUpdate.read { unsafe parent.find(type, tag)?.retain() }
        return unsafe entry.map { unsafe Found($0, isRetained: true) }
      }
      guard parent.isPlainScope, !parent.mayHave(type, tag) else { return nil }
      return unsafe parent.findFurtherOut(type, tag)
    }
  }

  /// Whether this is a scope that has not been closed, and no private copy.
  private var isPlainScope: Bool {
    original == nil && state.load(ordering: .acquiring) & ~State.sealed == State.layered
  }

  /// Whether a scope may have a registration for a service: if not, nobody has to look.
  @inline(__always)
  func mayHave(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> Bool {
    let known = knownKeys.load(ordering: .acquiring)
    return known != 0 && known & ServiceTable.mark(of: type, tag) != 0
  }
}
