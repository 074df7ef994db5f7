/// Where a value stands in a JSON text, such as `flags.checkout.targeting.if[0]`. Longer paths share their beginning.
indirect enum JSONPath: Sendable {
  case root
  case key(String, in: JSONPath)
  case index(Int, in: JSONPath)

  init() { self = .root }

  @inline(never)
  func appending(_ key: String) -> JSONPath { .key(key, in: self) }
  func appending(_ outer: String, _ key: String) -> JSONPath { appending(outer).appending(key) }
  func appending(index: Int) -> JSONPath { .index(index, in: self) }

  /// The name of a flag or an evaluator, if the path leads into an object in the document which has these.
  func member(of object: String) -> String? {
    switch self {
    case .root: nil
    case .key(let name, .key(object, .root)): name
    case .key(_, let outer), .index(_, let outer): outer.member(of: object)
    }
  }
}

extension JSONPath: CustomStringConvertible {
  /// The components with dots between; names in which a dot would mislead stand in brackets and quotation marks.
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
