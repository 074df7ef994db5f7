import Observation
public import Synchronization

/// Shows Swift's Observation when a property is read, and when it changes.
final class Tracking: Observable, Sendable {
  /// Kept, because taking it from the code each time counts references; and kept first, because nobody but the system
  /// knows how long a registrar is.
  private let path: any KeyPath<Tracking, Void> & Sendable = \.value

  /// What has to stay for as long as the observations that have been told of this.
  private let kept = Guarded<[any AnyObject & Sendable]>([])

  private let registrar = ObservationRegistrar()
  private var value: Void { () }

  func keep(_ object: any AnyObject & Sendable) {
    kept.withLock { $0 = $0.adding([object]) }
  }

  func access() { registrar.access(self, keyPath: path) }
  func willChange() { registrar.willSet(self, keyPath: path) }
  func didChange() { registrar.didSet(self, keyPath: path) }
}

/// A property is tracked only if it has ever been read, because the registrar takes longer than a change, and longer to
/// be made than a scope; that of a scope, only if it has been read where Observation follows.
///
/// Whoever reads makes the tracking before taking the lock of the value, so that one who gets the old value is seen
/// after the change. It stays: the registrar learns of a reader only when the closure that reads has ended.
extension AnyPropertyState {
  @usableFromInline
  final func access() {
    #if !canImport(Darwin)
      let isInScope = level.load(ordering: .relaxed) != 0
      if isInScope, !isRead {
        guard let probe = TrackingProbe.take() else { return }
        unsafe withTracking(madeTracking) { $0.keep(probe) }
      }
    #endif
    unsafe withTracking(madeTracking) { $0.access() }
  }

  /// Whether Observation follows what the calling thread reads; it may where that cannot be told.
  @usableFromInline
  static var isFollowed: Bool {
    #if canImport(Darwin)
      true
    #else
      TrackingProbe.isFollowed
    #endif
  }

  private var madeTracking: UnsafeMutableRawPointer {
    unsafe tracking.load(ordering: .acquiring) ?? makeTracking()
  }

  private func makeTracking() -> UnsafeMutableRawPointer {
    let made = unsafe Unmanaged.passRetained(Tracking())
    let (isFirst, first) = unsafe tracking.compareExchange(
      expected: nil, desired: made.toOpaque(), ordering: .acquiringAndReleasing)
    guard !isFirst, let first = unsafe first else { return unsafe made.toOpaque() }
    unsafe made.release()
    return unsafe first
  }

  /// Releases what has been made, when nobody has this state any more.
  final func endTracking() {
    guard let tracking = unsafe tracking.load(ordering: .acquiring) else { return }
    unsafe Unmanaged<Tracking>.fromOpaque(tracking).release()
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

  @inlinable final var isRead: Bool { unsafe tracking.load(ordering: .acquiring) != nil }

  @usableFromInline
  final func willChange() {
    unsafe withTracking(tracking.load(ordering: .acquiring)) { $0.willChange() }
  }

  @usableFromInline
  final func didChange() {
    unsafe withTracking(tracking.load(ordering: .acquiring)) { $0.didChange() }
  }

  /// Soundness of the cast: see `tracking`, which nothing else is stored in. Nothing is counted.
  @inline(__always)
  private func withTracking(_ tracking: UnsafeMutableRawPointer?, _ body: (Tracking) -> Void) {
    guard let tracking = unsafe tracking else { return }
    unsafe Unmanaged<Tracking>.fromOpaque(tracking)._withUnsafeGuaranteedRef(body)
  }
}
