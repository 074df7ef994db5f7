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

  /// Those who observe this state, and those who observe it as the outer one of another.
  private let observers = Guarded(Observers())

  /// Whether anyone has ever observed it. Set before the first look, which takes the lock of the value: so whoever
  /// changes the value before that look is seen by it, and whoever does so later sees this.
  @usableFromInline final let isObserved = Atomic(false)

  private struct Observers: Sendable {
    /// Replaced whole, see `Guarded`.
    var links: [Link] = []
    /// Whether the injector has been closed.
    var hasEnded = false
  }

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
      let hasEnded = state.observers.withLock { observers in
        if level > 0 || !observers.hasEnded {
          observers.links = observers.links.adding([Link(observer: observer, isOwn: level == 0)])
        }
        return observers.hasEnded
      }
      if level == 0 && hasEnded { return false }
    }
    return true
  }

  func detach(_ observer: Observer) {
    for state in levels {
      // Released outside of the lock: the last reference to the closure may go with it.
      let removed = state.observers.withLock { observers in
        let links = observers.links
        if let index = links.firstIndex(where: { $0.observer === observer }) {
          observers.links = Array(links[..<index] + links[(index + 1)...])
        }
        return links
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
    for link in observers.withLock({ $0.links }) { link.observer.look() }
  }

  override func end() {
    endObservations(forGood: true)
  }

  override func endObservations() { endObservations(forGood: false) }

  private func endObservations(forGood: Bool) {
    let links = observers.withLock { observers in
      if forGood { observers.hasEnded = true }
      return observers.links
    }
    for link in links where link.isOwn {
      detach(link.observer)
      link.observer.end(of: self)
    }
  }

  private var levels: UnfoldFirstSequence<AnyPropertyState> { sequence(first: self, next: \.outer) }
}
