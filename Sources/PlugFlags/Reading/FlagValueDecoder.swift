/// Decodes types from values of flags, as a decoder of JSON does.
struct FlagValueDecoder: Decoder {
  let value: FlagValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Decodes a value.
  ///
  /// - Throws: `DecodingError` if the value does not fit the type.
  static func decode<Decoded: Decodable>(_ type: Decoded.Type, from value: FlagValue) throws -> Decoded {
    try type.init(from: FlagValueDecoder(value: value, codingPath: []))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch([String: FlagValue].self) }
    return KeyedDecodingContainer(FlagKeyedContainer(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([FlagValue].self) }
    return FlagUnkeyedContainer(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// The decoder of a part of the value.
  func nested(_ value: FlagValue, _ key: any CodingKey) -> FlagValueDecoder {
    FlagValueDecoder(value: value, codingPath: codingPath + [key])
  }

  func mismatch(_ type: any Any.Type) -> DecodingError {
    .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "\(value) is no \(type)"))
  }
}

extension FlagValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }

  func decode(_ type: Bool.Type) throws -> Bool { try read(type) }
  func decode(_ type: String.Type) throws -> String { try read(type) }
  func decode(_ type: Double.Type) throws -> Double { try read(type) }
  func decode(_ type: Float.Type) throws -> Float { Float(try read(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try whole(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try whole(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try whole(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try whole(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try whole(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try whole(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try whole(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try whole(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try whole(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try whole(type) }

  func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    try type.init(from: self)
  }

  private func read<Readable: FlagReadable>(_ type: Readable.Type) throws -> Readable {
    guard let read = type.read(value) else { throw mismatch(type) }
    return read
  }

  private func whole<Whole: FixedWidthInteger>(_ type: Whole.Type) throws -> Whole {
    guard case .number(let number) = value, let whole = Whole(exactly: number) else { throw mismatch(type) }
    return whole
  }
}
