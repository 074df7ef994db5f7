public import Observation

/// Shows Swift's Observation when a property is read, and when it changes: only if it has ever been read, because the
/// registrar takes longer than the change, and longer to be made than a scope.
///
/// Whoever reads makes the registrar before taking the lock of the value, so that one who gets the old value is seen
/// after the change. It stays: the registrar learns of a reader only when the closure that reads has ended.
extension AnyPropertyState {
  private var observed: Void { () }

  /// Kept, because taking it from the code each time counts references.
  private static let path: any KeyPath<AnyPropertyState, Void> & Sendable = \.observed

  private var knownRegistrar: ObservationRegistrar? {
    unsafe registrar.pointer(to: ObservationRegistrar.self)?.pointee
  }

  @usableFromInline
  final func access() {
    (knownRegistrar ?? registrar.publish(ObservationRegistrar())).access(self, keyPath: Self.path)
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

  @inlinable final var isRead: Bool { unsafe registrar.pointer(to: ObservationRegistrar.self) != nil }

  @usableFromInline
  final func willChange() {
    knownRegistrar?.willSet(self, keyPath: Self.path)
  }

  @usableFromInline
  final func didChange() {
    knownRegistrar?.didSet(self, keyPath: Self.path)
  }
}
