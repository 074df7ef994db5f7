/// Reads a property by its key path; where that leads through stored properties alone, from their place in memory,
/// which takes a hundredth of the time.
///
/// Soundness: `MemoryLayout.offset(of:)` gives the place of a value in the memory of another, and only if it can be
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

  /// Tells it from others, without asking what its key path was made from: that may be code of users. Two that are the
  /// same may be told from each other.
  enum Identity: Hashable {
    case offset(Int)
    case path(ObjectIdentifier)
  }

  var identity: Identity { offset.map { .offset($0) } ?? .path(ObjectIdentifier(path)) }

  @inlinable
  func callAsFunction(_ root: Root) -> Value {
    guard let offset else { return root[keyPath: path] }
    return unsafe withUnsafePointer(to: root) { root in
      unsafe UnsafeRawPointer(root).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
    }
  }
}
