package import Plug

/// A direct use of an injector from outside any isolation, during a test that forbids such uses.
///
/// The escape does not hold the injector, which may belong to a test that is not isolated.
package struct Escape: Sendable, Hashable {
  /// - Parameter escape: Returns the escape. It runs on the escaping thread, and no lock is held.
  package typealias Watch = @Sendable (_ escape: () -> Escape) -> Void

  /// The injector: `Injector("services")`.
  package let injector: String

  /// The location of the use.
  package let location: CodeLocation?

  /// The number of the injector, and the number of the task or thread that made it.
  let number: UInt
  let creator: UInt

  private static let watches = Guarded<[(id: UInt, watch: Watch)]>([])

  static func beginWatching(_ id: UInt, _ watch: @escaping Watch) {
    watches.withLock { $0.append((id, watch)) }
    Layers.watchEscapes(note)
  }

  static func endWatching(_ id: UInt) {
    _ = watches.withLock { watches in watches.firstIndex { $0.id == id }.map { watches.remove(at: $0) } }
  }

  /// Notes that code outside any isolation uses an injector. The requests of its factories are part of the same escape.
  private static func note(_ injector: Injector, at location: () -> CodeLocation) {
    let watches = watches.withLock { $0 }
    if watches.isEmpty || injector.sandbox != 0 || Injector.isMaking { return }
    for (_, watch) in watches {
      watch {
        Escape(
          injector: injector.description, location: location(), number: injector.number, creator: injector.creator)
      }
    }
  }
}
