/// A key of what may be made from arguments.
protocol KeyWithArguments: TypedKey {
  /// The service that is made from arguments, and their types; `nil` for another kind of key.
  static var arguments: (service: any Any.Type, types: [any Any.Type])? { get }

  /// Finds the arguments of the service among values, by their types; `nil` if it takes none.
  static func box(from values: [any Sendable]) throws(MissingArgument) -> AnyBox?
}

/// An argument that is not among the given values.
struct MissingArgument: Error {
  let type: any Any.Type

  static func find<Argument>(_ type: Argument.Type, in values: [any Sendable]) throws(MissingArgument) -> Argument {
    for value in values { if let argument = value as? Argument { return argument } }
    throw MissingArgument(type: type)
  }
}

/// The key type of a service that is made from arguments of these types.
@usableFromInline
struct ArgumentsKey<Service, each Argument: Sendable>: KeyWithArguments, Derived {
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

  static var kind: InjectorError.Facts.Kind { .arguments }

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

  var withArguments: (any KeyWithArguments.Type)? { type as? any KeyWithArguments.Type }

  /// The key by which decorators and resets refer to the service.
  var served: Key { withArguments?.arguments.map { Key($0.service, tag) } ?? self }

  /// The types of the arguments that the service is made from.
  var arguments: [any Any.Type]? { withArguments?.arguments?.types }
}

extension Registration {
  var servedKey: Key { key.served }
}

extension Injector {
  /// Whether a service that is made from arguments may be registered in this injector itself.
  private var takesArguments: Bool {
    let (own, original) = state.withLock { ($0.takesArguments, $0.origin?.injector) }
    return own || original?.takesArguments ?? false
  }

  /// The registrations of a service that is made from arguments, here and in the parents.
  ///
  /// - Complexity: O(1) where no such service is registered.
  func registrationsWithArguments(of service: Key) -> [Registration] {
    levels.filter(\.takesArguments).flatMap(\.registrations).filter { $0.maker != nil && $0.servedKey == service }
  }
}
