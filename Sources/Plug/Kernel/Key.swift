/// What a registration is found by: a type, and a tag if there are several of that type.
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

/// A type that stands for something other than a service, and names it.
@usableFromInline
package protocol TypedKey {
  /// The name in diagnostics.
  static func name(tag: String?) -> String

  /// The expression that asks for it, beginning with `injector`.
  static func expression(tag: String?) -> String

  /// What an error has to know.
  static var form: InjectorError.Facts.KeyForm { get }
}

extension TypedKey {
  @usableFromInline package static var form: InjectorError.Facts.KeyForm { .key }
}
