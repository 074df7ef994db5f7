/// The key type of a service that is made from arguments of these types.
@usableFromInline
struct ArgumentsKey<Service, each Argument: Sendable>: TypedKey, KeyWithArguments, Derived {
  /// Makes an optional, for example, from the service that is registered for the same types of arguments.
  static func derivation(_ tag: Injector.Tag?) -> Derivation? {
    func key<Other>(_ type: Other.Type) -> Key { Key(ArgumentsKey<Other, repeat each Argument>.self, tag) }
    guard var derivation = Key(Service.self, tag).derivation else { return nil }
    derivation.element = _openExistential(derivation.element.type, do: key)
    return derivation
  }

  static func box(from values: [any Sendable]) throws(MissingArgument) -> AnyBox? {
    Box((repeat try MissingArgument.find((each Argument).self, in: values)))
  }

  static func name(tag: String?) -> String {
    "\(typeName(Service.self))\(types.argumentNames.parenthesized)\(tag.map { " (tag \"\($0)\")" } ?? "")"
  }

  static func expression(tag: String?) -> String { "injector.\(name(tag: tag))" }

  static var kind: SubjectKind { .arguments }

  static var arguments: (service: any Any.Type, types: [any Any.Type])? { (Service.self, types) }

  private static var types: [any Any.Type] { Key.each(repeat (each Argument).self).map(\.type) }
}

extension Key {
  /// The key of a service that is made from arguments.
  @inlinable
  package static func taking<Service, each Argument: Sendable>(
    _ types: repeat (each Argument).Type, for service: Service.Type, _ tag: Injector.Tag?
  ) -> Key { Key(ArgumentsKey<Service, repeat each Argument>.self, tag) }

  /// The key of a service that may be made from arguments.
  static func of<Service, each Argument: Sendable>(
    _ service: Service.Type, _ tag: Injector.Tag?, taking types: repeat (each Argument).Type
  ) -> Key {
    for _ in repeat (each Argument).self { return taking(repeat each types, for: service, tag) }
    return Key(service, tag)
  }
}
