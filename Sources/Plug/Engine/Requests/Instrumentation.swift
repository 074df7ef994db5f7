public import Synchronization

/// Whether anyone wants to know what is asked for: a factory whose dependencies are being recorded, a tracer, or an
/// isolated test.
///
/// While nobody does, and that is nearly always, a request for an instance that exists reads this one number and goes
/// on.
@usableFromInline
final class Instrumentation: Sendable {
  /// How many there are. A thread sees at least its own.
  @usableFromInline let demands = Atomic<Int>(0)

  @usableFromInline static let shared = Instrumentation()

  @inlinable var isActive: Bool { demands.load(ordering: .relaxed) != 0 }

  func begin() {
    demands.add(1, ordering: .relaxed)
  }

  func end() {
    demands.subtract(1, ordering: .relaxed)
  }
}
