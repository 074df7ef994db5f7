/// Where a value stands in a JSON text, such as `flags.checkout.targeting.if[0]`.
struct JSONPath: Sendable, Hashable {
  enum Component: Sendable, Hashable {
    case key(String)
    case index(Int)
  }

  let components: [Component]

  init(_ components: [Component] = []) {
    self.components = components
  }

  func appending(_ keys: String...) -> JSONPath { JSONPath(components + keys.map(Component.key)) }
  func appending(index: Int) -> JSONPath { JSONPath(components + [.index(index)]) }

  /// The keys it begins with, until the first index.
  func key(at position: Int) -> String? {
    guard components.indices.contains(position), case .key(let key) = components[position] else { return nil }
    return key
  }
}

extension JSONPath: CustomStringConvertible {
  /// The components with dots between; names in which a dot would mislead stand in brackets and quotation marks.
  var description: String {
    var text = ""
    for component in components {
      switch component {
      case .index(let index): text += "[\(index)]"
      case .key(let key) where Self.isPlain(key): text += text.isEmpty ? key : "." + key
      case .key(let key): text += "[\(JSONWriter.quoted(key))]"
      }
    }
    return text
  }

  private static func isPlain(_ key: String) -> Bool {
    let special: [UInt8] = [".", "[", "]", "\"", "\\"].map { UInt8(ascii: $0) }
    return !key.isEmpty && key.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !special.contains($0) }
  }
}
