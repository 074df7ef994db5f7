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

  @usableFromInline var subjects: [ConditionSubject] { [.property(identity)] }

  var identity: PropertyIdentity { offset.map { .offset($0) } ?? .path(path) }

  @inlinable
  func callAsFunction(_ root: Root) -> Value {
    guard let offset else { return root[keyPath: path] }
    return unsafe withUnsafePointer(to: root) { root in
      unsafe UnsafeRawPointer(root).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
    }
  }
}

/// What a condition looks at.
@usableFromInline
package enum ConditionSubject: Hashable, Sendable {
  case property(PropertyIdentity)
  /// A type that stands for a value.
  case key(ObjectIdentifier)
}

/// What is the same for two key paths that read the same property.
@usableFromInline
package enum PropertyIdentity: Hashable, Sendable {
  case offset(Int)
  case path(any AnyKeyPath & Sendable)

  @usableFromInline
  package static func == (first: Self, second: Self) -> Bool {
    switch (first, second) {
    case (.offset(let first), .offset(let second)): first == second
    case (.path(let first), .path(let second)): first as AnyKeyPath == second as AnyKeyPath
    default: false
    }
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .offset(let offset): hasher.combine(offset)
    case .path(let path): hasher.combine(path as AnyKeyPath)
    }
  }
}
