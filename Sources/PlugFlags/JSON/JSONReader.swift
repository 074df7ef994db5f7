/// Reads a JSON text as defined by RFC 8259, strictly.
///
/// What other readers of JSON take differently is read, but noted with its path: members of the same name, numbers that
/// a `Double` cannot hold exactly, and nesting that a recursive reader may not survive.
///
/// The time is linear in the length of the text, and the depth of recursion is at most ``depthLimit``.
struct JSONReader {
  /// Something that is noted, but does not end reading.
  struct Note: Equatable {
    let path: JSONPath
    let message: String
  }

  /// How deep arrays and objects may be nested.
  static let depthLimit = 200

  /// What is noted of a value beyond that.
  static let tooDeep = "the value is nested deeper than \(depthLimit) levels"

  let bytes: [UInt8]
  var position = 0
  var path = JSONPath()
  var notes: [Note] = []
  private var depth = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads a text.
  ///
  /// - Parameter bytes: The text in UTF-8. A byte order mark at its beginning is passed over.
  /// - Returns: The value, and what is to be noted on it.
  /// - Throws: `FlagSyntaxError` if the text is no JSON.
  /// - Complexity: O(*n*) for *n* bytes.
  static func read(_ bytes: [UInt8]) throws(FlagSyntaxError) -> (value: JSON, notes: [Note]) {
    var reader = JSONReader(bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
    reader.skipSpace()
    let value = try reader.readValue()
    reader.skipSpace()
    guard reader.position == bytes.count else { throw reader.unexpected("the end of the text") }
    return (value, reader.notes)
  }

  /// The byte at the position; `nil` at the end.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  /// Passes over a byte if it comes next.
  mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  mutating func note(_ message: String) {
    notes.append(Note(path: path, message: message))
  }

  /// Reads a value. The frames of what is recursive are kept small: scalars are read elsewhere.
  private mutating func readValue() throws(FlagSyntaxError) -> JSON {
    guard next == UInt8(ascii: "{") || next == UInt8(ascii: "[") else { return try readScalar() }
    guard depth < Self.depthLimit else { return try readUnread() }
    depth += 1
    defer { depth -= 1 }
    return skip("{") ? try readObject() : try readArray()
  }

  private mutating func readScalar() throws(FlagSyntaxError) -> JSON {
    switch next {
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", .bool(true))
    case UInt8(ascii: "f"): return try readWord("false", .bool(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: return .number(try readNumber())
    }
  }

  private mutating func readUnread() throws(FlagSyntaxError) -> JSON {
    note(Self.tooDeep)
    let start = position
    try skipNested()
    return .unread(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  mutating func readWord(_ word: String, _ value: JSON) throws(FlagSyntaxError) -> JSON {
    let start = position
    for byte in word.utf8 {
      guard next == byte else {
        position = start
        throw unexpected("a value")
      }
      position += 1
    }
    return value
  }

  private mutating func readArray() throws(FlagSyntaxError) -> JSON {
    position += 1
    var elements: [JSON] = []
    skipSpace()
    if skip("]") { return .array(elements) }
    while true {
      path.append(.index(elements.count))
      elements.append(try readValue())
      path.removeLast()
      skipSpace()
      if skip("]") { return .array(elements) }
      guard skip(",") else { throw unexpected("\",\" or \"]\"") }
      skipSpace()
    }
  }

  /// Reads the members of an object whose brace has been passed.
  private mutating func readObject() throws(FlagSyntaxError) -> JSON {
    var members: [JSON.Member] = []
    var names = SeenNames()
    skipSpace()
    if skip("}") { return .object(members) }
    while true {
      let key = try readKey()
      path.append(.key(key))
      if !names.insert(key, in: members) { note("the name appears more than once") }
      members.append(JSON.Member(key: key, value: try readValue()))
      path.removeLast()
      skipSpace()
      if skip("}") { return .object(members) }
      guard skip(",") else { throw unexpected("\",\" or \"}\"") }
      skipSpace()
    }
  }

  /// Reads the name of a member, the colon, and the space around it.
  mutating func readKey() throws(FlagSyntaxError) -> String {
    guard next == UInt8(ascii: "\"") else { throw unexpected("the name of a member") }
    let key = try readString()
    skipSpace()
    guard skip(":") else { throw unexpected("\":\"") }
    skipSpace()
    return key
  }
}

/// The names of an object so far. Few are compared one by one.
private struct SeenNames {
  private var names: Set<HashedName> = []

  /// - Returns: Whether the name is new.
  mutating func insert(_ name: String, in members: [JSON.Member]) -> Bool {
    if members.count < 8 { return !members.contains { $0.key.hasSameBytes(as: name) } }
    if names.isEmpty { names = Set(members.map { HashedName($0.key) }) }
    return names.insert(HashedName(name)).inserted
  }
}
