/// Stands for the value of a property.
@usableFromInline
enum PropertyKey<Key: Property>: AnyPropertyKey {
  @usableFromInline typealias Stored = PropertyState<Key.Value>

  @usableFromInline
  static func name(tag: String?) -> String { typeName(Key.self) }

  @usableFromInline
  static func expression(tag: String?) -> String { "injector[\(typeName(Key.self)).self]" }
}
