public import Synchronization

/// Whether anyone wants to know what is asked for, in whatever injector: a factory whose dependencies are being
/// recorded, or an isolated test. A tracer marks the injector that it traces.
///
/// While nobody does, and that is nearly always, a request for an instance that exists reads this one number and goes
/// on.
@usableFromInline
final class Instrumentation: Sendable {
  /// How many there are. A thread sees at least its own.
  @usableFromInline let demands = Atomic<Int>(0)

  /// How many follow the choices.
  @usableFromInline let followers = Atomic<Int>(0)

  /// How many switch candidates.
  @usableFromInline let switches = Atomic<Int>(0)

  @usableFromInline static let shared = Instrumentation()

  @inlinable var isActive: Bool { demands.load(ordering: .relaxed) != 0 }

  /// Whether anyone wants to know what is asked for, or what is chosen.
  @inlinable var isFollowed: Bool { demands.load(ordering: .relaxed) | followers.load(ordering: .relaxed) != 0 }

  @inlinable var hasSwitches: Bool { switches.load(ordering: .relaxed) != 0 }

  /// Whether more than rules decides what is chosen, or someone wants to know it.
  @inlinable var isOverseeing: Bool {
    demands.load(ordering: .relaxed) | followers.load(ordering: .relaxed) | switches.load(ordering: .relaxed) != 0
  }

  func begin() { demands.add(1, ordering: .relaxed) }
  func end() { demands.subtract(1, ordering: .relaxed) }

  func beginFollowing() { followers.add(1, ordering: .relaxed) }
  func endFollowing() { followers.subtract(1, ordering: .relaxed) }

  func beginSwitching() { switches.add(1, ordering: .relaxed) }
  func endSwitching() { switches.subtract(1, ordering: .relaxed) }
}
