import Synchronization

/// Counts instances that are alive.
package final class LivingCount: Sendable {
  private let begun = Atomic(0)
  private let ended = Atomic(0)

  package init() {}

  /// - Returns: The number of instances so far, with this one.
  @discardableResult
  package func begin() -> Int { begun.add(1, ordering: .sequentiallyConsistent).newValue }

  package func end() { ended.add(1, ordering: .sequentiallyConsistent) }

  /// The number of instances so far.
  package var total: Int { begun.load(ordering: .sequentiallyConsistent) }

  /// The number of living instances.
  package var current: Int { total - ended.load(ordering: .sequentiallyConsistent) }
}

/// Counts itself while it lives.
package final class Tracked: Networking {
  package let name = "tracked"
  /// The position among all instances of the count: 1 is the first.
  package let number: Int
  private let living: LivingCount

  package init(_ living: LivingCount) {
    self.living = living
    number = living.begin()
  }

  deinit { living.end() }
}
