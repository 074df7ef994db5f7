extension JSONReader {
  /// Passes over an array or object of any depth without recursion, and checks it as strictly as what is read.
  mutating func skipNested() throws(FlagSyntaxError) {
    let numberOfNotes = notes.count
    var isObject: [Bool] = []
    repeat {
      if try open(&isObject) { continue }
      try closeOrContinue(&isObject)
    } while !isObject.isEmpty
    // The depth is all that is noted of a value that is not read.
    notes.removeSubrange(numberOfNotes...)
  }

  /// Passes over one value, or over the beginning of an array or object that is not empty.
  ///
  /// - Returns: Whether a value has to follow.
  private mutating func open(_ isObject: inout [Bool]) throws(FlagSyntaxError) -> Bool {
    guard let byte = next else { throw unexpected("a value") }
    switch byte {
    case UInt8(ascii: "{"):
      position += 1
      isObject.append(true)
      skipSpace()
      if next == UInt8(ascii: "}") { return false }
      _ = try readKey()
      return true
    case UInt8(ascii: "["):
      position += 1
      isObject.append(false)
      skipSpace()
      return next != UInt8(ascii: "]")
    case UInt8(ascii: "\""): _ = try readString()
    case UInt8(ascii: "t"): _ = try readWord("true", .null)
    case UInt8(ascii: "f"): _ = try readWord("false", .null)
    case UInt8(ascii: "n"): _ = try readWord("null", .null)
    default: _ = try readNumber()
    }
    return false
  }

  /// Passes over what ends arrays and objects, until there is another value or all of them have ended.
  private mutating func closeOrContinue(_ isObject: inout [Bool]) throws(FlagSyntaxError) {
    while let inObject = isObject.last {
      skipSpace()
      if skip(inObject ? "}" : "]") {
        isObject.removeLast()
        continue
      }
      guard skip(",") else { throw unexpected(inObject ? "\",\" or \"}\"" : "\",\" or \"]\"") }
      skipSpace()
      if inObject { _ = try readKey() }
      return
    }
  }
}
