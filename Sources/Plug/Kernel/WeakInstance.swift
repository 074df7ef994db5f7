/// A weak reference to an instance of a type that only `WeakInstance` knows.
package class AnyWeakInstance: @unchecked Sendable {
  // Soundness of the unchecked conformance: the reference is set before any other thread sees this object.
  fileprivate weak var object: (any AnyObject & Sendable)?

  /// The instance in a box, while anything holds it.
  var box: AnyBox? { nil }

  /// Returns a weak reference to the instance in a box.
  static func weakening<Value>(
    _ type: Value.Type
  ) -> @Sendable (AnyBox) throws(NotAnObject) -> AnyWeakInstance? {
    { box throws(NotAnObject) in
      let value = box.open(as: Value.self)
      if WeakInstance<Value>.isAbsent(value) { return nil }
      guard let weak = WeakInstance(value) else {
        throw NotAnObject(type: WeakInstance<Value>.subjectName(of: value))
      }
      return weak
    }
  }

  /// Whether no value of the type can be held weakly.
  static func isFutile(for type: any Any.Type) -> Bool {
    if type is AnyClass || isExistential(type) { return false }
    guard let wrapped = (type as? any ObjectOptional.Type)?.wrapped else { return true }
    return !(wrapped is AnyClass) && !isExistential(wrapped)
  }
}

/// A value that cannot be held weakly, by the name of its type.
struct NotAnObject: Error {
  let type: String
}

/// An instance that lives for as long as other code holds it.
///
/// A weak reference cannot hold the witnesses of a protocol. The value itself is kept beside it as bare bits, without a
/// reference of its own, and copied while a strong reference is at hand. That is faster than a dynamic cast.
///
/// Soundness: `bits` is written in `init` only and read while `object` is held. `init` accepts a value only if it
/// begins with the reference that it is as an object: an instance of a class, an existential with one inline, the rest
/// of which is constants, or an optional of either, which has the same bits.
@safe
final class WeakInstance<Value>: AnyWeakInstance, @unchecked Sendable {
  private let bits: UnsafeMutableRawPointer

  /// - Returns: `nil` if the value is not an object.
  init?(_ value: Value) {
    guard let held = Self.object(of: value) else { return nil }
    // An object of a `Sendable` type; the marker protocol has no witnesses.
    let object = unsafe unsafeBitCast(held, to: (any AnyObject & Sendable).self)
    let bits = unsafe withUnsafeBytes(of: value) { bytes -> UnsafeMutableRawPointer? in
      guard let base = bytes.baseAddress, bytes.count >= MemoryLayout<UInt>.size,
        unsafe base.loadUnaligned(as: UInt.self) == UInt(bitPattern: ObjectIdentifier(object))
      else { return nil }
      let bits = UnsafeMutableRawPointer.allocate(
        byteCount: MemoryLayout<Value>.stride, alignment: MemoryLayout<Value>.alignment)
      unsafe bits.copyMemory(from: base, byteCount: bytes.count)
      return unsafe bits
    }
    guard let bits = unsafe bits else { return nil }
    unsafe self.bits = bits
    super.init()
    self.object = object
  }

  deinit { unsafe bits.deallocate() }

  override var box: AnyBox? {
    guard let object else { return nil }
    return withExtendedLifetime(object) { unsafe Box(bits.assumingMemoryBound(to: Value.self).pointee) }
  }

  /// The name of the value's own type.
  static func subjectName(of value: Value) -> String {
    let mirror = Mirror(reflecting: value)
    let inner = mirror.displayStyle == .optional ? mirror.children.first.map { Mirror(reflecting: $0.value) } : nil
    return "\((inner ?? mirror).subjectType)"
  }

  /// Whether the value is an optional without an object.
  static func isAbsent(_ value: Value) -> Bool { object(of: value) == nil }

  private static func object(of value: Value) -> AnyObject? {
    func unwrap<Other: ObjectOptional>(_ type: Other.Type) -> AnyObject? { (value as? Other)?.object }
    guard let type = Value.self as? any ObjectOptional.Type else { return value as AnyObject }
    return unwrap(type)
  }
}

/// An optional, whatever it wraps.
private protocol ObjectOptional {
  static var wrapped: any Any.Type { get }
  var object: AnyObject? { get }
}

extension Optional: ObjectOptional {
  static var wrapped: any Any.Type { Wrapped.self }
  var object: AnyObject? { map { $0 as AnyObject } }
}
