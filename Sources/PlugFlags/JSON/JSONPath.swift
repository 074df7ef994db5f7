/// The path to a value in a JSON text, such as `flags.checkout.targeting.if[0]`. Longer paths share their beginning.
indirect enum JSONPath: Sendable {
  case root
  case key(String, in: JSONPath)
  case index(Int, in: JSONPath)

  init() { self = .root }

  @inline(never)
  func appending(_ key: String) -> JSONPath { .key(key, in: self) }
  func appending(_ outer: String, _ key: String) -> JSONPath { appending(outer).appending(key) }
  func appending(index: Int) -> JSONPath { .index(index, in: self) }

  /// The name of the member of a top-level object that the path leads into: a flag's key if the object is `flags`.
  func member(of object: String) -> String? {
    switch self {
    case .root: nil
    case .key(let name, .key(object, .root)): name
    case .key(_, let outer), .index(_, let outer): outer.member(of: object)
    }
  }

  /// The index in a top-level array that the path leads into.
  func index(in array: String) -> Int? {
    switch self {
    case .root: nil
    case .index(let index, .key(array, .root)): index
    case .key(_, let outer), .index(_, let outer): outer.index(in: array)
    }
  }
}

extension JSONPath: CustomStringConvertible {
  /// The components, separated by dots. Names with special characters are quoted and stand in brackets.
  var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .root: break
    case .index(let index, let outer):
      outer.write(to: &text)
      text += "[\(index)]"
    case .key(let key, let outer):
      outer.write(to: &text)
      text += Self.isPlain(key) ? (text.isEmpty ? key : "." + key) : "[\(JSONWriter.quoted(key))]"
    }
  }

  private static func isPlain(_ key: String) -> Bool {
    let special = Array(".[]\"\\\u{7F}".utf8)
    return !key.isEmpty && !Array(key.utf8).contains { $0 <= 0x20 || special.contains($0) }
  }
}
