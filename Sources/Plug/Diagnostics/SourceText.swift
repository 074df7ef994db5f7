/// A type as code has it, before `.self`: `Outer.Inner`, `(any Networking)`, `(@Sendable (Int) -> String)`.
func codeName(_ type: any Any.Type) -> String {
  let text = SourceText(String(reflecting: type), isQualified: true).text.withoutAny
  if isExistential(type) { return "(any \(text))" }
  return text.contains("->") ? "(\(text))" : text
}

/// The name of a type with that of its module, and of the types around it: `Shop.Cart.Item`.
package func qualifiedName(_ type: any Any.Type) -> String {
  String(reflecting: type).withoutUnknownContexts.withoutAny
}

/// What the runtime writes for a type, as one would write it.
struct SourceText {
  private(set) var text = ""
  private var name = ""
  private let isQualified: Bool

  /// - Parameter isQualified: Whether each name begins with that of its module, which is left out.
  init(_ reflected: String, isQualified: Bool) {
    self.isQualified = isQualified
    for character in reflected.withoutUnknownContexts {
      if character.isLetter || character.isNumber || "_.".contains(character) {
        name.append(character)
      } else {
        endName()
        text.append(character)
      }
    }
    endName()
    // `Self.Q.T == Int` is the argument `Int`.
    text = text.split(separator: "Self == ", omittingEmptySubsequences: false).joined()
  }

  private mutating func endName() {
    defer { name = "" }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    if parts.first == "Self" {
      text += "Self"
    } else if isQualified, parts.count > 1, parts[0] != "" {
      text += parts.dropFirst().joined(separator: ".")
    } else {
      text += name
    }
  }
}

extension String {
  var withoutAny: String { hasPrefix("any ") ? String(dropFirst(4)) : self }

  /// Without what stands for a file or a function that a name is private to: `(unknown context at $1a2b).`, or
  /// `(Queue in _1A2B)`.
  fileprivate var withoutUnknownContexts: String {
    let parts = split(separator: "(unknown context at $", omittingEmptySubsequences: false)
    let text = parts.dropFirst().reduce(String(parts[0])) { text, part in
      text + part.drop { $0 != "." }.dropFirst()
    }
    let names = text.split(separator: " in _", omittingEmptySubsequences: false)
    return names.dropFirst().reduce(String(names[0])) { text, rest in
      guard let start = text.lastIndex(of: "("), let end = rest.firstIndex(of: ")") else { return text + rest }
      return String(text[..<start] + text[text.index(after: start)...] + rest[rest.index(after: end)...])
    }
  }
}

/// The names of services, where those whose types are called alike are told apart by their modules.
package struct DistinctNames {
  private var ambiguous: Set<ObjectIdentifier> = []

  package init(_ keys: some Sequence<Key>) {
    var types: [String: any Any.Type] = [:]
    for key in keys {
      let name = nameParts(key.type, tag: key.tag?.rawValue).name
      guard let other = types[name], other != key.type else {
        types[name] = key.type
        continue
      }
      ambiguous.insert(ObjectIdentifier(other))
      ambiguous.insert(ObjectIdentifier(key.type))
    }
  }

  package func name(of key: Key, candidate: String? = nil) -> String {
    guard ambiguous.contains(ObjectIdentifier(key.type)) else {
      return serviceName(key.type, tag: key.tag, candidate: candidate)
    }
    if case .arguments(let service, let list)? = (key.type as? any TypedKey.Type)?.form {
      let name = "\(qualifiedName(service))(\(list.joined(separator: ", ")))"
      return serviceName(name, tag: key.tag?.rawValue, candidate: candidate)
    }
    if key.type is any TypedKey.Type { return serviceName(key.type, tag: key.tag, candidate: candidate) }
    return serviceName(qualifiedName(key.type), tag: key.tag?.rawValue, candidate: candidate)
  }

  func name(of registration: Registration) -> String {
    name(of: registration.key, candidate: registration.candidate)
  }

  func name(of name: ServiceName) -> String {
    if name.isOfClosing { return name.text }
    return self.name(of: name.key, candidate: name.candidate) + name.act
  }
}
