/// A JSON value as it is written: members keep their order, and may be repeated.
enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  /// The text of a value that is nested too deeply to be read.
  case unread(String)

  struct Member: Sendable, Equatable {
    let key: String
    let value: JSON

    /// Compares members. Not inlined: the compiler would inline the recursive comparison into itself.
    @inline(never)
    static func == (first: Self, second: Self) -> Bool { first.key == second.key && first.value == second.value }
  }

  /// The value of the member with a name; if there are several, the last one, as in most readers of JSON.
  subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key.hasSameBytes(as: key) }?.value
  }

  /// The message that a subject is of this kind, and not of the expected one.
  @inline(never)
  func mismatch(_ subject: String, _ expected: String) -> String { "\(subject) is \(kind), not \(expected)" }

  /// The kind of the value, for messages.
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
  /// Returns the flag with other metadata, and with evaluators instead of references to them.
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

  /// The name of the evaluator that the value refers to.
  var reference: String? {
    guard case .object(let members) = self, members.count == 1, members[0].key == "$ref" else { return nil }
    return if case .string(let name) = members[0].value { name } else { nil }
  }
}
