public import Observation

/// Shows Swift's Observation when a property is read, and when it changes.
@usableFromInline
final class Tracking: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private var value: Void { () }

  @usableFromInline
  func access() {
    registrar.access(self, keyPath: \.value)
  }

  func willChange() {
    registrar.willSet(self, keyPath: \.value)
  }

  func didChange() {
    registrar.didSet(self, keyPath: \.value)
  }
}
