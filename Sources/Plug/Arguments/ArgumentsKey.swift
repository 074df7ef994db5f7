/// The key type of a service that is made from arguments of these types.
@usableFromInline
struct ArgumentsKey<Service, each Argument: Sendable>: TypedKey, TakingArguments {
  static func key(for service: Key) -> Key {
    func key<Other>(_ type: Other.Type) -> Key { Key(ArgumentsKey<Other, repeat each Argument>.self, service.tag) }
    return _openExistential(service.type, do: key)
  }

  static func box(from values: [any Sendable]) throws(MissingArgument) -> AnyBox {
    Box((repeat try MissingArgument.find((each Argument).self, in: values)))
  }

  static func name(tag: String?) -> String {
    "\(typeName(Service.self))\(types.argumentNames.parenthesized)\(tag.map { " (tag \"\($0)\")" } ?? "")"
  }

  static func expression(tag: String?) -> String { "injector.\(name(tag: tag))" }

  static var kind: InjectorError.Facts.Kind { .arguments }

  static var arguments: (service: any Any.Type, types: [any Any.Type])? { (Service.self, types) }

  private static var types: [any Any.Type] { Key.each(repeat (each Argument).self).map(\.type) }
}

/// A key type that names the types of arguments.
protocol TakingArguments {
  /// The key of another service that is made from arguments of the same types.
  static func key(for service: Key) -> Key

  /// Finds arguments among values by their types.
  static func box(from values: [any Sendable]) throws(MissingArgument) -> AnyBox
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

extension Key {
  /// The key of a service that is made from arguments.
  @inlinable
  package static func taking<Service, each Argument: Sendable>(
    _ types: repeat (each Argument).Type, for service: Service.Type, _ tag: Injector.Tag?
  ) -> Key { Key(ArgumentsKey<Service, repeat each Argument>.self, tag) }

  /// The key by which decorators and resets refer to the service.
  var served: Key { typed?.arguments.map { Key($0.service, tag) } ?? self }

  /// The types of the arguments that the service is made from.
  var arguments: [any Any.Type]? { typed?.arguments?.types }
}

extension Registration {
  var servedKey: Key { key.served }
}
