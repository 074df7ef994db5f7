package import Plug

/// The key of a property where injectors know services by their types.
package enum PropertyKey<Key: Property>: TypedKey {
  package static func name(tag: String?) -> String { typeName(Key.self) }
  package static func expression(tag: String?) -> String { "injector[\(typeName(Key.self)).self]" }
  package static var kind: SubjectKind { .property }
}

// Access to a property for code that does not know its type. The metatype, which is permanent, identifies the property.
extension Property {
  package static var key: Key { Key(PropertyKey<Self>.self) }
  static var id: ObjectIdentifier { ObjectIdentifier(self) }

  /// A cell for the default value, which is made like an instance: once, and refused if it requests itself.
  static func makeDefault() -> Cell {
    let injection = Injection.lazySingleton { Self.defaultValue }
    let nowhere = CodeLocation(fileID: "", line: 0)
    return Cell(Registration(key, injection.definition, depth: 0, location: nowhere))
  }

  /// Whether two values are equal, if their type is `Equatable`.
  static func areEqual(_ first: AnyBox, _ second: AnyBox) -> Bool {
    (first.open(as: Value.self) as? any Equatable)?.isEqual(to: second.open(as: Value.self)) ?? false
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
