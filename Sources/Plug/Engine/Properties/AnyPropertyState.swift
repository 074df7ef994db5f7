public import Synchronization

/// The state of a property in one injector, whatever its type.
///
/// Soundness of the unchecked conformance: immutable, or guarded; subclasses state their own.
@safe
@usableFromInline
class AnyPropertyState: AnyEntry, @unchecked Sendable {
  /// The state of the same property in the injector that this one's is a scope of.
  private var outer: AnyPropertyState? { registered.map { unsafe unsafeDowncast($0, to: AnyPropertyState.self) } }

  /// What shows Swift's Observation who reads and what changes: a `Tracking`, made at the first reading. Set once, to
  /// an object that this state retains until it is released.
  @usableFromInline final let tracking = unsafe Atomic<UnsafeMutableRawPointer?>(nil)

  /// Those who observe this state, and those who observe it as the outer one of another. Replaced whole, see `Guarded`.
  private let observers = Guarded<[Link]>([])

  /// Whether anyone has ever observed it. Set before the first look, which takes the lock of the value: so whoever
  /// changes the value before that look is seen by it, and whoever does so later sees this.
  @usableFromInline final let isObserved = Atomic(false)

  /// Whether the injector has been closed. Set before one looks who observes it; and whoever begins to observe it says
  /// so before looking here.
  private let hasEnded = Atomic(false)

  private struct Link: Sendable {
    let observer: Observer
    let isOwn: Bool
  }

  /// - Parameter key: The type that stands for the property in a registry.
  @usableFromInline
  init(_ key: any Any.Type, outer: AnyPropertyState?) {
    if let outer {
      super.init(like: outer, isClosable: true)
    } else {
      let location = CodeLocation(fileID: #fileID, line: #line)
      super.init(declaration: Declaration(key, tag: nil, location: location), isClosable: true)
    }
  }

  deinit { endTracking() }

  override var isState: Bool { true }

  /// - Returns: `false` if the injector has been closed; then nothing will change any more.
  @discardableResult
  func attach(_ observer: Observer) -> Bool {
    for (level, state) in levels.enumerated() {
      state.isObserved.store(true, ordering: .sequentiallyConsistent)
      state.observers.withLock { $0 = $0.adding([Link(observer: observer, isOwn: level == 0)]) }
    }
    // Whoever ends it meanwhile has not found what came later.
    guard hasEnded.load(ordering: .sequentiallyConsistent) else { return true }
    detach(observer)
    return false
  }

  func detach(_ observer: Observer) {
    for state in levels {
      // Released outside of the lock: the last reference to the closure may go with it.
      let removed = state.observers.withLock { links in
        let earlier = links
        if let index = earlier.firstIndex(where: { $0.observer === observer }) {
          links = Array(earlier[..<index] + earlier[(index + 1)...])
        }
        return earlier
      }
      withExtendedLifetime(removed) {}
    }
  }

  /// Tells everyone that there may be a new value.
  @inlinable
  final func notify() {
    if isObserved.load(ordering: .acquiring) { notifyObservers() }
  }

  @usableFromInline
  final func notifyObservers() {
    for link in observers.withLock({ $0 }) { link.observer.look() }
  }

  override func end() {
    hasEnded.store(true, ordering: .sequentiallyConsistent)
    if isObserved.load(ordering: .sequentiallyConsistent) { endObservations() }
  }

  override func endObservations() {
    for link in observers.withLock({ $0 }) where link.isOwn {
      detach(link.observer)
      link.observer.end(of: self)
    }
  }

  private var levels: UnfoldFirstSequence<AnyPropertyState> { sequence(first: self, next: \.outer) }
}
