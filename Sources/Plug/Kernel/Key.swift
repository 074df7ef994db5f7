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

/// A key of what may be made from arguments.
protocol KeyWithArguments: TypedKey {
  /// The service that is made from arguments, and their types; `nil` for another kind of key.
  static var arguments: (service: any Any.Type, types: [any Any.Type])? { get }

  /// Finds the arguments of the service among values, by their types; `nil` if it takes none.
  static func box(from values: [any Sendable]) throws(MissingArgument) -> AnyBox?
}

/// An argument that is not among some values.
struct MissingArgument: Error {
  let type: any Any.Type

  static func find<Argument>(
    _ type: Argument.Type, in values: [any Sendable]
  ) throws(MissingArgument) -> Argument {
    for value in values { if let argument = value as? Argument { return argument } }
    throw MissingArgument(type: type)
  }
}

extension TypedKey {
  package static var kind: InjectorError.Facts.Kind { .key }
}

extension Key {
  /// The type, if it represents something other than a service.
  var typed: (any TypedKey.Type)? { type as? any TypedKey.Type }

  var withArguments: (any KeyWithArguments.Type)? { type as? any KeyWithArguments.Type }
}
