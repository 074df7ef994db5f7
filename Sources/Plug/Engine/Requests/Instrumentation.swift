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

  /// How many of these there are, and of those who follow the choices.
  @usableFromInline let watchers = Atomic<Int>(0)

  /// How many there are who switch candidates.
  @usableFromInline let switches = Atomic<Int>(0)

  /// How many of all these there are. A choice, too, reads one number.
  @usableFromInline let choices = Atomic<Int>(0)

  @usableFromInline static let shared = Instrumentation()

  @inlinable var isActive: Bool { demands.load(ordering: .relaxed) != 0 }

  /// Whether anyone wants to know what is asked for, or what is chosen.
  @inlinable var isFollowed: Bool { watchers.load(ordering: .relaxed) != 0 }

  /// Whether more than rules decides what is chosen, or someone wants to know it.
  @inlinable var isOverseeing: Bool { choices.load(ordering: .relaxed) != 0 }

  func begin() {
    demands.add(1, ordering: .relaxed)
    beginFollowing()
  }

  func end() {
    demands.subtract(1, ordering: .relaxed)
    endFollowing()
  }

  @inlinable var hasSwitches: Bool { switches.load(ordering: .relaxed) != 0 }

  func beginSwitching() {
    switches.add(1, ordering: .relaxed)
    choices.add(1, ordering: .relaxed)
  }

  func endSwitching() {
    switches.subtract(1, ordering: .relaxed)
    choices.subtract(1, ordering: .relaxed)
  }

  func beginFollowing() {
    watchers.add(1, ordering: .relaxed)
    choices.add(1, ordering: .relaxed)
  }

  func endFollowing() {
    watchers.subtract(1, ordering: .relaxed)
    choices.subtract(1, ordering: .relaxed)
  }
}
