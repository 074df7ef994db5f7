/// The name of a service, or of a candidate, put together when it is read.
struct ServiceName: Sendable {
  let key: Key
  let candidate: String?
  /// What is done with it, if it is not made.
  var act = ""

  var text: String {
    // The closing of an injector is known by the injector's own description.
    if let candidate, key.type == Injector.self, !act.isEmpty { return candidate + act }
    return serviceName(key.type, tag: key.tag, candidate: candidate) + act
  }

  /// The name with the module, and with the types around it, for where the name alone is that of two types.
  var qualified: String {
    if key.type is any TypedKey.Type { return text }
    let parts = String(reflecting: key.type).split(separator: ".").filter { !$0.hasPrefix("(unknown context") }
    return serviceName(parts.joined(separator: "."), tag: key.tag?.rawValue, candidate: candidate) + act
  }

  /// The names of what stands in one text, in which different types have different names.
  static func texts(of names: [ServiceName]) -> [String] {
    let short = names.map(\.text)
    let order = alphabeticalOrder(of: short)
    var texts = short
    var (start, end) = (0, 0)
    while start < order.count {
      let first = names[order[start]]
      var isAmbiguous = false
      while end < order.count, short[order[end]] == short[order[start]] {
        if names[order[end]].key.type != first.key.type { isAmbiguous = true }
        end += 1
      }
      if isAmbiguous { for place in order[start..<end] { texts[place] = names[place].qualified } }
      start = end
    }
    return texts
  }

  /// The tag of a key is part of its name.
  var parts: (name: String, tag: String?) {
    let tag = key.tag?.rawValue
    return (key.type as? any TypedKey.Type).map { ($0.name(tag: tag), nil) } ?? (typeName(key.type), tag)
  }
}

/// The name of a type as a user writes it: without the module, and without `any`.
@usableFromInline
func typeName(_ type: any Any.Type) -> String {
  String(describing: type)
}

/// Whether the type is that of a protocol's values. The metatype of such a type is called `P.Protocol`.
func isExistential(_ type: any Any.Type) -> Bool {
  String(describing: Swift.type(of: type)).hasSuffix(".Protocol")
}

/// The name of a service in diagnostics, with its tag, or the name of a key.
func serviceName(_ service: any Any.Type, tag: Injector.Tag?, candidate: String? = nil) -> String {
  let parts = ServiceName(key: Key(service, tag), candidate: nil).parts
  return serviceName(parts.name, tag: parts.tag, candidate: candidate)
}

/// The name of a service in diagnostics: `Networking (tag "replica") [candidate]`.
func serviceName(_ service: String, tag: String?, candidate: String? = nil) -> String {
  var name = service
  if let tag { name += " (tag \"\(tag)\")" }
  if let candidate { name += " [\(candidate)]" }
  return name
}
