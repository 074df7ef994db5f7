import Observation
public import Synchronization

/// Shows Swift's Observation when a property is read, and when it changes.
final class Tracking: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private var value: Void { () }

  /// Kept, because taking it from the code each time counts references.
  private let path: any KeyPath<Tracking, Void> & Sendable = \.value

  func access() { registrar.access(self, keyPath: path) }
  func willChange() { registrar.willSet(self, keyPath: path) }
  func didChange() { registrar.didSet(self, keyPath: path) }
}

/// A property is tracked only if it has ever been read, because the registrar takes longer than a change, and longer to
/// be made than a scope.
///
/// Whoever reads makes the tracking before taking the lock of the value, so that one who gets the old value is seen
/// after the change. It stays: the registrar learns of a reader only when the closure that reads has ended.
extension AnyPropertyState {
  /// Soundness of the cast: what is published is a reference, which stays until the state ends; an `Unmanaged` has the
  /// same bits, and is read so that nothing is counted.
  private func withTracking(_ body: (Tracking) -> Void) {
    unsafe tracking.pointer(to: Tracking.self).map { pointer in
      unsafe UnsafeRawPointer(pointer).load(as: Unmanaged<Tracking>.self)._withUnsafeGuaranteedRef(body)
    }
  }

  @usableFromInline
  final func access() {
    if !isRead { tracking.publish(Tracking()) }
    withTracking { $0.access() }
  }

  /// Announces a change to those who have read, and makes it. Whoever has looked between the announcement and the
  /// change has seen the old value, and is told afterwards.
  @inlinable
  final func changing(_ change: () -> Bool) -> Bool {
    let isAnnounced = isRead
    if isAnnounced { willChange() }
    let isChanged = change()
    if isAnnounced { didChange() }
    if isChanged, isRead {
      willChange()
      didChange()
    }
    return isChanged
  }

  @inlinable final var isRead: Bool { unsafe tracking.address.load(ordering: .acquiring) != nil }

  @usableFromInline
  final func willChange() {
    withTracking { $0.willChange() }
  }

  @usableFromInline
  final func didChange() {
    withTracking { $0.didChange() }
  }
}
