/// The key of a registration: a type, and a tag if there are several registrations of that type.
@usableFromInline
package struct Key: Hashable, Sendable {
  package let type: any Any.Type
  package let tag: Injector.Tag?

  @usableFromInline
  package init(_ type: any Any.Type, _ tag: Injector.Tag? = nil) {
    self.type = type
    self.tag = tag
  }

  /// The address of the type's metadata, which is never zero and never freed.
  var word: UInt { UInt(bitPattern: ObjectIdentifier(type)) }

  @usableFromInline
  package static func == (first: Self, second: Self) -> Bool { first.word == second.word && first.tag == second.tag }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    hasher.combine(word)
    hasher.combine(tag)
  }
}

/// A type that represents something other than a service, and names it.
package protocol TypedKey {
  /// The name in diagnostics.
  static func name(tag: String?) -> String

  /// The expression that requests it, beginning with `injector`.
  static func expression(tag: String?) -> String

  /// The kind of the key, as far as errors differ.
  static var kind: InjectorError.Facts.Kind { get }
}

extension TypedKey {
  package static var kind: InjectorError.Facts.Kind { .key }
}

extension Key {
  /// The type as a `TypedKey`; `nil` for a service.
  var typed: (any TypedKey.Type)? { type as? any TypedKey.Type }
}
