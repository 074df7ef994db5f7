public import Observation
public import Synchronization

/// Shows Swift's Observation when a property is read, and when it changes: only if it has ever been read, because the
/// registrar takes longer than the change.
///
/// Whoever reads sets `isRead` before taking the lock of the value, so that one who gets the old value is seen after
/// the change. It stays set: the registrar learns of a reader only when the closure that reads has ended.
@usableFromInline
final class Tracking: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private var value: Void { () }

  /// Kept, because taking it from the code each time counts references.
  private let path: any KeyPath<Tracking, Void> & Sendable = \.value

  @usableFromInline let isRead = Atomic(false)

  @usableFromInline
  func access() {
    if !isRead.load(ordering: .relaxed) { isRead.store(true, ordering: .releasing) }
    registrar.access(self, keyPath: path)
  }

  /// Announces a change to those who have read, and makes it. Whoever has looked between the announcement and the
  /// change has seen the old value, and is told afterwards.
  @inlinable
  func changing(_ change: () -> Bool) -> Bool {
    let isAnnounced = isRead.load(ordering: .relaxed)
    if isAnnounced { willChange() }
    let isChanged = change()
    if isAnnounced { didChange() }
    if isChanged, isRead.load(ordering: .acquiring) {
      willChange()
      didChange()
    }
    return isChanged
  }

  @usableFromInline
  func willChange() {
    registrar.willSet(self, keyPath: path)
  }

  @usableFromInline
  func didChange() {
    registrar.didSet(self, keyPath: path)
  }
}
