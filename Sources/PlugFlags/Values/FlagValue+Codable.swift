extension FlagValue: Codable {
  /// Decodes a value of any kind.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the value is of a kind that JSON does not have.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func read<Value: Decodable>(_ make: (Value) -> FlagValue) -> FlagValue? {
      (try? container.decode(Value.self)).map(make)
    }
    let value: FlagValue? = container.decodeNil() ? .null : read(FlagValue.bool) ?? read(FlagValue.number)
    guard let value = value ?? read(FlagValue.string) ?? read(FlagValue.array) ?? read(FlagValue.object) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "The value is none that JSON has.")
    }
    self = value
  }

  /// Encodes the value as a Boolean, number, string, array, object or null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let value):
      if let whole = Int64(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}
