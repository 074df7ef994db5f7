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

  private init(_ object: AnyObject, _ rebox: @escaping @Sendable (AnyObject) -> AnyBox?) {
    (self.object, self.rebox) = (object, rebox)
  }

  /// The instance in a box, while anything holds it.
  var box: AnyBox? { object.flatMap(rebox) }

  /// Returns a function that makes a weak reference to the instance in a box, and returns `nil` for an empty optional.
  static func weakening<Value>(_ type: Value.Type) -> @Sendable (AnyBox) throws(NotAnObject) -> WeakInstance? {
    let rebox: @Sendable (AnyObject) -> AnyBox? = { object in (object as? Value).map(Box.init) }
    return { box throws(NotAnObject) in
      guard let content = content(of: box.open(as: Value.self)) else { return nil }
      let type = Swift.type(of: content)
      guard type is AnyClass, rebox(content as AnyObject) != nil else { throw NotAnObject(type: "\(type)") }
      return WeakInstance(content as AnyObject, rebox)
    }
  }

  /// Whether no value of the type can be held weakly.
  static func isFutile(for type: any Any.Type) -> Bool {
    if type is AnyClass || isExistential(type) { return false }
    guard let wrapped = (type as? any AnyOptional.Type)?.wrapped else { return true }
    return !(wrapped is AnyClass) && !isExistential(wrapped)
  }

  /// The value, or the value in an optional.
  private static func content<Value>(of value: Value) -> Any? {
    func unwrap<Other: AnyOptional>(_ type: Other.Type) -> Any? { (value as? Other)?.content }
    guard let type = Value.self as? any AnyOptional.Type else { return value }
    return unwrap(type)
  }
}

/// A value that cannot be held weakly, by the name of its type.
struct NotAnObject: Error { let type: String }

/// An optional, whatever it wraps.
private protocol AnyOptional {
  static var wrapped: any Any.Type { get }
  var content: Any? { get }
}

extension Optional: AnyOptional {
  static var wrapped: any Any.Type { Wrapped.self }
  var content: Any? { map { $0 } }
}

/// Whether the type is an existential: `any P`. The metatype of such a type is called `P.Protocol`.
func isExistential(_ type: any Any.Type) -> Bool {
  _typeName(Swift.type(of: type)).hasSuffix(".Protocol") || _typeName(type, qualified: false).hasPrefix("any ")
}
