/// The name of a service, or of a candidate, put together when it is read.
struct ServiceName: Sendable, Hashable {
  let key: Key
  let candidate: String?
  /// What is done with it, if it is not made.
  var act = ""

  /// Whether it is the closing of an injector, which is known by the injector's own description.
  var isOfClosing: Bool { candidate != nil && key.type == Injector.self && !act.isEmpty }

  var text: String {
    if let candidate, isOfClosing { return candidate + act }
    return serviceName(key.type, tag: key.tag, candidate: candidate) + act
  }
}

/// The name of a type as a user writes it: without the module, and without `any`.
@usableFromInline
package func typeName(_ type: any Any.Type) -> String {
  let text = String(describing: type)
  // The runtime writes `any Q<Self.Q.T == Int>` for `any Q<Int>`.
  return text.hasPrefix("any ") ? SourceText(text, isQualified: false).text.withoutAny : text
}

/// The name of a service in diagnostics, with its tag, or the name of a key.
package func serviceName(_ service: any Any.Type, tag: Injector.Tag?, candidate: String? = nil) -> String {
  let (name, tag) = nameParts(service, tag: tag?.rawValue)
  return serviceName(name, tag: tag, candidate: candidate)
}

/// The parts of a service's name. The tag of a key is part of its name.
package func nameParts(_ service: any Any.Type, tag: String?) -> (name: String, tag: String?) {
  (service as? any TypedKey.Type).map { ($0.name(tag: tag), nil) } ?? (typeName(service), tag)
}

/// Whether the type is that of a protocol's values. The metatype of such a type is called `P.Protocol`.
func isExistential(_ type: any Any.Type) -> Bool {
  String(describing: Swift.type(of: type)).hasSuffix(".Protocol") || String(describing: type).hasPrefix("any ")
}

/// The name of a service in diagnostics: `Networking (tag "replica") [candidate]`.
package func serviceName(_ service: String, tag: String?, candidate: String? = nil) -> String {
  var name = service
  if let tag { name += " (tag \"\(tag)\")" }
  if let candidate { name += " [\(candidate)]" }
  return name
}

extension Key {
  /// The name in diagnostics: `Networking (tag "replica")`.
  package var text: String { serviceName(type, tag: tag) }

  /// The type as code has it, before `.self`: `(any Networking)`.
  package var expression: String { codeName(type) }
}
