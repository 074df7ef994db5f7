/// An instance that lives for as long as other code holds it.
///
/// Soundness of the unchecked conformance: the reference is set before any other thread sees this object.
package final class WeakInstance: @unchecked Sendable {
  private weak var object: AnyObject?
  /// Puts the object into a box of its service.
  private let rebox: @Sendable (AnyObject) -> AnyBox?

  private init(_ object: AnyObject, _ rebox: @escaping @Sendable (AnyObject) -> AnyBox?) {
    (self.object, self.rebox) = (object, rebox)
  }

  /// Whether anything holds the instance.
  var isHeld: Bool { object != nil }

  /// The instance in a box, while anything holds it. Not to be asked under a lock, because it casts.
  var box: AnyBox? { object.flatMap(rebox) }

  /// Returns a function that makes a weak reference to the instance in a box; none to an optional without an object.
  static func weakening<Value>(_ type: Value.Type) -> @Sendable (AnyBox) throws(NotAnObject) -> WeakInstance? {
    let rebox: @Sendable (AnyObject) -> AnyBox? = { object in (object as? Value).map(Box.init) }
    return { box throws(NotAnObject) in
      guard let content = content(of: box.open(as: Value.self)) else { return nil }
      let type = Swift.type(of: content)
      let object = content as AnyObject
      guard type is AnyClass, rebox(object) != nil else { throw NotAnObject(type: "\(type)") }
      return WeakInstance(object, rebox)
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
struct NotAnObject: Error {
  let type: String
}

/// An optional, whatever it wraps.
private protocol AnyOptional {
  static var wrapped: any Any.Type { get }
  var content: Any? { get }
}

extension Optional: AnyOptional {
  static var wrapped: any Any.Type { Wrapped.self }
  var content: Any? { map { $0 } }
}
