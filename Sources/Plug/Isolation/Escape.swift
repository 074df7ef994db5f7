import Synchronization

/// A use of an injector itself, from outside of every isolation, while a test runs that forbids it.
///
/// It does not keep the injector, which may be one of a test that is not isolated.
package struct Escape: Sendable, Hashable {
  /// The injector: `Injector("services")`.
  package let injector: String

  /// Where it was used.
  package let location: CodeLocation?

  /// The number of the injector, and of the task or thread that has made it.
  let number: UInt
  let creator: UInt

  private static let watches = Guarded<[(id: UInt, watch: @Sendable (() -> Escape) -> Void)]>([])
  private static let areWatched = Atomic<Int>(0)

  /// - Parameter watch: Is called on the thread that escapes, without a lock.
  static func beginWatching(_ id: UInt, _ watch: @escaping @Sendable (() -> Escape) -> Void) {
    areWatched.add(1, ordering: .relaxed)
    watches.withLock { $0.append((id, watch)) }
  }

  static func endWatching(_ id: UInt) {
    let removed = watches.withLock { watches in
      watches.firstIndex { $0.id == id }.map { watches.remove(at: $0) }
    }
    if removed != nil { areWatched.subtract(1, ordering: .relaxed) }
  }

  /// An injector is asked from outside of every isolation. What a factory then asks for is a part of that.
  static func note(_ injector: Injector, at location: @autoclosure () -> CodeLocation) {
    guard areWatched.load(ordering: .relaxed) > 0, injector.sandbox == 0,
      Level.current.with({ $0.own.frames.isEmpty })
    else { return }
    for (_, watch) in watches.withLock({ $0.map(\.self) }) {
      watch {
        Escape(
          injector: injector.description, location: location(), number: injector.number,
          creator: injector.level(at: 0).birth.work)
      }
    }
  }
}

extension Injector.Birth {
  /// The birth of an injector that is no scope: by the task that runs, or the thread.
  ///
  /// The number of a task is not its own for ever. No more than an issue of a strict test depends on it.
  static var outside: Self {
    let task = unsafe withUnsafeCurrentTask { task in unsafe task.map { unsafe UInt(bitPattern: $0.hashValue) } }
    return Self(work: task ?? Level.current.with { $0.work }, moment: 0, loads: [])
  }
}
