import Synchronization

/// Counts instances that are alive.
package final class LivingCount: Sendable {
  private let begun = Atomic(0)
  private let ended = Atomic(0)

  package init() {}

  /// - Returns: How many there have been by now.
  @discardableResult
  package func begin() -> Int { begun.add(1, ordering: .sequentiallyConsistent).newValue }

  package func end() { ended.add(1, ordering: .sequentiallyConsistent) }

  /// How many there have been.
  package var total: Int { begun.load(ordering: .sequentiallyConsistent) }

  /// How many there are.
  package var current: Int { total - ended.load(ordering: .sequentiallyConsistent) }
}

/// Counts itself while it lives.
package final class Tracked: Networking {
  package let name = "tracked"
  /// Which one it is: 1 is the first.
  package let number: Int
  private let living: LivingCount

  package init(_ living: LivingCount) {
    self.living = living
    number = living.begin()
  }

  deinit { living.end() }
}
