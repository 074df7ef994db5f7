public import Observation

/// Shows Swift's Observation when a property is read, and when it changes.
@usableFromInline
final class Tracking: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private var value: Void { () }

  /// Kept, because taking it from the code each time counts references.
  private let path: any KeyPath<Tracking, Void> & Sendable = \.value

  @usableFromInline
  func access() {
    registrar.access(self, keyPath: path)
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
