/// An instance that lives for as long as other code holds it.
///
/// Soundness of the unchecked conformance: the reference is set before any other thread sees this object, and only
/// services are put in boxes, which are `Sendable`.
final class WeakInstance: @unchecked Sendable {
  /// The instance, while anything holds it. Under a lock, the reference must be kept until the lock is released: it may
  /// be the last one, so that its release runs a `deinit`.
  private(set) weak var object: AnyObject?
  /// Puts the object into a box of its service.
  private let rebox: @Sendable (AnyObject) -> AnyBox?

  init(_ object: AnyObject, _ rebox: @escaping @Sendable (AnyObject) -> AnyBox?) {
    (self.object, self.rebox) = (object, rebox)
  }

  /// The instance in a box, while anything holds it.
  var box: AnyBox? { object.flatMap(rebox) }
}

/// A value that cannot be held weakly, by the name of its type.
struct NotAnObject: Error { let type: String }
