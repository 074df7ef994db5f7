/// Stands for a service that is made from arguments of these types.
@usableFromInline
struct ArgumentsKey<Service: Sendable, First: Sendable, each Rest: Sendable>: AnyArgumentsKey {
  @usableFromInline typealias Stored = ArgumentsEntry<Service, First, repeat each Rest>

  @usableFromInline static var service: any Any.Type { Service.self }

  @usableFromInline static var arguments: [String] {
    var names = [argumentName(First.self)]
    repeat names.append(argumentName((each Rest).self))
    return names
  }

  @usableFromInline
  static func replacingService<Other: Sendable>(by other: Other.Type) -> any Any.Type {
    ArgumentsKey<Other, First, repeat each Rest>.self
  }

  @usableFromInline
  static func name(tag: String?) -> String {
    "\(typeName(Service.self))(\(arguments.joined(separator: ", ")))\(tag.map { " (tag \"\($0)\")" } ?? "")"
  }

  @usableFromInline
  static func expression(tag: String?) -> String { "injector.\(name(tag: tag))" }
}

/// The type of an argument as it is written, because a value counts as its own type.
private func argumentName(_ type: any Any.Type) -> String {
  isExistential(type) ? "any \(typeName(type))" : typeName(type)
}

/// Stands for a provider that takes arguments, together with a tag that tells where it is declared, and its name.
@usableFromInline
struct ArgumentsProviderKey<Service: Sendable, First: Sendable, each Rest: Sendable>: TypedKey {
  @usableFromInline typealias Stored = ArgumentsEntry<Service, First, repeat each Rest>

  @usableFromInline
  static func name(tag: String?) -> String { ProviderKey<Service>.name(tag: tag) }

  @usableFromInline
  static func expression(tag: String?) -> String { ProviderKey<Service>.expression(tag: tag).dropLast() + "…)" }
}
