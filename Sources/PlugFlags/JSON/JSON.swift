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

    /// The comparison of a member, which would be repeated in itself if it were inlined.
    @inline(never)
    static func == (first: Self, second: Self) -> Bool { first.key == second.key && first.value == second.value }
  }

  /// The member of an object with a name; of several the last, as most readers of JSON take it.
  subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key.hasSameBytes(as: key) }?.value
  }

  /// The message that the value is not what something has to be.
  @inline(never)
  func mismatch(_ subject: String, _ expected: String) -> String { "\(subject) is \(kind), not \(expected)" }

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

extension JSON {
  /// A flag with other metadata, and with named pieces of targeting in the places of references to them.
  func standalone(_ evaluators: [String: Evaluator], metadata: FlagValue?) -> JSON {
    guard case .object(var members) = self, !evaluators.isEmpty || metadata != nil else { return self }
    if let metadata {
      members = members.filter { $0.key != "metadata" } + [Member(key: "metadata", value: metadata.json)]
    }
    return .object(
      members.map { $0.key == "targeting" ? Member(key: $0.key, value: $0.value.resolving(evaluators)) : $0 })
  }

  @inline(never)
  private func resolving(_ evaluators: [String: Evaluator]) -> JSON {
    if let reference { return evaluators[reference]?.json ?? self }
    switch self {
    case .array(let elements): return .array(elements.map { $0.resolving(evaluators) })
    case .object(let members):
      return .object(members.map { Member(key: $0.key, value: $0.value.resolving(evaluators)) })
    default: return self
    }
  }

  /// The name of the piece of targeting to which it refers.
  var reference: String? {
    guard case .object(let members) = self, members.count == 1, members[0].key == "$ref" else { return nil }
    return if case .string(let name) = members[0].value { name } else { nil }
  }
}
