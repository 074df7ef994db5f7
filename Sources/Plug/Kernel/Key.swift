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

/// The key of a value that belongs to the program, whichever injector is asked for it.
package protocol ProgramKey {}

extension Key {
  var isOfProgram: Bool { type is any ProgramKey.Type }
}
