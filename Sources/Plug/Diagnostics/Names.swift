/// The name of a service or of a candidate, which is made when it is read.
struct ServiceName: Sendable, Hashable {
  let key: Key
  let candidate: String?
  /// An act other than making the service, such as ` (closing)`.
  var act = ""

  var text: String { text(isQualified: false) }

  /// - Parameter isQualified: Whether the type's name includes its module.
  fileprivate func text(isQualified: Bool) -> String {
    // An injector whose closing is a step is named by its own description.
    if let candidate, key.type == Injector.self, !act.isEmpty { return candidate + act }
    let (name, tag) = nameParts(key.type, tag: key.tag?.rawValue, isQualified: isQualified)
    return serviceName(name, tag: tag, candidate: candidate) + act
  }
}

extension Step {
  var name: ServiceName { ServiceName(key: registration.key, candidate: registration.candidate, act: act) }
}

extension Registration {
  var serviceName: ServiceName { ServiceName(key: key, candidate: candidate) }
  package var name: String { serviceName.text }

  /// The name and the lifetime of its instances; the name alone for a choice.
  func nameInChain(_ names: DistinctNames) -> String {
    isChoice ? names.name(of: self) : "\(names.name(of: self)) (\(lifetime))"
  }
}

extension Key {
  /// The name in diagnostics: `Networking (tag "replica")`, or the name of a key.
  package var text: String { ServiceName(key: self, candidate: nil).text }

  /// The name that distinguishes the service from services of other modules.
  package var fullName: String { serviceName(qualifiedName(type), tag: tag?.rawValue) }

  /// The type as in source code, before `.self`: `(any Networking)`.
  package var expression: String { codeName(type) }
}

/// The name of a service in diagnostics: `Networking (tag "replica") [candidate]`.
package func serviceName(_ service: String, tag: String?, candidate: String? = nil) -> String {
  service + (tag.map { " (tag \"\($0)\")" } ?? "") + (candidate.map { " [\($0)]" } ?? "")
}

/// The parts of a service's name. The tag of a key is part of its name.
func nameParts(_ type: any Any.Type, tag: String?, isQualified: Bool = false) -> (name: String, tag: String?) {
  let key = type as? any TypedKey.Type
  if isQualified, let (service, types) = (type as? any KeyWithArguments.Type)?.arguments {
    return (qualifiedName(service) + types.argumentNames.parenthesized, tag)
  }
  if let key { return (key.name(tag: tag), nil) }
  return (isQualified ? qualifiedName(type) : typeName(type), tag)
}

/// The names of services. Types of one name are distinguished by their modules.
package struct DistinctNames {
  private var ambiguous: Set<ObjectIdentifier> = []

  @inline(never)
  package init(_ keys: [Key]) {
    var types: [String: any Any.Type] = [:]
    for key in keys {
      let name = nameParts(key.type, tag: key.tag?.rawValue).name
      let other = types[name] ?? key.type
      if other != key.type { ambiguous.formUnion([ObjectIdentifier(other), ObjectIdentifier(key.type)]) }
      types[name] = other
    }
  }

  package func name(of key: Key, candidate: String? = nil) -> String {
    name(of: ServiceName(key: key, candidate: candidate))
  }

  package func name(of registration: Registration) -> String { name(of: registration.serviceName) }

  /// The name of the type, with its module where that is needed, and the tag.
  package func parts(of key: Key) -> (service: String, tag: String?) {
    name(of: key) == key.text
      ? nameParts(key.type, tag: key.tag?.rawValue) : (qualifiedName(key.type), key.tag?.rawValue)
  }

  func name(of name: ServiceName) -> String {
    name.text(isQualified: ambiguous.contains(ObjectIdentifier(name.key.type)))
  }
}

/// The name of a type as in source code, without the module and without its `any`.
package func typeName(_ type: any Any.Type) -> String {
  let text = _typeName(type, qualified: false).withoutAny
  // The search allocates memory, and only names of generic types need it.
  return text.utf8.contains(UInt8(ascii: "<")) ? text.withoutConstraints : text
}

