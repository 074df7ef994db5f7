extension FlagValue {
  /// Reads a JSON text, such as a recorded context.
  ///
  /// If several members have the same name, the last one is used.
  ///
  /// - Parameter text: A string as defined by RFC 8259.
  /// - Throws: ``FlagSyntaxError`` if the string is not JSON, or is nested deeper than 200 levels.
  /// - Complexity: O(*n*) for *n* bytes.
  public init(json text: String) throws(FlagSyntaxError) {
    let (value, notes) = try JSONReader.read(Array(text.utf8))
    if let note = notes.first(where: { $0.message == JSONReader.tooDeep }) {
      throw FlagSyntaxError(line: 1, column: 1, problem: "\(note.path): \(note.message)")
    }
    self.init(value)
  }

  /// Creates a value from JSON. A value that is nested too deeply becomes null.
  @inline(never)
  init(_ json: JSON) {
    switch json {
    case .null, .unread: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let value): self = .number(value)
    case .string(let value): self = .string(value)
    case .array(let elements): self = .array(elements.map(FlagValue.init))
    case .object(let members): self = .object(Self.members(members))
    }
  }

  /// The values by name. If several have the same name, the last one is used.
  static func members(_ members: [JSON.Member]) -> [String: FlagValue] {
    members.reduce(into: [:]) { $0[$1.key] = FlagValue($1.value) }
  }

  /// The value as JSON, with the members of objects in alphabetical order.
  var json: JSON {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let value): .number(value)
    case .string(let value): .string(value)
    case .array(let elements): .array(elements.map(\.json))
    case .object(let members):
      .object(Array(members.keys).sorted().map { JSON.Member(key: $0, value: (members[$0] ?? .null).json) })
    }
  }
}
