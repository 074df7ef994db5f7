package import Plug

extension RuleTrace.Value: Codable {
  /// A member with any name.
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads any JSON value.
  package init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let value = try? single.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? single.decode(Double.self) {
      self = .number(value)
    } else if let value = try? single.decode(String.self) {
      self = .string(value)
    } else if var container = try? decoder.unkeyedContainer() {
      var values: [Self] = []
      while !container.isAtEnd { values.append(try Self(from: container.superDecoder())) }
      self = .array(values)
    } else {
      let container = try decoder.container(keyedBy: Name.self)
      var members: [String: Self] = [:]
      for name in container.allKeys {
        members[name.stringValue] = try Self(from: container.superDecoder(forKey: name))
      }
      self = .object(members)
    }
  }

  /// Writes the JSON value.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    default: try encodeScalar(to: encoder)
    }
  }

  // A function of its own, because a tree may be deep and the stack small.
  private func encodeScalar(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let flag { return try container.encode(flag) }
    if let double { return try container.encode(double) }
    if let text { try container.encode(text) } else { try container.encodeNil() }
  }
}