/// The name of a type with its module and its enclosing types: `Shop.Cart.Item`.
func qualifiedName(_ type: any Any.Type) -> String { _typeName(type).withoutUnknownContexts.withoutAny }

/// A type as in source code, before `.self`: `Outer.Inner`, `(any Networking)`, `(@Sendable (Int) -> String)`.
func codeName(_ type: any Any.Type) -> String {
  let text = qualifiedName(type).withoutConstraints.withoutModules
  if isExistential(type) { return "(any \(text))" }
  return text.contains("->") ? "(\(text))" : text
}

extension Injector {
  /// The name; for a scope, preceded by the names of the injectors it was opened in.
  package var path: String? { isScope ? Path(self).text : name?.rawValue }
}

extension Injector.Path {
  var text: String? {
    switch self {
    case .root(let name): name
    case .inner(let names): names.isEmpty ? nil : names.abbreviated.joined(separator: "/")
    case .none: nil
    }
  }

  /// The expression that finds the injector from anywhere: `Injector["services"]`; `nil` if it has no name.
  var expression: String? {
    guard case .root(let name?) = self else { return nil }
    return name == Injector.Name.default.rawValue ? "Injector.default" : "Injector[\(name.debugDescription)]"
  }
}

extension Injector: CustomStringConvertible {
  /// The injector with its name, such as `Injector("services")`, or `Injector("services/request")` for a scope.
  public var description: String { path.map { "Injector(\"\($0)\")" } ?? "Injector()" }
}

extension [any Any.Type] {
  /// The types of arguments as in source code, with `any`, because a value counts as its own type.
  var argumentNames: [String] { map { isExistential($0) ? "any \(typeName($0))" : typeName($0) } }
}

extension [String] {
  /// The chain with its middle left out, if it is too long to read.
  var abbreviated: [String] { count <= 24 ? self : prefix(12) + ["… \(count - 20) more …"] + suffix(8) }

  /// The list as in a call; `no arguments` if it is empty.
  var parenthesized: String { isEmpty ? "no arguments" : "(\(joined(separator: ", ")))" }
}

extension String {
  fileprivate var withoutAny: String { hasPrefix("any ") ? String(dropFirst(4)) : self }

  /// `Queue<Self.Queue.Element == Int>`, which is the runtime's name, as in source code: `Queue<Int>`.
  fileprivate var withoutConstraints: String {
    let parts = split(separator: " == ", omittingEmptySubsequences: false)
    let starts = parts.dropLast().map { $0[...($0.lastIndex { "< ".contains($0) } ?? $0.startIndex)] }
    return (starts + parts.suffix(1)).joined()
  }

  /// `Outer<Shop.Inner>` without the module before each name, in `Shop.Outer<Shop.Inner>`.
  fileprivate var withoutModules: String {
    var (text, name) = ("", "")
    for character in self + "\0" {
      if character.isLetter || character.isNumber || "_.".contains(character) {
        name.append(character)
        continue
      }
      // What follows the arguments of an enclosing type begins with a point.
      let isQualified = name.contains(".") && !name.hasPrefix(".")
      text += isQualified ? name.drop { $0 != "." }.dropFirst() : name[...]
      text.append(character)
      name = ""
    }
    return String(text.dropLast())
  }

  /// The name without the marks of a private context, such as `(unknown context at $1a2b).`.
  fileprivate var withoutUnknownContexts: String {
    let parts = split(separator: "(unknown context at $", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { text, part in text + part.drop { $0 != "." }.dropFirst() }
  }
}

/// Whether the type is an existential: `any P`. The metatype of such a type is called `P.Protocol`.
func isExistential(_ type: any Any.Type) -> Bool {
  _typeName(Swift.type(of: type)).hasSuffix(".Protocol") || _typeName(type, qualified: false).hasPrefix("any ")
}
