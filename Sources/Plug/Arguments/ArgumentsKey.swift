/// Stands for a service that is made from arguments of these types.
@usableFromInline
struct ArgumentsKey<Service, First: Sendable, each Rest: Sendable>: TypedKey {

  private static var list: [String] {
    var names = [argumentName(First.self)]
    repeat names.append(argumentName((each Rest).self))
    return names
  }

  @usableFromInline
  static func name(tag: String?) -> String {
    "\(typeName(Service.self))(\(list.joined(separator: ", ")))\(tag.map { " (tag \"\($0)\")" } ?? "")"
  }

  @usableFromInline
  static func expression(tag: String?) -> String { "injector.\(name(tag: tag))" }

  @usableFromInline
  static var kind: InjectorError.Facts.Kind { .arguments }

  @usableFromInline
  static var arguments: (service: any Any.Type, list: [String])? { (Service.self, list) }
}

/// The type of an argument as it is written, because a value counts as its own type.
private func argumentName(_ type: any Any.Type) -> String {
  isExistential(type) ? "any \(typeName(type))" : typeName(type)
}

/// Stands for a provider that takes arguments, together with a tag that says where it is declared, and its name.
@usableFromInline
struct ArgumentsProviderKey<Service: Sendable, First: Sendable, each Rest: Sendable>: TypedKey {

  @usableFromInline
  static func name(tag: String?) -> String { ProviderKey<Service>.name(tag: tag) }

  @usableFromInline
  static func expression(tag: String?) -> String { ProviderKey<Service>.expression(tag: tag).dropLast() + "…)" }
}

extension Registration {
  /// The key that decorators and resets name.
  var servedKey: Key {
    key.typed?.arguments.map { Key($0.service, key.tag) } ?? key
  }
}
