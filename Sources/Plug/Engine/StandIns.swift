/// What a sandbox has in place of properties, lazies and points, which keep instances outside of an injector.
///
/// Soundness of the cast: what stands in for an object is stored under the identity of that, and made with its type. The
/// object says when it goes, before another can have its identity.
@safe
final class StandIns: Sendable {
  private let objects = Guarded<[ObjectIdentifier: any AnyObject & Sendable]>([:])
  private let onEscape: (@Sendable (Escape) -> Void)?

  /// Those of all sandboxes that have any, or want to know who escapes; replaced whole, see `Guarded`.
  private static let all = Guarded<[StandIns]>([])

  init(onEscape: (@Sendable (Escape) -> Void)? = nil) {
    self.onEscape = onEscape
    Self.all.withLock { $0 = $0.adding([self]) }
  }

  /// The sandbox ends.
  func end() {
    Self.all.withLock { all in all = all.filter { $0 !== self } }
  }

  /// What stands in for an object, made at the first request.
  func standIn<Original: AnyObject & Sendable>(for original: Original, _ make: () -> Original) -> Original {
    let known = standIn(ObjectIdentifier(original), or: nil)
    let present = known ?? standIn(ObjectIdentifier(original), or: make())
    return present.map { unsafe unsafeDowncast($0, to: Original.self) } ?? original
  }

  private func standIn(
    _ original: ObjectIdentifier, or fresh: (any AnyObject & Sendable)?
  ) -> (any AnyObject & Sendable)? {
    objects.withLock { objects in
      let present = objects[original] ?? fresh
      objects[original] = present
      return present
    }
  }

  /// Forgets, in every sandbox, what stands in for an object that is going.
  static func forget(_ original: ObjectIdentifier) {
    for standIns in all.withLock({ $0 }) {
      let standIn = standIns.objects.withLock { $0.removeValue(forKey: original) }
      withExtendedLifetime(standIn) {}
    }
  }

  /// Tells those who forbid it that an injector itself has been reached from outside of every isolation.
  static func report(_ escape: @autoclosure () -> Escape) {
    let strict = all.withLock { $0.compactMap(\.onEscape) }
    if strict.isEmpty { return }
    let escape = escape()
    for receive in strict { receive(escape) }
  }
}

extension Sandbox {
  /// What stands in for an object that keeps instances outside of an injector.
  func standIn<Original: AnyObject & Sendable>(for original: Original, _ make: () -> Original) -> Original {
    standIns.standIn(for: original, make)
  }

  private var standIns: StandIns {
    if let present = state.withLock({ $0.standIns }) { return present }
    let fresh = StandIns()
    let present = state.withLock { state in
      let present = state.standIns ?? fresh
      state.standIns = present
      return present
    }
    if present !== fresh { fresh.end() }
    return present
  }
}
