import Synchronization

/// Counts instances that are alive.
final class LivingCount: Sendable {
  private let begun = Atomic(0)
  private let ended = Atomic(0)

  /// - Returns: How many there have been by now.
  @discardableResult
  func begin() -> Int { begun.add(1, ordering: .sequentiallyConsistent).newValue }

  func end() { ended.add(1, ordering: .sequentiallyConsistent) }

  /// How many there have been.
  var total: Int { begun.load(ordering: .sequentiallyConsistent) }

  /// How many there are.
  var current: Int { total - ended.load(ordering: .sequentiallyConsistent) }
}

/// Counts itself while it lives.
final class Tracked: Networking {
  let name = "tracked"
  /// Which one it is: 1 is the first.
  let number: Int
  private let living: LivingCount

  init(_ living: LivingCount) {
    self.living = living
    number = living.begin()
  }

  deinit { living.end() }
}
