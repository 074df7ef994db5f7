/// A JSON value as a text has it: members in their order, and repeated ones too.
enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  /// A value that is nested too deep to be read, as it is written.
  case unread(String)

  struct Member: Sendable, Equatable {
    let key: String
    let value: JSON
  }

  /// The member of an object with a name; of several the last, as most readers of JSON take it.
  subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key.hasSameBytes(as: key) }?.value
  }

  /// What the value is, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    case .unread: "a value that is nested too deep"
    }
  }
}
