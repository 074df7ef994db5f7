/// Reads a property by its key path. If the path consists of stored properties, the value is read from its offset in
/// memory, which takes a hundredth of the time.
///
/// Soundness: `MemoryLayout.offset(of:)` returns the offset of a value within another one, and only if the value can be
/// read there directly.
@safe
@usableFromInline
struct StoredProperty<Root, Value>: Sendable {
  @usableFromInline let path: any KeyPath<Root, Value> & Sendable
  @usableFromInline let offset: Int?

  @usableFromInline
  init(_ path: any KeyPath<Root, Value> & Sendable) {
    self.path = path
    offset = MemoryLayout<Root>.offset(of: path)
  }

  @inlinable
  func callAsFunction(_ root: Root) -> Value {
    guard let offset else { return root[keyPath: path] }
    return unsafe withUnsafePointer(to: root) { root in
      unsafe UnsafeRawPointer(root).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
    }
  }
}

/// The subject of a condition.
package enum ConditionSubject: Equatable, Sendable {
  case property(any AnyKeyPath & Sendable)
  /// A type that represents a value.
  case key(ObjectIdentifier)
  /// The bucket of an identifier.
  case share

  package static func == (first: Self, second: Self) -> Bool {
    switch (first, second) {
    case (.property(let first), .property(let second)): first as AnyKeyPath == second as AnyKeyPath
    case (.key(let first), .key(let second)): first == second
    case (.share, .share): true
    default: false
    }
  }
}
