/// The members of an object, for ``FlagValueDecoder``.
struct FlagKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: FlagValue]
  let codingPath: [any CodingKey]

  var allKeys: [Key] { members.keys.compactMap(Key.init) }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

  func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
    try type.init(from: decoder(key))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    FlagValueDecoder(value: members["super"] ?? .null, codingPath: codingPath)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func decoder(_ key: Key) throws -> FlagValueDecoder {
    guard let value = members[key.stringValue] else {
      let context = DecodingError.Context(codingPath: codingPath, debugDescription: "\(key.stringValue) is missing")
      throw DecodingError.keyNotFound(key, context)
    }
    return FlagValueDecoder(value: value, codingPath: codingPath + [key])
  }
}

/// The elements of an array, for ``FlagValueDecoder``.
struct FlagUnkeyedContainer: UnkeyedDecodingContainer {
  let elements: [FlagValue]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(elements: [FlagValue], codingPath: [any CodingKey]) {
    (self.elements, self.codingPath) = (elements, codingPath)
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    guard try peek().decodeNil() else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    let decoded = try type.init(from: peek())
    currentIndex += 1
    return decoded
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try peek().container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try peek().unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    defer { currentIndex += 1 }
    return try peek()
  }

  /// The decoder of the next element.
  private func peek() throws -> FlagValueDecoder {
    let path = codingPath + [ElementKey(intValue: currentIndex)]
    guard elements.indices.contains(currentIndex) else {
      let context = DecodingError.Context(codingPath: path, debugDescription: "The array has no more elements.")
      throw DecodingError.valueNotFound(FlagValue.self, context)
    }
    return FlagValueDecoder(value: elements[currentIndex], codingPath: path)
  }
}

/// The place of an element in an array.
private struct ElementKey: CodingKey {
  let intValue: Int?
  let stringValue: String

  init(intValue: Int) {
    (self.intValue, stringValue) = (intValue, "\(intValue)")
  }

  init?(stringValue: String) {
    guard let index = Int(stringValue) else { return nil }
    self.init(intValue: index)
  }
}
