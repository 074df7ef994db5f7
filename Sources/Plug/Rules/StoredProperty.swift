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

/// The property of a context with the identifier that a rollout or a draw is for.
@usableFromInline
package struct Identity<Context>: Sendable {
  let property: any AnyKeyPath & Sendable
  /// Reads the identifier; `nil` if the context has none.
  let value: @Sendable (Context) -> String?

  @usableFromInline
  package init(_ property: any KeyPath<Context, some CustomStringConvertible & Sendable> & Sendable) {
    let stored = StoredProperty(property)
    (self.property, value) = (property, { stored($0).description })
  }

  @usableFromInline
  package init(_ property: any KeyPath<Context, (some CustomStringConvertible & Sendable)?> & Sendable) {
    let stored = StoredProperty(property)
    (self.property, value) = (property, { stored($0)?.description })
  }
}

/// A context with properties whose values explanations hide.
///
/// ```swift
/// extension Shopper: PrivateContext {
///   static var privateProperties: [PartialKeyPath<Shopper>] { [\.id, \.email] }
/// }
/// ```
///
/// Explanations, reports and errors, and what other products make of them, show `•••` instead of such a value, and
/// instead of the whole context where a rule looks at that. Rules and draws look at it as at any other value. The
/// values that a rule compares with, and what a condition of your own throws, are shown. So are private contexts inside
/// a collection or another value: name the property that has these.
public protocol PrivateContext: Sendable {
  /// The properties, as the rules name them.
  static var privateProperties: [PartialKeyPath<Self>] { get }
}

extension PrivateContext {
  fileprivate static func hides(_ property: AnyKeyPath) -> Bool { privateProperties.contains { $0 == property } }

  /// Whether a property is private, so that the whole is hidden, too.
  var isPrivate: Bool { !Self.privateProperties.isEmpty }

  /// Whether the features of the context are a private property, whose key path is not the one of the protocol.
  func hides(_ set: Set<String>) -> Bool { Self.privateProperties.contains { self[keyPath: $0] as? Set == set } }
}

extension AnyKeyPath {
  /// Whether the property is a private one of its type of context.
  var isPrivate: Bool { (type(of: self).rootType as? any PrivateContext.Type)?.hides(self) ?? false }
}
