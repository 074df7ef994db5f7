/// Reads a JSON text as defined by RFC 8259, strictly.
///
/// Input that other readers of JSON may treat differently is read, but noted with its path: members with the same name,
/// numbers that a `Double` cannot hold exactly, and nesting that may overflow the stack of a recursive reader.
///
/// The time is linear in the length of the text, and there is no recursion.
struct JSONReader {
  /// An array or object that has begun, but not ended.
  private struct Frame {
    var elements: [JSON] = []
    var members: [JSON.Member] = []
    var names = NameIndex()
    /// The name of the member that comes next.
    var key = ""

    /// - Returns: Whether the name is new. A few names are compared one by one.
    mutating func insert(_ name: String) -> Bool {
      key = name
      if members.count < 8 { return !members.contains { $0.key.hasSameBytes(as: name) } }
      if names.names.isEmpty { for member in members { names.append(member.key) } }
      return names.insert(name)
    }
  }

  /// The number of levels to which arrays and objects may be nested.
  static let depthLimit = 200

  /// The note on a value beyond the limit.
  static let tooDeep = "the value is nested deeper than \(depthLimit) levels"

  let bytes: [UInt8]
  var position = 0
  private(set) var notes: [FlagProblem] = []

  /// Whether each open array or object is an object, from the outermost inwards.
  private var areObjects: [Bool] = []

  /// The open arrays and objects within the depth limit, from the outermost inwards.
  private var frames: [Frame] = []

  /// The offset of a value that is nested too deeply.
  private var unreadStart = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads a string.
  ///
  /// - Parameter bytes: The text in UTF-8. A byte order mark at its beginning is skipped.
  /// - Returns: The value, and the notes on it.
  /// - Throws: `FlagSyntaxError` if the string is not JSON.
  /// - Complexity: O(*n*) for *n* bytes.
  static func read(_ bytes: [UInt8]) throws(FlagSyntaxError) -> (value: JSON, notes: [FlagProblem]) {
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

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  /// Skips a byte if it comes next, and returns whether it does.
  mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  /// Adds a note on the next value, unless it is within a value that is nested too deeply.
  mutating func note(_ message: String) {
    if areObjects.count > Self.depthLimit { return }
    var path = JSONPath()
    for (isObject, frame) in zip(areObjects, frames) {
      path = isObject ? path.appending(frame.key) : path.appending(index: frame.elements.count)
    }
    notes.append(FlagProblem(path, message))
  }

  private mutating func readValue() throws(FlagSyntaxError) -> JSON {
    while true {
      guard var value = try begin() else { continue }
      repeat {
        guard let inObject = areObjects.last else { return value }
        add(value)
        skipSpace()
        if skip(",") {
          skipSpace()
          if inObject { try readKey() }
          break
        }
        guard skip(inObject ? "}" : "]") else { throw unexpected(inObject ? "\",\" or \"}\"" : "\",\" or \"]\"") }
        value = end()
      } while true
    }
  }

  /// Reads a value, or the beginning of an array or object.
  ///
  /// - Returns: `nil` if the first value of an array or object comes next.
  private mutating func begin() throws(FlagSyntaxError) -> JSON? {
    switch next {
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", .bool(true))
    case UInt8(ascii: "f"): return try readWord("false", .bool(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    case UInt8(ascii: "{"), UInt8(ascii: "["): break
    default: return .number(try readNumber())
    }
    if areObjects.count == Self.depthLimit {
      note(Self.tooDeep)
      unreadStart = position
    } else if areObjects.count < Self.depthLimit {
      frames.append(Frame())
    }
    let isObject = next == UInt8(ascii: "{")
    areObjects.append(isObject)
    position += 1
    skipSpace()
    if skip(isObject ? "}" : "]") { return end() }
    if isObject { try readKey() }
    return nil
  }

  /// Adds a value to the innermost open array or object.
  private mutating func add(_ value: JSON) {
    let last = areObjects.count - 1
    guard last < Self.depthLimit else { return }
    if areObjects[last] {
      frames[last].members.append(JSON.Member(key: frames[last].key, value: value))
    } else {
      frames[last].elements.append(value)
    }
  }

  /// Closes the innermost array or object, and returns it.
  private mutating func end() -> JSON {
    let isObject = areObjects.removeLast()
    if areObjects.count == Self.depthLimit {
      return .unread(String(decoding: bytes[unreadStart..<position], as: UTF8.self))
    }
    guard areObjects.count < Self.depthLimit, let frame = frames.popLast() else { return .null }
    return isObject ? .object(frame.members) : .array(frame.elements)
  }

  private mutating func readWord(_ word: String, _ value: JSON) throws(FlagSyntaxError) -> JSON {
    let found = String(decoding: bytes[position...].prefix(word.utf8.count), as: UTF8.self)
    guard found == word else { throw unexpected("a value") }
    position += word.utf8.count
    return value
  }

  /// Reads the name of a member, the colon, and the space around it.
  private mutating func readKey() throws(FlagSyntaxError) {
    guard next == UInt8(ascii: "\"") else { throw unexpected("the name of a member") }
    let key = try readString()
    skipSpace()
    guard skip(":") else { throw unexpected("\":\"") }
    skipSpace()
    guard areObjects.count <= Self.depthLimit else { return }
    if !frames[frames.count - 1].insert(key) { note("the name appears more than once") }
  }
}
