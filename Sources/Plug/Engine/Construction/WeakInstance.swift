/// A weak instance of a type that only its owner knows.
class AnyWeakInstance: @unchecked Sendable {
  // Soundness of the unchecked conformance: what this class has is guarded, and its subclass states its own.
  fileprivate struct Content {
    weak var object: (any AnyObject & Sendable)?
  }

  fileprivate let content = Contended(Content())

  /// Whether somebody holds it.
  var exists: Bool {
    // Released outside of the lock: this may be the last reference by now.
    let object = content.withLock { $0.object }
    return object != nil
  }
}

/// An instance that lives for as long as someone else holds it.
///
/// The reference is weak, and so cannot hold a protocol's witnesses; the value itself is kept beside it as bare bits,
/// without a reference of its own, and copied while a strong one is at hand. That is faster than a dynamic cast, and
/// cannot fail.
///
/// Soundness: `bits` is written under the lock together with `object`, and read only while `object` is held. `set`
/// accepts a value only if it begins with the reference that it is as an object: an instance of a class, an existential
/// with one inline, the rest of which is constants, or an optional of either, which has the same bits. A value in a
/// box, or of several fields, is another object than it begins with.
@safe
final class WeakInstance<Value: Sendable>: AnyWeakInstance, @unchecked Sendable {
  private let bits = UnsafeMutableRawPointer.allocate(
    byteCount: MemoryLayout<Value>.stride, alignment: MemoryLayout<Value>.alignment)

  deinit { unsafe bits.deallocate() }

  /// Whether no value of the type can be held.
  static var isFutile: Bool {
    if Value.self is AnyClass || isExistential(Value.self) { return false }
    guard let wrapped = (Value.self as? any ObjectOptional.Type)?.wrapped else { return true }
    return !(wrapped is AnyClass) && !isExistential(wrapped)
  }

  /// The value, while somebody holds it.
  var value: Value? {
    content.withLock { content -> Value? in
      guard let object = content.object else { return nil }
      return withExtendedLifetime(object) { unsafe bits.assumingMemoryBound(to: Value.self).pointee }
    }
  }

  /// Holds a value, unless it is an optional without one.
  ///
  /// - Returns: `false` if it is none of a class.
  func set(_ value: Value) -> Bool {
    guard let held = object(of: value) else { return true }
    // An object of a Sendable type; the protocol has no witnesses.
    let object = unsafe unsafeBitCast(held, to: (any AnyObject & Sendable).self)
    return content.withLock { content in
      unsafe withUnsafeBytes(of: value) { bytes in
        guard let base = bytes.baseAddress, bytes.count >= MemoryLayout<UInt>.size,
          unsafe base.loadUnaligned(as: UInt.self) == UInt(bitPattern: ObjectIdentifier(object))
        else { return false }
        unsafe bits.copyMemory(from: base, byteCount: bytes.count)
        content.object = object
        return true
      }
    }
  }

  /// The name of the value's own type.
  static func subjectName(of value: Value) -> String {
    let mirror = Mirror(reflecting: value)
    let inner = mirror.displayStyle == .optional ? mirror.children.first.map { Mirror(reflecting: $0.value) } : nil
    return "\((inner ?? mirror).subjectType)"
  }

  /// The value as an object; `nil` if it is an optional without one.
  private func object(of value: Value) -> AnyObject? {
    func unwrap<Other: ObjectOptional>(_ type: Other.Type) -> AnyObject? { (value as? Other)?.object }
    guard let type = Value.self as? any ObjectOptional.Type else { return value as AnyObject }
    return unwrap(type)
  }
}

/// An optional, whatever it is one of.
private protocol ObjectOptional {
  static var wrapped: any Any.Type { get }
  var object: AnyObject? { get }
}

extension Optional: ObjectOptional {
  static var wrapped: any Any.Type { Wrapped.self }
  var object: AnyObject? { map { $0 as AnyObject } }
}
