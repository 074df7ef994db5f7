public import Synchronization

extension Registrations {
  /// Whether anyone wants to know what is asked for here.
  @inlinable var isWatched: Bool { instrumentation.isActive || isTraced }

  /// Whether someone traces the outermost injector around this, or one of its scopes.
  @inlinable var isTraced: Bool {
    let word = unsafe root?._withUnsafeGuaranteedRef { $0.state.load(ordering: .relaxed) }
    return (word ?? state.load(ordering: .relaxed)) & State.traced != 0
  }

  /// Whether anyone wants to know what is chosen here.
  @inlinable var isFollowed: Bool { instrumentation.isFollowed || isTraced }

  /// Whether more than rules decides what is chosen here, or someone wants to know it.
  @inlinable var isOverseen: Bool { instrumentation.isOverseeing || isTraced }

  /// Lets all requests in the outermost injector and its scopes go step by step, because one more traces some of them.
  func beginTracing() { unsafe (root?.takeUnretainedValue() ?? self).countTracers(1) }

  /// Takes back what has been begun.
  func endTracing(count: Int = 1) { unsafe (root?.takeUnretainedValue() ?? self).countTracers(-count) }

  /// A mark that is there changes nothing in what a sealed injector keeps: whoever has not seen it yet reads on without
  /// protection.
  private func countTracers(_ difference: Int) {
    registrationState.withLock { registrations in
      let content = registrations.content
      content.tracers += difference
      if content.tracers > 0 {
        state.bitwiseOr(State.traced, ordering: .sequentiallyConsistent)
        return unsafe sealed.store(nil, ordering: .sequentiallyConsistent)
      }
      let rest = state.bitwiseAnd(~State.traced, ordering: .sequentiallyConsistent).newValue
      guard rest == State.sealed, let slots = content.sealed else { return }
      unsafe sealed.store(slots.base, ordering: .releasing)
    }
  }
}
