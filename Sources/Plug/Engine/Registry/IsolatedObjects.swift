/// What a sandbox has in place of properties, lazies and points, which keep instances outside of an injector.
///
/// Soundness of the cast: the isolated object is stored under the identity of its original, and made with its type. The
/// object says when it goes, before another can have its identity.
@safe
final class IsolatedObjects: Sendable {
  private let objects = Guarded<[ObjectIdentifier: any AnyObject & Sendable]>([:])
  private let onEscape: (@Sendable (() -> Escape) -> Void)?

  /// Those of all sandboxes that have any, or want to know who escapes.
  private static let all = ReadMostly<[IsolatedObjects]>()

  init(onEscape: (@Sendable (() -> Escape) -> Void)? = nil) {
    self.onEscape = onEscape
    Self.all.update(from: []) { $0.append(self) }
  }

  /// The sandbox ends.
  func end() {
    Self.all.update(from: []) { all in all.removeAll { $0 === self } }
  }

  /// The isolated object for an original, made at the first request.
  func isolatedObject<Original: AnyObject & Sendable>(for original: Original, _ make: () -> Original) -> Original {
    let known = isolatedObject(ObjectIdentifier(original), or: nil)
    let present = known ?? isolatedObject(ObjectIdentifier(original), or: make())
    return present.map { unsafe unsafeDowncast($0, to: Original.self) } ?? original
  }

  private func isolatedObject(
    _ original: ObjectIdentifier, or fresh: (any AnyObject & Sendable)?
  ) -> (any AnyObject & Sendable)? {
    objects.withLock { objects in
      let present = objects[original] ?? fresh
      objects[original] = present
      return present
    }
  }

  /// Forgets, in every sandbox, the isolated object of an original that is being released.
  static func forget(_ original: ObjectIdentifier) {
    for isolatedObjects in all.value ?? [] {
      let isolatedObject = isolatedObjects.objects.withLock { $0.removeValue(forKey: original) }
      withExtendedLifetime(isolatedObject) {}
    }
  }

  /// Tells those who forbid it that an injector itself has been reached from outside of every isolation.
  static func report(_ escape: @autoclosure () -> Escape) {
    for isolatedObjects in all.value ?? [] { isolatedObjects.onEscape?(escape) }
  }
}
