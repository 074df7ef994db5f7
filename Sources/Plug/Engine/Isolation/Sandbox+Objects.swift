import Synchronization

extension Sandbox {
  /// The isolated object of one that keeps instances outside of an injector.
  func isolatedObject<Original: AnyObject & Sendable>(for original: Original, _ make: () -> Original) -> Original {
    isolatedObjects.isolatedObject(for: original, make)
  }

  private var isolatedObjects: IsolatedObjects {
    if let present = state.withLock({ $0.isolatedObjects }) { return present }
    let fresh = IsolatedObjects()
    let present = state.withLock { state in
      let present = state.isolatedObjects ?? fresh
      state.isolatedObjects = present
      return present
    }
    if present !== fresh { fresh.end() }
    return present
  }
}

/// What the calling task's sandbox has in place of an entry that is not registered.
func isolatedObject<Original: AnyEntry>(for entry: Original, _ make: () -> Original) -> Original {
  guard let sandbox = Sandbox.current else { return entry }
  entry.hasIsolatedObjects.store(true, ordering: .relaxed)
  return sandbox.isolatedObject(for: entry, make)
}

extension ThreadContext {
  /// The sandbox whose rest is being released.
  ///
  /// Soundness of the cast: nothing else sets it.
  var endingSandbox: Sandbox? {
    get { endingSandboxObject.map { unsafe unsafeDowncast($0, to: Sandbox.self) } }
    set { endingSandboxObject = newValue }
  }
}
